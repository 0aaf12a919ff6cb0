// Scheduling properties of bound instructions (state/step.ts): the lanes that a collective of the whole warp needs, and how long
// a group runs while others of its warp are ready.

import type { Members } from "../state/step.js";

/** Members of an instruction for the whole warp. */
export const everyLane: Members = {
  named: () => -1,
  ready: (_, active, here, live) => ((live & ~here) === 0 ? active : 0),
};

/** Part of a group's patience that an instruction typical of spin loops costs (launch/run-warp.ts). */
export const SPIN_COST = 256;

/** Instructions that a group may issue while others of its warp are ready. */
export const GROUP_SLICE = 16_384;

/**
 * A warp that uses up its share with fewer instructions than this fraction of it is spinning: the rest was the cost of
 * instructions typical of spin loops.
 */
export const SPINNING_SHARE = 1 / 8;
