// Lanes of a warp that wait for each other: at bar.warp.sync, and at collectives. PTX ISA 9.0 section 9.7.13.2.

import type { Warp } from "../state/warp.js";

/** Resumes groups that wait for lanes of their own warp, once those have arrived or exited. */
export function recheckWarp(warp: Warp): void {
  for (const group of warp.groups) {
    const kind = group.wait?.kind;
    if (group.wait === undefined || kind === "barrier" || kind === "cluster" || kind === "mbarrier") continue;
    if (group.wait.kind === "tensor-memory" || group.wait.kind === "clock") continue;
    const missing =
      group.wait.kind === "warp" ? group.wait.members & ~lanesAtWarpSync(warp, group.wait.members) : group.wait.missing;
    if ((missing & warp.live) !== 0) continue;
    if (group.wait.kind === "warp") openWarpSync(warp, group.wait.members);
    else group.wait = undefined;
  }
}

function lanesAtWarpSync(warp: Warp, members: number): number {
  return warp.groups.reduce(
    (sum, group) => (group.wait?.kind === "warp" && group.wait.members === members ? sum | group.mask : sum),
    0,
  );
}

function openWarpSync(warp: Warp, members: number): void {
  warp.block.launch.sanitizer?.syncWarp(warp, lanesAtWarpSync(warp, members));
  for (const group of warp.groups)
    if (group.wait?.kind === "warp" && group.wait.members === members) group.wait = undefined;
}
