// A resident warp: where it stands in its trace, when its registers are ready, and what it waits for.

import type { LoweredInstruction, Program } from "./lowering.js";
import { stall } from "./stalls.js";
import type { WarpTrace } from "./trace.js";

/** A block on an SM. */
export interface ResidentBlock {
  /** Warps that have not ended. */
  live: number;
  /** Of those, how many stand at a barrier. */
  blocked: number;
  /** By barrier number: who stands there, and how many have come. */
  readonly barriers: Map<number, { readonly waiting: Warp[]; arrived: number }>;
  /** When its last warp and its stores are done. */
  end: number;
}

export interface Warp {
  readonly block: ResidentBlock;
  readonly trace: WarpTrace;
  /** Next run; instructions left in the current one; the static instruction that comes next, and whether it is off. */
  run: number;
  left: number;
  next: number;
  off: boolean;
  access: number;
  line: number;
  /** What is to issue now, and which of its ops. Undefined at the end. */
  instruction: LoweredInstruction | undefined;
  op: number;
  /** Pipe of that op. */
  pipe: number;
  /** From when on it could issue; Infinity at a barrier. */
  wake: number;
  /** What it waits for until then: an index of stalls.ts. */
  reason: number;
  /** Cycles before this one are accounted for. */
  since: number;
  readonly start: number;
  /** Per slot: when its value is ready, and what kind of wait that is. */
  readonly ready: Float64Array;
  readonly why: Uint8Array;
  /** When its stores and asynchronous copies are done. */
  pending: number;
}

export function createWarp(block: ResidentBlock, trace: WarpTrace, program: Program, start: number): Warp {
  return {
    block,
    trace,
    run: 0,
    left: 0,
    next: 0,
    off: false,
    access: 0,
    line: 0,
    instruction: undefined,
    op: 0,
    pipe: 0,
    wake: start,
    reason: stall.wait,
    since: start,
    start,
    ready: new Float64Array(program.slots),
    why: new Uint8Array(program.slots),
    pending: 0,
  };
}

/**
 * Moves to the next instruction that issues, which can be at `earliest` at the soonest (until then: `reason`), and works out
 * when its operands are ready. False at the end of the trace.
 */
export function advance(warp: Warp, program: Program, earliest: number, reason: number): boolean {
  const { trace, ready, why } = warp;
  for (;;) {
    if (warp.left === 0) {
      if (warp.run >= trace.runs.length) {
        warp.instruction = undefined;
        return false;
      }
      const word = trace.runs[warp.run]!;
      warp.left = trace.runs[warp.run + 1]!;
      warp.run += 2;
      warp.next = word >>> 1;
      warp.off = (word & 1) !== 0;
    }
    const instruction = program.instructions[warp.next]!;
    warp.left--;
    warp.next++;
    let wake = instruction.kind === "free" ? 0 : earliest;
    let cause = reason;
    const { sources, results } = instruction;
    for (let i = 0; i < sources.length; i++) {
      const slot = sources[i]!;
      if (ready[slot]! > wake) {
        wake = ready[slot]!;
        cause = why[slot]!;
      }
    }
    if (instruction.kind === "free") {
      if (warp.off) continue;
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
    if (instruction.kind === "fence" && warp.pending > wake) {
      wake = warp.pending;
      cause = stall.membar;
    }
    warp.instruction = instruction;
    warp.op = 0;
    warp.pipe = instruction.ops[0]!.pipe;
    warp.wake = wake;
    warp.reason = cause;
    return true;
  }
}
