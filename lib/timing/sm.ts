// One SM: four sub-cores, each with a scheduler that issues one instruction a cycle from its warps, in order within a warp,
// greedily from the last warp and then from the oldest; pipes that are taken for an interval; a queue to the memory path,
// which all sub-cores share. Nothing is done in cycles in which nothing can issue: every wait but a barrier's has an end that
// is known when it begins.

import { createBarriers } from "./barriers.js";
import type { SmWatch } from "./events.js";
import { createInstructionCache } from "./instruction-cache.js";
import type { L1 } from "./l1.js";
import { pipeIndex, type LoweredInstruction, type Program } from "./lowering.js";
import { pipeNames, type GpuModel } from "./model.js";
import type { Passage } from "./schedule/plan.js";
import { createStallAccount } from "./stall-account.js";
import { crossings, matrixCycles } from "./pipe-costs.js";
import { add as addTime, mbarrierAt, readyAt, takeReady } from "./mbarriers.js";
import { stall } from "./stalls.js";
import type { TimelineCounter } from "./timeline.js";
import { linesOf, spaceOf, type BlockTrace } from "./trace.js";
import { createSubcores, type SmCounters, type Starved, type Subcore } from "./sm-state.js";
import { afterSync, createFences } from "./waits.js";
import { createStepper, PIPE, type ResidentBlock, type Warp } from "./warp.js";

export interface Sm {
  /** Takes the grid's block `index`, whose warps begin at cycle `at`. */
  readonly place: (block: BlockTrace, index: number, at: number) => void;
  /** Issues what can issue from cycle `at` on, until `until` or until a block ends; the next cycle to call it at, Infinity when it is empty. */
  readonly run: (at: number, until: number) => number;
  /** Cycles at which the blocks that ended in the last run have left; the caller empties it. */
  readonly left: number[];
  /** Warps that were replayed as far as their blocks have run, and the cycles from which on they could go on. */
  readonly starved: Starved[];
  /** Goes on, from cycle `at` at the soonest, with those of which more is there; the next cycle to run it at. */
  readonly resume: (at: number) => number;
  readonly counters: SmCounters;
}

const lsu = pipeIndex("lsu");
const fp64 = pipeIndex("fp64");
const tensor = pipeIndex("tensor");
const pipes = pipeNames.length;

/** Who looks on: the launch's timeline, and a trace of this SM where one is taken. */
export interface SmObservers {
  readonly timeline: TimelineCounter;
  readonly watch: SmWatch | undefined;
}

export function createSm(
  model: GpuModel,
  program: Program,
  passages: readonly Passage[],
  l1: L1,
  { timeline, watch }: SmObservers,
): Sm {
  const account = createStallAccount(watch?.span);
  const counters: SmCounters = {
    issued: 0,
    stalls: account.cycles,
    pipes: new Float64Array(pipes),
    warpCycles: 0,
    ended: 0,
  };
  const stepper = createStepper(program, passages, crossings(model), pipes);
  const instructions = createInstructionCache(model);
  const fences = createFences();
  const left: number[] = [];
  const starved: Starved[] = [];
  const subcores = createSubcores(model);
  const subcoreOf = new Map<Warp, Subcore>();
  /** When each pipe of each sub-core is free. */
  const free = new Float64Array(model.subcores * pipes);
  const slotOf = (subcore: Subcore, pipe: number): number =>
    (pipe === fp64 && model.fp64PerSm ? 0 : subcore.index) * pipes + pipe;
  const barriers = createBarriers(model, (warps, at) => {
    for (const warp of warps) goOn(warp, at, stall.barrier);
  });

  function issueFrom(subcore: Subcore, at: number): void {
    const { warps, greedy } = subcore;
    let soonest = Infinity;
    let chosen: Warp | undefined;
    if (greedy !== undefined && greedy.wake <= at && free[slotOf(subcore, greedy.pipe)]! <= at) chosen = greedy;
    else
      for (let i = 0; i < warps.length; i++) {
        const warp = warps[i]!;
        let when = warp.wake;
        if (when < soonest) {
          const pipe = free[slotOf(subcore, warp.pipe)]!;
          if (pipe > when) when = pipe;
          if (when <= at) {
            chosen = warp;
            break;
          }
          if (when < soonest) soonest = when;
        }
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
    const step = warp.step!;
    const op = step.op!;
    const slot = slotOf(subcore, op.pipe);
    account.issued(warp, at, free[slot]!, op.interval);
    counters.issued++;
    step.instruction.cost.issued++;
    timeline.add("instructions", at, 1);
    counters.pipes[op.pipe]! += op.interval;
    // The memory path's queue takes one a cycle, whatever it hands on (enterQueue).
    // Fractions of an interval carry over while instructions wait for the pipe.
    free[slot] = (free[slot]! > at - 1 ? free[slot]! : at) + (op.pipe === lsu ? 1 : op.interval);
    let result = at + op.latency;
    let why = (op.scoreboard ? stall.short_scoreboard : stall.wait) + PIPE * op.from;
    let earliest = at + step.gap;
    let reason = stall.wait;
    const { kind, instruction } = step;
    switch (kind) {
      case "math":
        if (op.pipe === lsu) result = enterQueue(subcore, slot, at, 1, op.interval) + op.latency;
        else if (op.holds) {
          earliest = at + op.latency;
          reason = stall.branch_resolving;
        }
        if (op.repeat > 0) warp.repeats = at + op.repeat;
        break;
      case "load":
      case "store":
      case "atomic":
      case "reduce":
      case "prefetch":
      case "async":
      case "poll":
      case "signal": {
        const ordinal = warp.passage.accessOf[warp.next - 1]!;
        if (warp.off || ordinal < 0) break;
        const at_ = warp.access + ordinal;
        const access = warp.trace.accesses[at_]!;
        const begin = enterQueue(subcore, slot, at, l1.dataCycles(instruction, access), op.interval);
        if (kind === "poll" && !waitAtMbarrier(warp, at_, begin)) return;
        const done = l1.request(instruction, access, warp.trace.lines, warp.trace.lineStarts[at_]!, at, begin);
        watch?.request(warp, instruction, spaceOf(access), begin, done);
        if (instruction.atomic === "combined")
          earliest = at + (kind === "reduce" ? model.atomics.combineReductionCycles : model.atomics.combineCycles);
        if (kind === "load" || kind === "atomic" || kind === "poll") {
          result = kind === "poll" ? Math.max(done, pollReady) : done;
          why = (spaceOf(access) <= 1 ? stall.long_scoreboard : stall.short_scoreboard) + PIPE * lsu;
        } else if (kind === "async") {
          if (done > warp.copied) warp.copied = done;
          if (instruction.signalsBarrier) signal(warp, at_, linesOf(access) - 1, done, "copies");
        } else if (kind === "signal") {
          const after = instruction.form.startsWith("cp.async") ? warp.copied : 0;
          signal(warp, at_, 0, Math.max(after, begin + model.mbarrier.signalCycles), "arrivals");
        } else if (kind === "reduce") {
          if (done > warp.reduced) warp.reduced = done;
        } else if (kind !== "prefetch" && done > warp.stored) warp.stored = done;
        break;
      }
      case "matrix": {
        if (warp.off) break;
        // It goes on by itself; the tensor core takes one after the other.
        const busy = matrixCycles(model, instruction.columns);
        const begin = Math.max(at, matrixFree[subcore.index]!);
        matrixFree[subcore.index] = begin + busy;
        counters.pipes[tensor]! += busy;
        warp.multiplied = Math.max(
          warp.multiplied,
          begin + Math.ceil(instruction.columns / 2) + model.matrix.latencyCycles,
        );
        break;
      }
      case "branch":
      case "exit":
        earliest = at + op.latency + (warp.passage.diverges ? model.divergence.divergeCycles : 0);
        reason = stall.branch_resolving;
        break;
      case "call":
      case "fence":
      case "commit":
      case "wait":
      case "clusterWait":
        if (warp.off) break;
        [earliest, reason] = afterSync(model, warp, step, at, fences);
        break;
      case "arrive":
      case "sync":
        if (warp.off) break;
        for (let i = 0; i < step.results.length; i++) warp.ready[step.results[i]!] = at;
        barriers.arrive(
          warp,
          {
            number: instruction.barrier,
            threads: instruction.barrierThreads,
            waits: kind === "sync",
            reduces: step.results.length > 0,
          },
          at,
        );
        if (kind === "sync") return;
        break;
      case "free":
        break;
    }
    // The machine's schedule is fixed: an instruction that is off still takes its latency.
    if (!warp.off || kind === "math") {
      const { results } = step;
      for (let i = 0; i < results.length; i++) {
        warp.ready[results[i]!] = result;
        warp.why[results[i]!] = why;
      }
    }
    if (!stepper.advance(warp, earliest, reason)) stopAt(subcore, warp, at, earliest, instruction);
    else if (instructions.isExceeded(passages.at(-1)!.codeEnd)) fetchNext(subcore, warp, at);
  }

  /** The next instruction of a warp may miss in the instruction cache of its sub-core. */
  function fetchNext(subcore: Subcore, warp: Warp, at: number): void {
    const { passage, next } = warp;
    const fetched = instructions.fetch(subcore.index, passage.address + next - 1, at + 1);
    if (fetched <= warp.wake) return;
    warp.wake = fetched;
    warp.reason = stall.no_instruction;
  }

  /** The trace of a warp is at its end; so is the warp, if its block does not run in step. */
  function stopAt(
    subcore: Subcore,
    warp: Warp,
    at: number,
    earliest: number,
    last: LoweredInstruction | undefined,
  ): void {
    if (!warp.trace.isOpen) return end(subcore, warp, at, last);
    warp.wake = Infinity;
    starved.push({ warp, at: earliest, isAsked: false });
  }

  /** When what the last wait that went by waited for was there. */
  let pollReady = 0;

  /** Whether what a wait waits for has begun; if not, the warp stands until it has. */
  function waitAtMbarrier(warp: Warp, access: number, at: number): boolean {
    const { lines, lineStarts } = warp.trace;
    const first = lineStarts[access]!;
    const [arrivals, copies] = [lines[first + 1]!, lines[first + 2]!];
    const barrier = mbarrierAt(warp.block.mbarriers, lines[first]!);
    pollReady = readyAt(barrier, arrivals, copies);
    if (pollReady < Infinity) return true;
    barrier.waiting.push({ warp, arrivals, copies, at });
    warp.wake = Infinity;
    return false;
  }

  function signal(warp: Warp, access: number, line: number, at: number, kind: "arrivals" | "copies"): void {
    const { lines, lineStarts } = warp.trace;
    const barrier = mbarrierAt(warp.block.mbarriers, lines[lineStarts[access]! + line]!);
    addTime(barrier[kind], at);
    for (const { warp: waiting, ready } of takeReady(barrier)) {
      const { results } = waiting.step!;
      for (let i = 0; i < results.length; i++) {
        waiting.ready[results[i]!] = ready;
        waiting.why[results[i]!] = stall.long_scoreboard;
      }
      goOn(waiting, Math.ceil(ready), stall.long_scoreboard);
    }
  }

  /** When the tensor core of each sub-core is done with the products of warpgroups that it was given. */
  const matrixFree = new Float64Array(model.subcores);

  /**
   * The cycle at which an instruction gets its turn at the memory path, which it then holds for `cycles`. The sub-core hands one
   * over in `interval` cycles.
   */
  function enterQueue(subcore: Subcore, slot: number, at: number, cycles: number, interval: number): number {
    const handed = Math.max(at, subcore.handed);
    subcore.handed = handed + interval;
    const begin = Math.max(l1.turn(at, cycles), Math.ceil(handed));
    subcore.queue[subcore.queueAt] = begin;
    subcore.queueAt = (subcore.queueAt + 1) % subcore.queue.length;
    // The next instruction needs the place that frees first.
    const place = subcore.queue[subcore.queueAt]!;
    if (place > free[slot]!) free[slot] = place;
    return begin;
  }

  /** A barrier has opened for a warp, which can go on at cycle `at`. */
  function goOn(warp: Warp, at: number, reason: number): void {
    const subcore = subcoreOf.get(warp)!;
    const { instruction } = warp.step!;
    if (!stepper.advance(warp, at, reason)) return stopAt(subcore, warp, at, at, instruction);
    // What it waits for beyond the barrier's opening is accounted to that.
    account.until(warp, Math.min(warp.wake, at), reason, instruction);
    if (warp.wake < subcore.next) subcore.next = warp.wake;
  }

  function end(subcore: Subcore, warp: Warp, at: number, last: LoweredInstruction | undefined): void {
    const { block } = warp;
    // Its copies have to arrive, its reductions to be done. Stores go on without it, but hold its place until they have left the SM.
    const done = Math.max(at + 1, Math.ceil(warp.copied), Math.ceil(warp.reduced - model.l2.latencyCycles / 2));
    const leaves = Math.max(done, Math.ceil(warp.stored - model.l2.latencyCycles / 2));
    if (last !== undefined) account.until(warp, done, stall.drain, last);
    counters.warpCycles += done - warp.start;
    timeline.addSpan("warpCycles", warp.start, done);
    watch?.end(warp, done);
    subcore.warps.splice(subcore.warps.indexOf(warp), 1);
    if (subcore.greedy === warp) subcore.greedy = undefined;
    subcoreOf.delete(warp);
    block.end = Math.max(block.end, leaves);
    // What queues for longer than the L2 takes to answer is not waited for: measured ends of blocks do not have it.
    const ended = Math.max(done, Math.min(Math.ceil(warp.stored), done + model.l2.latencyCycles));
    if (ended > counters.ended) counters.ended = ended;
    block.live--;
    if (block.live === 0) left.push(block.end);
    else barriers.leave(block, at);
  }

  return {
    counters,
    left,
    starved,
    resume: (at) => {
      let next = Infinity;
      for (const one of starved.splice(0)) {
        const { warp } = one;
        if (warp.trace.isOpen && warp.trace.next === undefined) {
          starved.push(one);
          continue;
        }
        const subcore = subcoreOf.get(warp)!;
        const from = Math.max(at, one.at);
        if (!stepper.advance(warp, from, stall.wait)) stopAt(subcore, warp, from, from, undefined);
        else if (warp.wake < subcore.next) subcore.next = warp.wake;
        if (from < next) next = from;
      }
      return next;
    },
    place: ({ warps }, index, at) => {
      const block: ResidentBlock = {
        index,
        warps: warps.length,
        live: warps.length,
        blocked: 0,
        barriers: new Map(),
        mbarriers: new Map(),
        end: at,
      };
      for (const [i, trace] of warps.entries()) {
        const subcore = subcores.reduce((least, s) => (s.warps.length < least.warps.length ? s : least));
        const warp = stepper.create(block, i, trace, at);
        subcore.warps.push(warp);
        subcoreOf.set(warp, subcore);
        watch?.begin(warp, subcore.index);
        if (!stepper.advance(warp, at, stall.wait)) stopAt(subcore, warp, at, at, undefined);
        else if (warp.wake < subcore.next) subcore.next = warp.wake;
      }
    },
    run: (from, until) => {
      for (let at = from; ;) {
        let next = Infinity;
        for (let i = 0; i < subcores.length; i++) {
          const subcore = subcores[i]!;
          if (subcore.next <= at) issueFrom(subcore, at);
        }
        for (let i = 0; i < subcores.length; i++) if (subcores[i]!.next < next) next = subcores[i]!.next;
        if (next >= until || left.length > 0 || starved.length > 0) return next;
        at = next;
      }
    },
  };
}
