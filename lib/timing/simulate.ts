// The whole GPU: deals blocks to SMs as these have room, and runs the SMs in the order of time. Traces are asked for when a
// block is placed, so that only those of resident blocks are held.

import type { Steps } from "../base/steps.js";
import { createL1 } from "./l1.js";
import { createEvents, type EventOptions } from "./events.js";
import type { Program } from "./lowering.js";
import type { DeviceMemory } from "./memory.js";
import type { GpuModel } from "./model.js";
import { occupancy, type BlockNeeds } from "./occupancy.js";
import type { TimingResult } from "./result.js";
import type { Passage } from "./schedule/plan.js";
import { createSm, type Sm } from "./sm.js";
import type { Starved } from "./sm-state.js";
import { summarize } from "./summarize.js";
import { createTimeline } from "./timeline.js";
import type { BlockSource } from "./trace.js";

export interface Simulation extends BlockNeeds {
  readonly program: Program;
  readonly passages: readonly Passage[];
  readonly source: BlockSource;
  readonly registersEstimated: boolean;
  /** What lies beyond the SMs; caches hold what launches before left there. */
  readonly device: DeviceMemory;
  /** Of the kernel's machine code, where that is known. */
  readonly codeBytes?: number;
  readonly profile: () => TimingResult["instructions"];
  /** What a trace is taken of; none unless given. */
  readonly events?: EventOptions;
}

/** Turns of SMs between two steps: some hundredths of a second. */
const TURNS = 20_000;
/**
 * Cycles that an SM runs before the next has its turn. Requests reach the queues beyond the SMs out of order by as much, which
 * is little beside their latency; the SMs' own state is at hand meanwhile.
 */
const SLICE = 16;

const isNew = ({ isAsked }: Starved): boolean => !isAsked;

/** Replays a launch on a GPU. A block that fits no SM is placed alone: the launch has run, after all. */
export function* simulate(model: GpuModel, simulation: Simulation): Steps<TimingResult> {
  const { program, passages, source, device } = simulation;
  const timeline = createTimeline();
  const events = simulation.events === undefined ? undefined : createEvents(simulation.events);
  device.begin(timeline);
  const held = occupancy(model, simulation);
  const perSm = Math.max(1, held.blocks);
  const l1Bytes = Math.max(8, model.l1.unifiedKiB - model.l1.unusableKiB - held.sharedCarveoutKiB) * 1024;
  // Blocks are dealt in turn, so SMs beyond their number stay empty.
  const busySms = Math.max(1, Math.min(model.sms, source.blocks));
  const l1s = Array.from({ length: busySms }, (_, i) => createL1(model, i, l1Bytes, device));
  const sms = l1s.map((l1, i) => createSm(model, program, passages, l1, { timeline, watch: events?.watch(i) }));
  const next = new Float64Array(busySms).fill(Infinity);
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
    const index = block++;
    totals.blocks++;
    totals.warpInstructions += trace.warpInstructions;
    totals.threadInstructions += trace.threadInstructions;
    const sm = sms[i]!;
    sm.place(trace, index, at);
    next[i] = Math.min(next[i]!, at);
    yield* supply(sm);
    yield* refill(i, sm);
    return true;
  }

  /** Nothing goes on but what was asked for and did not come: warps that wait for each other in memory run on. */
  function* supplyAll(): Steps<void> {
    for (const sm of sms) {
      for (const one of sm.starved) one.isAsked = false;
      if (sm.starved.length > 0) yield* supply(sm);
    }
  }

  /** Has blocks run on that are replayed as far as they ran; all SMs go on with what is there then. */
  function* supply({ starved }: Sm): Steps<void> {
    for (let one = starved.find(isNew); one !== undefined; one = starved.find(isNew)) {
      one.isAsked = true;
      const { warpInstructions, threadInstructions } = yield* source.more(
        one.warp.block.index,
        one.warp.index,
        Math.ceil(one.at),
      );
      totals.warpInstructions += warpInstructions;
      totals.threadInstructions += threadInstructions;
      const from = one.at;
      sms.forEach((each, i) => {
        if (each.starved.length > 0) next[i] = Math.min(next[i]!, each.resume(from));
      });
    }
  }

  function* refill(i: number, sm: Sm): Steps<void> {
    for (let at = sm.left.pop(); at !== undefined; at = sm.left.pop()) {
      if (sm.counters.ended > end) end = sm.counters.ended;
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
        if (sm.starved.length > 0) yield* supply(sm);
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
    if (following === Infinity && block >= source.blocks) yield* supplyAll();
    at = Math.min(following, ...(following === Infinity ? next : []));
  }
  return summarize(model, simulation, totals, Math.max(1, end), { held, sms, l1s, device, timeline, events });
}
