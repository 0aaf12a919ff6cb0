// Whose instructions generated code issues now, for what it calls of the interpreter.

import type { Block } from "../state/block.js";
import type { Warp } from "../state/warp.js";

/** One value, filled anew for each run. */
export interface Running {
  warp: Warp;
  /** For a block's turn: its warps run one after the other. */
  block: Block | undefined;
  /** The warp's clock and the launch's count before. */
  clock: number;
  issued: number;
  /** Whether it runs one group, whose run the interpreter has begun. */
  isGroup: boolean;
}

/** A run that begins; `last` is filled anew where there is one. */
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
