// Findings from faults, which stop the reference engine. For a deadlock, each waiting group is a finding.

import type { KernelFault } from "../state/fault.js";
import type { Cluster } from "../state/block.js";
import { firstLane } from "../machine/warp.js";
import { type LaunchContext, report } from "./context.js";

/** Reports faults that are findings, too: an exceeded limit of an mbarrier, a deadlock. */
export function reportFault(context: LaunchContext, cluster: Cluster, fault: KernelFault): void {
  const { running } = cluster;
  const group = running?.current;
  if (fault.kind === "trap" && fault.message.startsWith("mbarrier:") && running !== undefined && group !== undefined) {
    report(
      context,
      { warp: running, frame: group.frame, pc: group.pc, lane: fault.lane ?? firstLane(group.mask) },
      () => ({
        kind: "mbarrier",
        space: "shared",
        message: fault.message.slice("mbarrier: ".length),
        remedy: "pass the number of arrivals of a phase to mbarrier.init, and the number of its bytes to expect_tx",
      }),
      "mbarrier:limit",
    );
    return;
  }
  if (fault.kind !== "deadlock") return;
  for (const { warps } of cluster.blocks)
    for (const warp of warps)
      for (const { frame, pc, mask, wait } of warp.groups) {
        if (wait === undefined) continue;
        const kind =
          wait.kind === "mbarrier"
            ? "mbarrier"
            : wait.kind === "collective" || wait.kind === "warp"
              ? "warp-mask"
              : "barrier";
        const at = wait.kind === "mbarrier" || wait.kind === "collective" ? pc : pc - 1;
        report(
          context,
          { warp, frame, pc: at, lane: firstLane(mask) },
          () => ({
            kind,
            message: `${waitName[kind]} waits for threads that cannot arrive: the launch is deadlocked`,
            remedy: waitRemedy[kind],
          }),
          `deadlock:${kind}`,
        );
      }
}

const waitName = { mbarrier: "the mbarrier's phase", "warp-mask": "the collective", barrier: "the barrier" } as const;
const waitRemedy = {
  mbarrier: "check that all arrivals and bytes of the phase occur, and that the wait uses the parity of the phase",
  "warp-mask": "let all lanes of the mask reach the instruction",
  barrier: "let all threads that the barrier counts reach it, including those without work",
} as const;
