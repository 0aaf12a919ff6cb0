// The whole GPU: distributes blocks to SMs as these have room, and runs the SMs in the order of time. Traces are requested when
// a block is placed, so that only those of resident blocks are in memory.

import type { Steps } from "../base/steps.js";
import type { Simulation, Replay } from "./replay.js";
import { createMachine, createSm } from "./sm/create-sm.js";
import { createEvents } from "./sm/events.js";
import { createL1s } from "./sm/l1.js";
import { beginLaunch } from "./memory/memory.js";
import type { GpuModel } from "./gpus/model.js";
import { occupancy } from "./gpus/occupancy.js";
import type { TimingResult } from "./result/result.js";
import type { Sm, Starved } from "./sm/sm-state.js";
import { placeBlock, resumeSm, runSm } from "./sm/sm.js";
import { summarize } from "./summarize.js";
import { createTimeline } from "./trace/timeline.js";

/** Machine instructions between two yields: a hundredth of a second. */
const STEP_INSTRUCTIONS = 20_000;
/**
 * Cycles that an SM runs before the next one. Requests reach the queues beyond the SMs out of order by as much, which is little
 * compared with their latency. Meanwhile the SM's own state stays in the host's caches.
 */
const SLICE = 16;
/** Cycles that an SM may be ahead of the others with instructions that affect only itself. */
const MAX_AHEAD = 4096;

/** Replays a launch on a GPU. A block that fits no SM is placed alone, because the launch has already run. */
export function* simulate(model: GpuModel, simulation: Simulation): Steps<TimingResult> {
  const replay = beginReplay(model, simulation);
  const { sms, held } = replay;
  const { source } = simulation;
  const resident = Math.max(1, held.blocks) * sms.length;
  for (let n = 0; n < resident; n++)
    if (!(yield* place(replay, n % sms.length, turn(replay, model.dispatch.latencyCycles)))) break;
  let issued = 0;
  for (let at = 0; at < Infinity;) {
    issued += yield* runSlice(replay, at + SLICE);
    if (issued >= STEP_INSTRUCTIONS) {
      issued = 0;
      yield;
      if (source.isStopped()) {
        replay.end = Math.max(replay.end, at);
        break;
      }
    }
    at = soonest(replay);
    if (at === Infinity && replay.block >= source.blocks) {
      yield* supplyAll(replay);
      at = soonest(replay);
    }
  }
  return summarize(replay, Math.max(1, Math.ceil(replay.end)));
}

function beginReplay(model: GpuModel, simulation: Simulation): Replay {
  const { program, planner, source, device } = simulation;
  const timeline = createTimeline();
  const events = simulation.events === undefined ? undefined : createEvents(simulation.events);
  beginLaunch(device, timeline);
  const held = occupancy(model, simulation);
  const l1Bytes = Math.max(8, model.l1.unifiedKiB - model.l1.unusableKiB - held.sharedCarveoutKiB) * 1024;
  // Blocks are distributed in turn, so SMs beyond their number stay empty.
  const busySms = Math.max(1, Math.min(model.sms, source.blocks));
  const l1s = createL1s(model, busySms, l1Bytes, device);
  const warps = Math.max(1, held.blocks) * Math.ceil(simulation.threads / 32);
  const machine = createMachine(
    program,
    planner,
    source.inStep ? undefined : simulation.traces,
    timeline,
    busySms,
    warps,
  );
  return {
    model,
    simulation,
    held,
    machine,
    l1s,
    sms: l1s.map((l1, i) => createSm(machine, i, l1, events?.watch(i))),
    timeline,
    events,
    next: new Float64Array(busySms).fill(Infinity),
    totals: { warpInstructions: 0, threadInstructions: 0, blocks: 0 },
    block: 0,
    dispatcher: model.dispatch.latencyCycles,
    end: 0,
  };
}

/** Runs each SM up to cycle `until`; returns the number of issued instructions. */
function* runSlice(replay: Replay, until: number): Steps<number> {
  const { next, sms, simulation } = replay;
  // Blocks that run in step extend their traces in the order of time, and the events of a trace have a limit that all SMs
  // share.
  const mostAhead = simulation.source.inStep || replay.events !== undefined ? 0 : MAX_AHEAD;
  let issued = 0;
  for (let i = 0; i < next.length; i++)
    while (next[i]! < until) {
      const sm = sms[i]!;
      issued -= sm.counters.issued;
      next[i] = runSm(sm, next[i]!, until, mostAhead);
      issued += sm.counters.issued;
      if (sm.starved.length > 0) yield* supply(replay, i, sm);
      if (sm.left.length > 0) yield* refill(replay, i, sm);
    }
  return issued;
}

function soonest({ next }: Replay): number {
  let least = Infinity;
  for (let i = 0; i < next.length; i++) if (next[i]! < least) least = next[i]!;
  return least;
}

/** The cycle, not before `at`, at which the next block may start: the GPU starts blocks one after another. */
function turn(replay: Replay, at: number): number {
  const begin = Math.max(at, replay.dispatcher);
  replay.dispatcher = begin + replay.model.dispatch.cyclesPerBlock;
  return Math.ceil(begin);
}

/** Gives an SM the next block, once there is room at cycle `at`. */
function* place(replay: Replay, i: number, at: number): Steps<boolean> {
  const { simulation, totals, next } = replay;
  const { source } = simulation;
  if (replay.block >= source.blocks) return false;
  const trace = yield* source.traceOf(replay.block);
  if (trace === undefined) {
    replay.block = source.blocks;
    return false;
  }
  const index = replay.block++;
  totals.blocks++;
  totals.warpInstructions += trace.warpInstructions;
  totals.threadInstructions += trace.threadInstructions;
  const sm = replay.sms[i]!;
  placeBlock(sm, trace, index, at);
  next[i] = Math.min(next[i]!, at);
  if (sm.starved.length > 0) yield* supply(replay, i, sm);
  if (sm.left.length > 0) yield* refill(replay, i, sm);
  return true;
}

/** All warps wait for unanswered requests: warps that wait for each other in memory continue. */
function* supplyAll(replay: Replay): Steps<void> {
  for (const [i, sm] of replay.sms.entries()) {
    for (const one of sm.starved) one.isRequested = false;
    if (sm.starved.length > 0) yield* supply(replay, i, sm);
  }
}

const isNew = ({ isRequested }: Starved): boolean => !isRequested;

/** Extends the traces of an SM's blocks that were replayed to their end; the SM continues with these. */
function* supply(replay: Replay, i: number, sm: Sm): Steps<void> {
  const { simulation, totals, next } = replay;
  for (let one = sm.starved.find(isNew); one !== undefined; one = sm.starved.find(isNew)) {
    one.isRequested = true;
    const from = one.at;
    const more = yield* simulation.source.more(one.warp.block.index, one.warp.index, Math.ceil(from));
    totals.warpInstructions += more.warpInstructions;
    totals.threadInstructions += more.threadInstructions;
    next[i] = Math.min(next[i]!, resumeSm(sm, from));
  }
}

function* refill(replay: Replay, i: number, sm: Sm): Steps<void> {
  for (let at = sm.left.pop(); at !== undefined; at = sm.left.pop()) {
    if (sm.counters.ended > replay.end) replay.end = sm.counters.ended;
    if (replay.block < replay.simulation.source.blocks)
      yield* place(replay, i, turn(replay, at + replay.model.dispatch.latencyCycles));
  }
}
