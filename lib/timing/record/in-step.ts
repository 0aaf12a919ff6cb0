// Runs blocks whose kernels read clocks in step with the model. A warp stops at a read until the model has replayed everything
// before it, and reads the cycle at which it could issue the read. Other blocks run to their ends independently of the model.

import type { Steps } from "../../base/steps.js";
import type { ModelClock } from "../../exec/state/observer.js";
import type { GpuModel } from "../gpus/model.js";
import { takeTrace, type Recorder } from "./recorder.js";
import type { BlockTrace, InstructionCounts, WarpTrace } from "../trace/trace.js";

export interface StepClock extends ModelClock {
  /** Gives the time to a waiting warp. */
  readonly give: (warp: number, cycles: number) => void;
  /** Whether a warp still waits for the time. */
  readonly isAwaited: () => boolean;
}

/** Resolution of an H200's %globaltimer (records: kernels.json, measured with it). */
const TIMER_NANOSECONDS = 32;

export function createStepClock({ clockMHz }: GpuModel): StepClock {
  const given = new Map<number, number>();
  const waiting = new Set<number>();
  return {
    isKnown: (warp) => given.has(warp),
    take: (warp) => {
      const time = given.get(warp);
      if (time === undefined) waiting.add(warp);
      given.delete(warp);
      return time;
    },
    nanosecondsOf: (cycles) => Math.floor((cycles * 1000) / clockMHz / TIMER_NANOSECONDS) * TIMER_NANOSECONDS,
    give: (warp, cycles) => {
      if (waiting.delete(warp)) given.set(warp, cycles);
    },
    isAwaited: () => waiting.size > 0,
  };
}

/** One block that runs in step. */
export interface SteppedBlock {
  /** Runs it until its warps wait for the time or for each other; returns the trace so far. */
  readonly begin: () => Steps<BlockTrace>;
  /** The same, after warp `warp` could continue at cycle `at`. */
  readonly resume: (warp: number, at: number) => Steps<InstructionCounts>;
}

/**
 * `run` runs the block to its end, and yields where it waits: at a clock, its own or that of a block that runs with it
 * (`clocks`).
 */
export function createSteppedBlock(
  recorder: Recorder,
  clock: StepClock,
  clocks: readonly StepClock[],
  run: Steps<boolean>,
): SteppedBlock {
  let isDone = false;
  const last: WarpTrace[] = [];

  function* advance(): Steps<BlockTrace> {
    while (!isDone) {
      isDone = run.next().done === true;
      if (clocks.some((each) => each.isAwaited())) break;
      if (!isDone) yield;
    }
    return takeTrace(recorder);
  }

  return {
    *begin() {
      const trace = yield* advance();
      for (const warp of trace.warps) {
        warp.isOpen = !isDone;
        last.push(warp);
      }
      return trace;
    },
    *resume(warp, at) {
      clock.give(warp, at);
      const trace = yield* advance();
      trace.warps.forEach((more, i) => {
        const before = last[i]!;
        before.isOpen = false;
        if (more.endRun > more.firstRun) last[i] = before.next = more;
        last[i]!.isOpen = !isDone;
      });
      return trace;
    },
  };
}
