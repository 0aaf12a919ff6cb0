// Gives every cycle in which a warp is resident its reason (stalls.ts).

import { pipeIndex } from "./lowering.js";
import { stall, stallNames } from "./stalls.js";
import { spaceOf } from "./trace.js";
import type { Warp } from "./warp.js";

export interface StallAccount {
  /** Warp-cycles by reason. */
  readonly cycles: Float64Array;
  /** Counts the cycles up to `at`, at which the warp issues on a pipe that was free from `pipeFree` on. */
  readonly issued: (warp: Warp, at: number, pipeFree: number, interval: number) => void;
  /** Counts cycles up to `until` for one reason. */
  readonly until: (warp: Warp, until: number, reason: number) => void;
}

const lsu = pipeIndex("lsu");

export function createStallAccount(): StallAccount {
  const cycles = new Float64Array(stallNames.length);

  function throttleOf(warp: Warp): number {
    if (warp.pipe !== lsu) return stall.math_pipe_throttle;
    const ordinal = warp.passage.accessOf[warp.next - 1]!;
    if (warp.step!.kind === "math" || ordinal < 0) return stall.mio_throttle;
    return spaceOf(warp.trace.accesses[warp.access + ordinal]!) <= 1 ? stall.lg_throttle : stall.mio_throttle;
  }

  return {
    cycles,
    issued: (warp, at, pipeFree, interval) => {
      let from = warp.since;
      if (warp.wake > from) {
        cycles[warp.reason]! += warp.wake - from;
        from = warp.wake;
      }
      // A pipe that takes an instruction every cycle throttles nobody.
      const throttled = interval > 1 || warp.pipe === lsu ? Math.min(at, pipeFree) - from : 0;
      if (throttled > 0) {
        cycles[throttleOf(warp)]! += throttled;
        from += throttled;
      }
      cycles[stall.not_selected]! += at - from;
      cycles[stall.selected]!++;
      warp.since = at + 1;
    },
    until: (warp, until, reason) => {
      if (until <= warp.since) return;
      cycles[reason]! += until - warp.since;
      warp.since = until;
    },
  };
}
