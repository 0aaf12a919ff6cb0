// One SM: four sub-cores, each with a scheduler that issues one instruction a cycle from its warps, in order within a warp,
// greedily from the last warp and then from the oldest; pipes that are taken for an interval; a queue to the memory path,
// which all sub-cores share. Nothing is done in cycles in which nothing can issue: every wait but a barrier's has an end that
// is known when it begins.

import type { L1 } from "./l1.js";
import { pipeIndex, type LoweredInstruction, type Program } from "./lowering.js";
import { pipeNames, type GpuModel } from "./model.js";
import { stall, stallNames } from "./stalls.js";
import { linesOf, spaceOf, type BlockTrace } from "./trace.js";
import { advance, createWarp, type ResidentBlock, type Warp } from "./warp.js";

export interface Sm {
  /** Takes a block, whose warps begin at cycle `at`. */
  readonly place: (block: BlockTrace, at: number) => void;
  /** Issues what can issue at cycle `at`; the next cycle to call it at, Infinity when it is empty. */
  readonly step: (at: number) => number;
  /** Cycles at which the blocks that ended in the last step have left; the caller empties it. */
  readonly left: number[];
  readonly counters: SmCounters;
}

export interface SmCounters {
  /** Machine instructions. */
  issued: number;
  /** Warp-cycles by reason: stalls.ts. */
  readonly stalls: Float64Array;
  /** Cycles that pipes were taken, summed over sub-cores. */
  readonly pipes: Float64Array;
  /** Cycles of residence, summed over warps. */
  warpCycles: number;
}

interface Subcore {
  readonly index: number;
  /** In the order of their arrival. */
  readonly warps: Warp[];
  greedy: Warp | undefined;
  /** Nothing can issue before. */
  next: number;
  /** When the last few instructions left the queue to the memory path. */
  readonly queue: Float64Array;
  queueAt: number;
}

const lsu = pipeIndex("lsu");
const fp64 = pipeIndex("fp64");
const pipes = pipeNames.length;

export function createSm(model: GpuModel, program: Program, l1: L1): Sm {
  const counters: SmCounters = {
    issued: 0,
    stalls: new Float64Array(stallNames.length),
    pipes: new Float64Array(pipes),
    warpCycles: 0,
  };
  const { stalls } = counters;
  const left: number[] = [];
  const subcores = Array.from({ length: model.subcores }, (_, index): Subcore => ({
    index,
    warps: [],
    greedy: undefined,
    next: Infinity,
    queue: new Float64Array(model.lsu.queueEntries),
    queueAt: 0,
  }));
  const subcoreOf = new Map<Warp, Subcore>();
  /** When each pipe of each sub-core is free. */
  const free = new Float64Array(model.subcores * pipes);
  const slotOf = (subcore: Subcore, pipe: number): number =>
    (pipe === fp64 && model.fp64PerSm ? 0 : subcore.index) * pipes + pipe;

  function issueFrom(subcore: Subcore, at: number): void {
    const { warps, greedy } = subcore;
    let soonest = Infinity;
    let chosen: Warp | undefined;
    if (greedy !== undefined && greedy.wake <= at && free[slotOf(subcore, greedy.pipe)]! <= at) chosen = greedy;
    for (let i = 0; chosen === undefined && i < warps.length; i++) {
      const warp = warps[i]!;
      const pipe = free[slotOf(subcore, warp.pipe)]!;
      const when = warp.wake > pipe ? warp.wake : pipe;
      if (when <= at) chosen = warp;
      else if (when < soonest) soonest = when;
    }
    if (chosen === undefined) {
      subcore.next = soonest;
      return;
    }
    subcore.greedy = chosen;
    subcore.next = at + 1;
    issue(subcore, chosen, at);
  }

  function issue(subcore: Subcore, warp: Warp, at: number): void {
    const instruction = warp.instruction!;
    const op = instruction.ops[warp.op]!;
    const slot = slotOf(subcore, op.pipe);
    account(warp, at, free[slot]!, op.interval, instruction);
    counters.issued++;
    counters.pipes[op.pipe]! += op.interval;
    free[slot] = at + op.interval;
    if (warp.op + 1 < instruction.ops.length) {
      const following = instruction.ops[++warp.op]!;
      warp.pipe = following.pipe;
      warp.wake = following.chained ? at + op.latency : at + 1;
      warp.reason = op.scoreboard ? stall.short_scoreboard : stall.wait;
      return;
    }
    let result = at + op.latency;
    let why = op.scoreboard ? stall.short_scoreboard : stall.wait;
    let earliest = at + 1;
    let reason = stall.wait;
    switch (instruction.kind) {
      case "math":
        if (op.pipe === lsu) result = enterQueue(subcore, slot, at, 1) + op.latency;
        break;
      case "load":
      case "store":
      case "atomic":
      case "reduce":
      case "prefetch":
      case "async": {
        if (warp.off) break;
        const access = warp.trace.accesses[warp.access++]!;
        const lines = warp.line;
        warp.line += linesOf(access);
        const begin = enterQueue(subcore, slot, at, l1.dataCycles(instruction.kind, access));
        const done = l1.request(instruction, access, warp.trace.lines, lines, at, begin);
        if (instruction.kind === "load" || instruction.kind === "atomic") {
          result = done;
          why = spaceOf(access) <= 1 ? stall.long_scoreboard : stall.short_scoreboard;
        } else if (instruction.kind !== "prefetch" && done > warp.pending) warp.pending = done;
        break;
      }
      case "branch":
      case "exit":
        earliest = at + op.latency;
        reason = stall.branch_resolving;
        break;
      case "fence":
        earliest = at + model.fence.latencyCycles;
        reason = stall.membar;
        break;
      case "arrive":
        if (!warp.off) arrive(warp, instruction, at, false);
        break;
      case "sync":
        if (warp.off) break;
        arrive(warp, instruction, at, true);
        return;
      case "free":
        break;
    }
    if (!warp.off) {
      const { results } = instruction;
      for (let i = 0; i < results.length; i++) {
        warp.ready[results[i]!] = result;
        warp.why[results[i]!] = why;
      }
    }
    if (!advance(warp, program, earliest, reason)) end(subcore, warp, at);
  }

  /** The cycle at which an instruction gets its turn at the memory path, which it then holds for `cycles`. */
  function enterQueue(subcore: Subcore, slot: number, at: number, cycles: number): number {
    const begin = l1.turn(at, cycles);
    subcore.queue[subcore.queueAt] = begin;
    subcore.queueAt = (subcore.queueAt + 1) % subcore.queue.length;
    // The next instruction needs the place that frees first.
    const place = subcore.queue[subcore.queueAt]!;
    if (place > free[slot]!) free[slot] = place;
    return begin;
  }

  /** Counts a warp's cycles since it last issued. */
  function account(warp: Warp, at: number, pipeFree: number, interval: number, instruction: LoweredInstruction): void {
    let from = warp.since;
    if (warp.wake > from) {
      stalls[warp.reason]! += warp.wake - from;
      from = warp.wake;
    }
    // A pipe that takes an instruction every cycle throttles nobody.
    const throttled = interval > 1 || warp.pipe === lsu ? Math.min(at, pipeFree) - from : 0;
    if (throttled > 0) {
      stalls[throttleOf(warp, instruction)]! += throttled;
      from += throttled;
    }
    stalls[stall.not_selected]! += at - from;
    stalls[stall.selected]!++;
    warp.since = at + 1;
  }

  function throttleOf(warp: Warp, instruction: LoweredInstruction): number {
    if (warp.pipe !== lsu) return stall.math_pipe_throttle;
    const access = warp.trace.accesses[warp.access];
    if (instruction.kind === "math" || access === undefined) return stall.mio_throttle;
    return spaceOf(access) <= 1 ? stall.lg_throttle : stall.mio_throttle;
  }

  /** A warp comes to a barrier; when all are there that it waits for, it opens. */
  function arrive(warp: Warp, instruction: LoweredInstruction, at: number, waits: boolean): void {
    const { block } = warp;
    let barrier = block.barriers.get(instruction.barrier);
    if (barrier === undefined) {
      barrier = { waiting: [], arrived: 0 };
      block.barriers.set(instruction.barrier, barrier);
    }
    barrier.arrived++;
    if (waits) {
      barrier.waiting.push(warp);
      block.blocked++;
      warp.wake = Infinity;
    }
    const expected = instruction.barrierThreads > 0 ? Math.ceil(instruction.barrierThreads / 32) : block.live;
    if (barrier.arrived >= expected) open(block, instruction.barrier, at);
    else openAllWhenStuck(block, at);
  }

  /**
   * A trace always ends: where the lanes of one warp come to a barrier one group after the other, or its number or count is
   * in a register, all warps may stand at barriers that do not open by their counts. Then all of them do.
   */
  function openAllWhenStuck(block: ResidentBlock, at: number): void {
    if (block.live > 0 && block.blocked >= block.live)
      for (const number of block.barriers.keys()) open(block, number, at);
  }

  function open(block: ResidentBlock, number: number, at: number): void {
    const barrier = block.barriers.get(number)!;
    const woken = barrier.waiting.splice(0);
    barrier.arrived = 0;
    block.blocked -= woken.length;
    for (const warp of woken) {
      const subcore = subcoreOf.get(warp)!;
      if (!advance(warp, program, at + model.barrier.latencyCycles, stall.barrier)) {
        end(subcore, warp, at);
        continue;
      }
      // What it waits for beyond the barrier's opening is accounted to that.
      const opened = Math.min(warp.wake, at + model.barrier.latencyCycles);
      if (opened > warp.since) {
        stalls[stall.barrier]! += opened - warp.since;
        warp.since = opened;
      }
      if (warp.wake < subcore.next) subcore.next = warp.wake;
    }
  }

  function end(subcore: Subcore, warp: Warp, at: number): void {
    const { block } = warp;
    // Its stores have to leave, not to be answered.
    const done = Math.max(at + 1, Math.ceil(warp.pending - model.l2.latencyCycles / 2));
    if (done > warp.since) stalls[stall.drain]! += done - warp.since;
    counters.warpCycles += done - warp.start;
    subcore.warps.splice(subcore.warps.indexOf(warp), 1);
    if (subcore.greedy === warp) subcore.greedy = undefined;
    subcoreOf.delete(warp);
    block.end = Math.max(block.end, done);
    block.live--;
    if (block.live === 0) left.push(block.end);
    else {
      for (const [number, barrier] of block.barriers)
        if (barrier.waiting.length > 0 && barrier.arrived >= block.live) open(block, number, at);
      openAllWhenStuck(block, at);
    }
  }

  return {
    counters,
    left,
    place: ({ warps }, at) => {
      const block: ResidentBlock = { live: warps.length, blocked: 0, barriers: new Map(), end: at };
      for (const trace of warps) {
        const subcore = subcores.reduce((least, s) => (s.warps.length < least.warps.length ? s : least));
        const warp = createWarp(block, trace, program, at);
        subcore.warps.push(warp);
        subcoreOf.set(warp, subcore);
        if (!advance(warp, program, at, stall.wait)) end(subcore, warp, at);
        else if (warp.wake < subcore.next) subcore.next = warp.wake;
      }
    },
    step: (at) => {
      for (const subcore of subcores) if (subcore.next <= at) issueFrom(subcore, at);
      let next = Infinity;
      for (const subcore of subcores) if (subcore.next < next) next = subcore.next;
      return next;
    },
  };
}
