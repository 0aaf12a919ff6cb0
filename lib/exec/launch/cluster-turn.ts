// A turn of a cluster: each warp of its blocks issues its share of instructions, or runs until it waits.

import { expireWaits, waitsOf } from "../async/waiting.js";
import { KernelFault } from "../state/fault.js";
import { runBlockTurn, type WarpState } from "./run-warp.js";
import type { Cluster } from "../state/block.js";
import { SPINNING_SHARE } from "../machine/step.js";

/** Instructions between two checks of the abort signal: at most 0.2 s, or 2 s in the interpreter. */
export const SLICE = 1_000_000;
/** Instructions that a warp issues before the next warp of its block has its turn. */
const WARP_SHARE = 32_768;

/**
 * Runs one turn or more of each warp of a cluster. Calls `onMore` for each further turn. Generated code may continue with
 * clusters before `end`. Throws KernelFault.
 */
export function turnOf(cluster: Cluster, end: number, onMore: () => void): "done" | "busy" | "idle" | "paused" {
  let isDone = true;
  let isWaiting = true;
  let isIdle = true;
  const onFurtherTurns = (): void => {
    isDone = isWaiting = isIdle = true;
    onMore();
  };
  const note = (state: WarpState, issued: number): void => {
    if (state !== "done") isDone = false;
    if (state === "ready" || issued > 0) isWaiting = false;
    if (issued > 0 && !(state === "ready" && issued < WARP_SHARE * SPINNING_SHARE)) isIdle = false;
  };
  const { sliceEnd } = cluster;
  for (const block of cluster.blocks)
    runBlockTurn(block, { share: WARP_SHARE, sliceEnd, slice: SLICE, end, note, onFurtherTurns });
  if (isDone) return "done";
  if (isWaiting && isPaused(cluster)) return "paused";
  const waits = waitsOf(cluster);
  if (waits === "over") return "busy";
  if ((waits === "stuck" || (waits === "some" && isIdle)) && expireWaits(cluster, waits === "stuck")) return "idle";
  if (isWaiting) throw new KernelFault("deadlock", "every thread waits for another");
  return isIdle ? "idle" : "busy";
}

/** Whether a warp of the cluster waits to read the timing model's clock. */
function isPaused({ blocks }: Cluster): boolean {
  return blocks.some(({ warps }) => warps.some(({ groups }) => groups.some(({ wait }) => wait?.kind === "clock")));
}
