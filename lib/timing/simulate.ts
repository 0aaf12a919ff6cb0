// The whole GPU: deals blocks to SMs as these have room, and runs the SMs in the order of time. Traces are asked for when a
// block is placed, so that only those of resident blocks are held.

import type { Steps } from "../base/steps.js";
import { createL1, type L1 } from "./l1.js";
import type { Program } from "./lowering.js";
import type { DeviceMemory } from "./memory.js";
import { pipeNames, type GpuModel } from "./model.js";
import { occupancy, type BlockNeeds } from "./occupancy.js";
import type { TimingResult } from "./result.js";
import type { Passage } from "./schedule/plan.js";
import { createSm, type Sm } from "./sm.js";
import { stallNames } from "./stalls.js";
import { timeLimit } from "./time-limit.js";
import type { BlockSource } from "./trace.js";

export interface Simulation extends BlockNeeds {
  readonly program: Program;
  readonly passages: readonly Passage[];
  readonly source: BlockSource;
  readonly registersEstimated: boolean;
  /** What lies beyond the SMs; caches hold what launches before left there. */
  readonly device: DeviceMemory;
}

/** Turns of SMs between two steps: some hundredths of a second. */
const TURNS = 20_000;
/**
 * Cycles that an SM runs before the next has its turn. Requests reach the queues beyond the SMs out of order by as much, which
 * is little beside their latency; the SMs' own state is at hand meanwhile.
 */
const SLICE = 16;

/** Replays a launch on a GPU. A block that fits no SM is placed alone all the same: the launch has run, after all. */
export function* simulate(model: GpuModel, simulation: Simulation): Steps<TimingResult> {
  const { program, passages, source, device } = simulation;
  device.begin();
  const held = occupancy(model, simulation);
  const perSm = Math.max(1, held.blocks);
  const l1Bytes = Math.max(8, model.l1.unifiedKiB - model.l1.unusableKiB - held.sharedCarveoutKiB) * 1024;
  const l1s = Array.from({ length: model.sms }, (_, i) => createL1(model, i, l1Bytes, device));
  const sms = l1s.map((l1) => createSm(model, program, passages, l1));
  const next = new Float64Array(model.sms).fill(Infinity);
  const totals = { warpInstructions: 0, threadInstructions: 0, blocks: 0 };
  const { latencyCycles, cyclesPerBlock } = model.dispatch;
  let block = 0;
  let end = 0;
  /** When the dispatcher is free. */
  let dispatcher = latencyCycles;

  /** When the next block may begin, at the soonest at `at`: the GPU begins them one after the other. */
  function turn(at: number): number {
    const begin = Math.max(at, dispatcher);
    dispatcher = begin + cyclesPerBlock;
    return Math.ceil(begin);
  }

  /** Gives an SM the next block, once there is room at cycle `at`. */
  function* place(i: number, at: number): Steps<boolean> {
    if (block >= source.blocks) return false;
    const trace = yield* source.traceOf(block);
    if (trace === undefined) {
      block = source.blocks;
      return false;
    }
    block++;
    totals.blocks++;
    totals.warpInstructions += trace.warpInstructions;
    totals.threadInstructions += trace.threadInstructions;
    const sm = sms[i]!;
    sm.place(trace, at);
    next[i] = Math.min(next[i]!, at);
    yield* refill(i, sm);
    return true;
  }

  function* refill(i: number, sm: Sm): Steps<void> {
    for (let at = sm.left.pop(); at !== undefined; at = sm.left.pop()) {
      if (at > end) end = at;
      if (block < source.blocks) yield* place(i, turn(at + latencyCycles));
    }
  }

  for (let n = 0; n < perSm * sms.length; n++)
    if (block >= source.blocks || !(yield* place(n % sms.length, turn(latencyCycles)))) break;

  let turns = 0;
  for (let at = 0; at < Infinity;) {
    const until = at + SLICE;
    let following = Infinity;
    for (let i = 0; i < next.length; i++) {
      while (next[i]! < until) {
        const sm = sms[i]!;
        next[i] = sm.run(next[i]!, until);
        turns++;
        if (sm.left.length > 0) yield* refill(i, sm);
      }
      if (next[i]! < following) following = next[i]!;
    }
    if (turns >= TURNS) {
      turns = 0;
      yield;
      if (source.isStopped()) {
        end = Math.max(end, at);
        break;
      }
    }
    at = following;
  }
  return summarize(model, simulation, totals, Math.max(1, end), { held, sms, l1s, device });
}

interface Parts {
  readonly held: ReturnType<typeof occupancy>;
  readonly sms: readonly Sm[];
  readonly l1s: readonly L1[];
  readonly device: DeviceMemory;
}

function summarize(
  model: GpuModel,
  { registers, registersEstimated, sharedBytes }: Simulation,
  totals: { readonly warpInstructions: number; readonly threadInstructions: number; readonly blocks: number },
  cycles: number,
  { held, sms, l1s, device }: Parts,
): TimingResult {
  const sum = <T>(items: readonly T[], of: (item: T) => number): number => items.reduce((n, item) => n + of(item), 0);
  const issued = sum(sms, (sm) => sm.counters.issued);
  const warpCycles = sum(sms, (sm) => sm.counters.warpCycles);
  const loads = sum(l1s, (l1) => l1.counters.requests);
  const sectors = sum(l1s, (l1) => l1.counters.sectors);
  const stores = sum(l1s, (l1) => l1.counters.storeRequests);
  const sharedRequests = sum(l1s, (l1) => l1.counters.sharedRequests);
  const seconds = cycles / (model.clockMHz * 1e6);
  const { l2Reads, l2ReadHits } = device.counters;
  const { readBytes: dramReadBytes, writeBytes: dramWriteBytes } = device.dramBytes;
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
  const subcoreCycles = cycles * model.sms * model.subcores;
  const known = {
    throughput: {
      issue: issued / subcoreCycles,
      dram: (dramReadBytes + dramWriteBytes) / seconds / 1e9 / model.dram.gigabytesPerSecond,
    },
    pipes: record(pipeNames, (i) => sum(sms, (sm) => sm.counters.pipes[i]!) / subcoreCycles),
    stalls: record(stallNames, (i) =>
      share(
        sum(sms, (sm) => sm.counters.stalls[i]!),
        warpCycles,
      ),
    ),
    blocks: totals.blocks,
    occupancy: {
      blocksPerSm: held.blocks,
      theoretical: held.share,
      achieved: warpCycles / cycles / model.sms / model.limits.warps,
      limitedBy: held.limitedBy,
      registers,
      registersEstimated,
      sharedBytes,
    },
  };
  return {
    gpu: model.name,
    cycles,
    microseconds: seconds * 1e6,
    eventMicroseconds: seconds * 1e6 + model.launch.eventMicroseconds,
    limitedBy: timeLimit(known, model.sms),
    ...known,
    warpInstructions: totals.warpInstructions,
    threadInstructions: totals.threadInstructions,
    issuedInstructions: issued,
    ipc: issued / cycles / model.sms,
    memory: {
      l1HitRate: share(
        sum(l1s, (l1) => l1.counters.hits),
        sectors,
      ),
      l2HitRate: share(l2ReadHits, l2Reads),
      dramReadBytes,
      dramWriteBytes,
      dramGigabytesPerSecond: (dramReadBytes + dramWriteBytes) / seconds / 1e9,
      sectorsPerLoad: share(sectors, loads),
      sectorsPerStore: share(
        sum(l1s, (l1) => l1.counters.storeSectors),
        stores,
      ),
      sharedCyclesPerAccess: share(
        sum(l1s, (l1) => l1.counters.sharedCycles),
        sharedRequests,
      ),
    },
  };
}

function record<Name extends string>(
  names: readonly Name[],
  value: (i: number) => number,
): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name, i) => [name, value(i)])) as Record<Name, number>;
}
