// Issues one instruction of a warp: the use of its pipe and the memory path, and the cycle of its results.

import { arriveAt } from "./barriers.js";
import { PIPES } from "./create-sm.js";
import { resume, openBarrier } from "./resume.js";
import { dataCyclesOf, repeatCyclesOf, requestOf, takeTurn } from "./l1.js";
import { isCombined } from "../lowering/atomic-cost.js";
import { pipeIndex } from "../lowering/lowering.js";
import { add as addTime, mbarrierAt, readyAt, takeReady } from "./mbarriers.js";
import { matrixCycles } from "../lowering/pipe-costs.js";
import { PIPE, type IssuedInstruction, type Step } from "../schedule/step.js";
import type { Machine, Sm, Subcore, Warp } from "./sm-state.js";
import { countIssue } from "./stall-account.js";
import { stall } from "../trace/stalls.js";
import { addTo } from "../trace/timeline.js";
import { ACCESS_CELLS, accessSpaces, linesOf, spaceOf } from "../trace/trace.js";
import { afterSync } from "./waits.js";
import { setResults } from "./warp.js";

const lsu = pipeIndex("lsu");
const shared = accessSpaces.indexOf("shared");
const tensor = pipeIndex("tensor");

/** Sets the machine's `outcome`. Returns false if the warp is blocked until another event resumes it. */
export function issue(sm: Sm, subcore: Subcore, warp: Warp, at: number): boolean {
  const { counters, machine } = sm;
  const { free, outcome } = machine;
  const step = warp.step!;
  const op = step.op!;
  const slot = machine.pipeOf[subcore.pipes + op.pipe]!;
  countIssue(sm, warp, at, free[slot]!, op.interval);
  counters.issued++;
  step.instruction.cost.issued++;
  addTo(machine.timeline, machine.timeline.instructions, at, 1);
  // An instruction that is off takes its cycle of issue, but no lanes of a pipe (record: branch_uniform).
  const interval = warp.off ? 1 : op.interval;
  machine.pipeCycles[sm.index * PIPES + op.pipe]! += interval;
  // The memory path's queue accepts one a cycle, whatever its own rate (enterQueue). Fractions of an interval carry over while
  // instructions wait for the pipe.
  free[slot] = (free[slot]! > at - 1 ? free[slot]! : at) + (op.pipe === lsu ? 1 : interval);
  outcome.result = at + op.latency;
  outcome.why = step.why;
  outcome.earliest = at + step.gap;
  outcome.reason = stall.wait;
  if (step.kind === "math") {
    if (op.pipe === lsu) outcome.result = enterQueue(sm, subcore, slot, at, 1, op.interval) + op.latency;
    else if (op.holds) {
      outcome.earliest = at + op.latency;
      outcome.reason = stall.branch_resolving;
    }
    if (op.repeat > 0) machine.repeats[warp.place] = at + op.repeat;
  } else if (!act(sm, subcore, warp, step, slot, at)) return false;
  // The machine's schedule is fixed: an inactive instruction still takes its latency.
  if (!warp.off || step.kind === "math") setResults(machine, warp, step, outcome.result, outcome.why);
  return true;
}

/** Issues an instruction other than arithmetic. Returns false if the warp is blocked. */
function act(sm: Sm, subcore: Subcore, warp: Warp, step: Step, slot: number, at: number): boolean {
  const { model, outcome } = sm.machine;
  switch (step.kind) {
    case "branch":
    case "exit":
      outcome.earliest = at + step.op!.latency + (warp.passage.diverges ? model.divergence.divergeCycles : 0);
      outcome.reason = stall.branch_resolving;
      return true;
    case "matrix":
      if (!warp.off) multiply(sm, subcore, warp, step, at);
      return true;
    case "call":
    case "fence":
    case "commit":
    case "wait":
    case "clusterWait":
      if (!warp.off) [outcome.earliest, outcome.reason] = afterSync(sm, warp, step, at);
      return true;
    case "arrive":
    case "sync":
      return warp.off || arrive(sm, warp, step, at);
    case "math":
    case "free":
      return true;
    default:
      return access(sm, subcore, warp, step, slot, at);
  }
}

/** A warpgroup's product is asynchronous; the tensor core executes one after another. */
function multiply(sm: Sm, subcore: Subcore, warp: Warp, step: Step, at: number): void {
  const { model, pipeCycles, multiplied } = sm.machine;
  const { columns } = step.instruction;
  const busy = matrixCycles(model, columns);
  const begin = Math.max(at, subcore.matrixFree);
  subcore.matrixFree = begin + busy;
  pipeCycles[sm.index * PIPES + tensor]! += busy;
  const done = begin + Math.ceil(columns / 2) + model.matrix.latencyCycles;
  if (done > multiplied[warp.place]!) multiplied[warp.place] = done;
}

function arrive(sm: Sm, warp: Warp, step: Step, at: number): boolean {
  const { instruction, operands, guardsEnd, kind } = step;
  const reduces = operands.length > guardsEnd;
  const { ready, slots } = sm.machine;
  for (let i = guardsEnd; i < operands.length; i++) ready[warp.place * slots + operands[i]!] = at;
  const waits = kind === "sync";
  const arrival = { number: instruction.barrier, threads: instruction.barrierThreads, waits, reduces };
  arriveAt(sm, warp, arrival, at, openBarrier);
  return !waits;
}

/** An access to memory, or a wait at or signal to an mbarrier. */
function access(sm: Sm, subcore: Subcore, warp: Warp, step: Step, slot: number, at: number): boolean {
  const { l1, watch, machine } = sm;
  const { model, outcome, stored, reduced, copied } = machine;
  const { kind, instruction, op } = step;
  const ordinal = warp.passage.accessOf[warp.next - 1]!;
  if (warp.off || ordinal < 0) return true;
  const index = warp.access + ACCESS_CELLS * ordinal;
  const { cells } = warp.trace;
  const word = cells[index]! | 0;
  const first = cells[index + 1]! | 0;
  const cycles = dataCyclesOf(model, instruction, word);
  const interval = Math.max(op!.interval, repeatCyclesOf(instruction, word, cycles));
  const begin = Math.max(enterQueue(sm, subcore, slot, at, cycles, interval), repeatOf(machine, warp, op!.repeat, at));
  if (kind === "poll" && !passesMbarrier(sm, warp, first, begin)) return false;
  const done = requestOf(l1, instruction, word, cells, first, at, begin);
  watch?.request(warp, instruction, spaceOf(word), begin, done);
  // A sum goes into a register that the memory path must have read for the previous access.
  const handed = machine.handed[warp.place]!;
  machine.handed[warp.place] = Math.max(begin, l1.free - cycles);
  // A loop of compare-and-swap: the warp iterates once for each colliding lane.
  if (instruction.atomic === "float" && spaceOf(word) === shared)
    outcome.earliest = at + Math.ceil((cycles / model.atomics.sharedFloatCycles) * model.atomics.sharedTurnCycles);
  switch (kind) {
    case "load":
    case "atomic":
    case "poll":
      outcome.result = kind === "poll" ? Math.max(done, sm.pollReady) : done;
      outcome.why = (spaceOf(word) <= 1 ? stall.long_scoreboard : stall.short_scoreboard) + PIPE * lsu;
      if (isCombined(instruction.atomic)) shareOldValue(machine, instruction, done);
      break;
    case "async":
      if (done > copied[warp.place]!) copied[warp.place] = done;
      if (instruction.isBulk) outcome.earliest = at + Math.ceil(model.mbarrier.bulkCopyCycles);
      if (instruction.signalsBarrier) signal(sm, warp, cells[first + linesOf(word) - 1]!, done, "copies");
      break;
    case "signal": {
      const after = instruction.form.startsWith("cp.async") ? copied[warp.place]! : 0;
      signal(sm, warp, cells[first]!, Math.max(after, begin + model.mbarrier.signalCycles), "arrivals");
      break;
    }
    case "reduce":
      if (done > reduced[warp.place]!) reduced[warp.place] = done;
      if (isCombined(instruction.atomic) && !instruction.isSummed)
        outcome.earliest =
          Math.ceil(Math.max(at, handed)) +
          (instruction.countsLanes ? model.atomics.countCycles : model.atomics.sumCycles);
      break;
    case "store":
      if (done > stored[warp.place]!) stored[warp.place] = done;
      break;
    default:
      // Nothing waits for a prefetch.
      break;
  }
  return true;
}

/**
 * A warp whose lanes were summed for an atomic waits for the old value, and then computes each lane's own: the sum of the
 * preceding lanes, or their number.
 */
function shareOldValue({ model, outcome }: Machine, { countsLanes, isSummed }: IssuedInstruction, done: number): void {
  const { countCycles, shareCycles, scanCycles } = model.atomics;
  outcome.result = done + (countsLanes ? shareCycles + (isSummed ? 0 : countCycles) : scanCycles);
  outcome.earliest = Math.ceil(outcome.result);
  outcome.reason = stall.long_scoreboard;
}

/**
 * The cycle at which an instruction gets the memory path, which it then occupies for `cycles`. The sub-core can issue one to it
 * every `interval` cycles.
 */
function enterQueue(sm: Sm, subcore: Subcore, slot: number, at: number, cycles: number, interval: number): number {
  const { queue, queueEntries, free } = sm.machine;
  const handed = Math.max(at, subcore.handed);
  subcore.handed = handed + interval;
  const begin = Math.max(takeTurn(sm.l1, at, cycles), Math.ceil(handed));
  queue[subcore.queue + subcore.queueAt] = begin;
  subcore.queueAt = subcore.queueAt + 1 === queueEntries ? 0 : subcore.queueAt + 1;
  // The next instruction needs the entry that frees first.
  const place = queue[subcore.queue + subcore.queueAt]!;
  if (place > free[slot]!) free[slot] = place;
  return begin;
}

/** The cycle at which the path accepts an instruction, of which it accepts one from each warp every `repeat` cycles. */
function repeatOf({ repeats }: Machine, { place }: Warp, repeat: number, at: number): number {
  if (repeat === 0) return at;
  const turn = Math.max(at, repeats[place]!);
  repeats[place] = turn + repeat;
  return Math.ceil(turn);
}

/** Whether the phase of a wait, whose lines start at cell `first`, has begun to complete; if not, the warp is blocked until then. */
function passesMbarrier(sm: Sm, warp: Warp, first: number, at: number): boolean {
  const { cells } = warp.trace;
  const [arrivals, copies] = [cells[first + 1]!, cells[first + 2]!];
  const barrier = mbarrierAt(warp.block.mbarriers, cells[first]!);
  sm.pollReady = readyAt(barrier, arrivals, copies);
  if (sm.pollReady < Infinity) return true;
  barrier.waiting.push({ warp, arrivals, copies, at });
  sm.machine.wake[warp.place] = Infinity;
  return false;
}

/** An arrival at the mbarrier at `offset`, at cycle `at`: resumes the warps whose phase it completes. */
function signal(sm: Sm, warp: Warp, offset: number, at: number, kind: "arrivals" | "copies"): void {
  const barrier = mbarrierAt(warp.block.mbarriers, offset);
  addTime(barrier[kind], at);
  for (const { warp: waiting, ready } of takeReady(barrier)) {
    setResults(sm.machine, waiting, waiting.step!, ready, stall.long_scoreboard);
    resume(sm, waiting, Math.ceil(ready), stall.long_scoreboard);
  }
}
