// Gives every cycle in which a warp is resident its reason (stalls.ts).

import { pipeIndex, type LoweredInstruction } from "./lowering.js";
import { stall, stallNames } from "./stalls.js";
import { spaceOf } from "./trace.js";
import type { Warp } from "./warp.js";

export interface StallAccount {
  /** Warp-cycles by reason. */
  readonly cycles: Float64Array;
  /** Counts the cycles up to `at`, at which the warp issues on a pipe that was free from `pipeFree` on. */
  readonly issued: (warp: Warp, at: number, pipeFree: number, interval: number) => void;
  /** Counts cycles up to `until` for one reason, in which `instruction` was the warp's next one. */
  readonly until: (warp: Warp, until: number, reason: number, instruction: LoweredInstruction) => void;
}

/** Is told what each warp did: cycles from `from` to `to` for one reason, at or before an instruction. */
export type WatchWarp = (warp: Warp, reason: number, from: number, to: number, instruction: LoweredInstruction) => void;

const lsu = pipeIndex("lsu");

export function createStallAccount(watch?: WatchWarp): StallAccount {
  const cycles = new Float64Array(stallNames.length);

  function throttleOf(warp: Warp): number {
    if (warp.pipe !== lsu) return stall.math_pipe_throttle;
    const ordinal = warp.passage.accessOf[warp.next - 1]!;
    if (warp.step!.kind === "math" || ordinal < 0) return stall.mio_throttle;
    return spaceOf(warp.trace.accesses[warp.access + ordinal]!) <= 1 ? stall.lg_throttle : stall.mio_throttle;
  }

  function count(warp: Warp, reason: number, until: number, instruction: LoweredInstruction): void {
    const from = warp.since;
    if (until <= from) return;
    cycles[reason]! += until - from;
    instruction.cost.stalls[reason]! += until - from;
    watch?.(warp, reason, from, until, instruction);
    warp.since = until;
  }

  return {
    cycles,
    issued: (warp, at, pipeFree, interval) => {
      const { instruction } = warp.step!;
      count(warp, warp.reason, Math.min(at, warp.wake), instruction);
      // A pipe that accepts an instruction every cycle throttles no warp.
      if ((interval > 1 || warp.pipe === lsu) && pipeFree > warp.since)
        count(warp, throttleOf(warp), Math.min(at, pipeFree), instruction);
      count(warp, stall.not_selected, at, instruction);
      count(warp, stall.selected, at + 1, instruction);
    },
    until: (warp, until, reason, instruction) => count(warp, reason, until, instruction),
  };
}
