// A resident warp: where it stands in its trace, when its registers are ready, and what it waits for.

import type { Program } from "./lowering.js";
import type { Mbarriers } from "./mbarriers.js";
import type { Passage } from "./schedule/plan.js";
import type { Step } from "./schedule/step.js";
import { stall } from "./stalls.js";
import type { WarpTrace } from "./trace.js";

/** A block on an SM. */
export interface ResidentBlock {
  /** In the grid. */
  readonly index: number;
  readonly warps: number;
  /** Warps that have not ended. */
  live: number;
  /** Of those, how many stand at a barrier. */
  blocked: number;
  /** By barrier number: who stands there, and how many have come. */
  readonly barriers: Map<number, { readonly waiting: Warp[]; arrived: number }>;
  readonly mbarriers: Mbarriers;
  /** When its last warp and its stores are done. */
  end: number;
}

export interface Warp {
  readonly block: ResidentBlock;
  trace: WarpTrace;
  /** Within its block. */
  readonly index: number;
  /** Next run, passages left in the current one, and the passage with the step in it that comes after `step`. */
  run: number;
  left: number;
  passage: Passage;
  next: number;
  /** The passage's first access. */
  access: number;
  /** What is to issue now, and whether it does anything. Undefined at the end. */
  step: Step | undefined;
  off: boolean;
  /** Its pipe. */
  pipe: number;
  /** From when on it could issue; Infinity at a barrier. */
  wake: number;
  /** What it waits for until then: an index of stalls.ts. */
  reason: number;
  /** Cycles before this one are accounted for. */
  since: number;
  readonly start: number;
  /** Per slot: when its value is ready, and what kind of wait that is, plus the pipe that it comes from in units of PIPE. */
  readonly ready: Float64Array;
  readonly why: Uint8Array;
  /** When it can issue another op that repeats slowly (lowering.ts, `repeat`). */
  repeats: number;
  /** When its stores, its reductions, and when its asynchronous copies, are done; the same for each group of copies. */
  stored: number;
  reduced: number;
  copied: number;
  readonly groups: number[];
  /** The same for products of its warpgroup. */
  multiplied: number;
  readonly matrixGroups: number[];
}

/** Stall reasons are below it. */
export const PIPE = 16;

export interface Stepper {
  readonly create: (block: ResidentBlock, index: number, trace: WarpTrace, start: number) => Warp;
  /**
   * Moves to the next step that issues, which can be at `earliest` at the soonest (until then: `reason`), and works out when
   * its operands are ready. False at the end of the trace, to be asked again when more of it is there.
   */
  readonly advance: (warp: Warp, earliest: number, reason: number) => boolean;
}

const nothing: Passage = {
  steps: [],
  off: undefined,
  accessOf: new Int16Array(0),
  accesses: 0,
  address: 0,
  codeEnd: 0,
  diverges: false,
  converges: false,
};

/** `crossing`: cycles more when a value from one pipe goes to another, [producer * pipes + consumer]. */
export function createStepper(
  program: Program,
  passages: readonly Passage[],
  crossing: Float64Array,
  pipes: number,
): Stepper {
  const slots = program.slots + program.renamedSlots;
  const { guardCycles } = program.model;
  const { convergeCycles } = program.model.divergence;
  return {
    create: (block, index, trace, start) => ({
      block,
      trace,
      index,
      run: 0,
      left: 0,
      passage: nothing,
      next: 0,
      access: 0,
      step: undefined,
      off: false,
      pipe: 0,
      wake: start,
      reason: stall.wait,
      since: start,
      start,
      ready: new Float64Array(slots),
      why: new Uint8Array(slots),
      repeats: 0,
      stored: 0,
      reduced: 0,
      copied: 0,
      groups: [],
      multiplied: 0,
      matrixGroups: [],
    }),
    advance: (warp, from, reason) => {
      const { ready, why } = warp;
      let earliest = from;
      for (;;) {
        while (warp.next >= warp.passage.steps.length) {
          warp.access += warp.passage.accesses;
          warp.next = 0;
          if (warp.left === 0) {
            const { runs, next } = warp.trace;
            if (warp.run >= runs.length) {
              warp.passage = nothing;
              if (next === undefined) {
                warp.step = undefined;
                return false;
              }
              warp.trace = next;
              warp.run = warp.access = 0;
              continue;
            }
            warp.passage = passages[runs[warp.run]!]!;
            warp.left = runs[warp.run + 1]!;
            warp.run += 2;
          }
          warp.left--;
          if (warp.passage.converges) earliest += convergeCycles;
        }
        const { steps, off } = warp.passage;
        const step = steps[warp.next]!;
        const isOff = off !== undefined && off[warp.next] === 1;
        warp.next++;
        const { sources, results, guards } = step;
        const { op } = step;
        const isFree = op === undefined;
        let wake = isFree ? 0 : earliest;
        let cause = reason;
        const consumer = op === undefined ? 0 : op.pipe;
        for (let i = 0; i < sources.length; i++) {
          const slot = sources[i]!;
          let when = ready[slot]!;
          if (when <= wake - 4) continue;
          const because = why[slot]!;
          if (!isFree) when += crossing[(because >>> 4) * pipes + consumer]!;
          if (when > wake) {
            wake = when;
            cause = because;
          }
        }
        for (let i = 0; i < guards.length; i++) {
          const slot = guards[i]!;
          const when = ready[slot]! + guardCycles;
          if (ready[slot]! > 0 && when > wake) {
            wake = when;
            cause = why[slot]!;
          }
        }
        if (op !== undefined && op.repeat > 0 && warp.repeats > wake) wake = warp.repeats;
        if (isFree) {
          if (isOff) continue;
          for (let i = 0; i < results.length; i++) {
            ready[results[i]!] = wake;
            why[results[i]!] = cause;
          }
          continue;
        }
        for (let i = 0; i < results.length; i++) {
          const slot = results[i]!;
          if (ready[slot]! > wake) {
            wake = ready[slot]!;
            cause = why[slot]!;
          }
        }
        warp.step = step;
        warp.off = isOff;
        warp.pipe = consumer;
        warp.wake = wake;
        warp.reason = cause & (PIPE - 1);
        return true;
      }
    },
  };
}
