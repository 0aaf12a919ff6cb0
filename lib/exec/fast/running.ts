// The warp or block whose instructions generated code issues now, for the functions of the host that it calls.

import type { Block } from "../state/block.js";
import type { Warp } from "../state/warp.js";

/** The current run: one object, overwritten for each run. */
export interface Running {
  warp: Warp;
  /** In a block's turn: its warps run one after the other. Undefined while one warp runs alone. */
  block: Block | undefined;
  /** The warp's clock and the launch's count before the run. */
  clock: number;
  issued: number;
  /** Whether it runs one group, whose run the interpreter has begun. */
  isGroup: boolean;
}

/** Describes a run that begins, in the object `last` if there is one. */
export function runningIn(last: Running | undefined, warp: Warp, block: Block | undefined, isGroup = false): Running {
  const { clock } = warp;
  const issued = warp.block.launch.counters.warpInstructions;
  if (last === undefined) return { warp, block, clock, issued, isGroup };
  last.warp = warp;
  last.block = block;
  last.clock = clock;
  last.issued = issued;
  last.isGroup = isGroup;
  return last;
}
