// Finds the threads that a fault or a finding is about.

import type { Fault } from "../exec/state/result.js";
import type { Finding } from "../exec/sanitize/finding.js";
import type { Cluster } from "../exec/state/block.js";
import type { Group, Warp } from "../exec/state/warp.js";
import { firstLane } from "../exec/machine/warp.js";

export interface StoppedThread {
  readonly warp: Warp;
  readonly group: Group;
  readonly lane: number;
}

/**
 * The thread at fault. If the fault names none: a thread of the executing warp or, in a deadlock, of the first warp that waits.
 */
export function whereFaulted({ blocks, running }: Cluster, { thread, block }: Fault): StoppedThread | undefined {
  const of =
    blocks.find(({ coordinates }) => block?.every((number, i) => number === coordinates[i]) === true) ?? blocks[0];
  if (of === undefined) return undefined;
  if (thread !== undefined) {
    const [x, y] = of.launch.config.block;
    const index = thread[0] + x * (thread[1] + y * thread[2]);
    const warp = of.warps[index >> 5];
    const group = warp?.groups.find(({ mask }) => ((mask >>> (index & 31)) & 1) !== 0);
    if (warp !== undefined && group !== undefined) return { warp, group, lane: index & 31 };
  }
  const warp =
    running !== undefined && running.groups.length > 0 ? running : of.warps.find(({ groups }) => groups.length > 0);
  const group = warp?.groups[0];
  return warp === undefined || group === undefined ? undefined : { warp, group, lane: firstLane(group.mask) };
}

/** The thread that a finding is about, if its warp still exists. */
export function threadOfFinding(
  clusters: Iterable<Cluster>,
  { block, thread }: Pick<Finding, "block" | "thread">,
): Pick<StoppedThread, "warp" | "lane"> | undefined {
  for (const { blocks } of clusters)
    for (const each of blocks) {
      if (!block.every((number, i) => number === each.coordinates[i])) continue;
      const [x, y] = each.launch.config.block;
      const index = thread[0] + x * (thread[1] + y * thread[2]);
      const warp = each.warps[index >> 5];
      if (warp !== undefined && warp.groups.length > 0) return { warp, lane: index & 31 };
    }
  return undefined;
}
