// The interface through which debuggers and traces follow a launch: before each instruction, after it, and at a fault before the
// blocks are freed. Such launches run on the reference engine and one thread, in the same order as all others.

import type { Cluster } from "./block.js";
import type { IssueObserver } from "./observer.js";
import type { Fault } from "./result.js";
import type { Group, Warp } from "./warp.js";

export interface Probe {
  /** Called when a block begins; its result is called after each instruction of the block. */
  readonly observe: (block: number) => IssueObserver;
  /**
   * Before the group's next instruction; `active`: lanes whose guard holds, possibly none. A collective that has to wait for
   * other lanes is reported again.
   */
  readonly before: (warp: Warp, group: Group, active: number) => void;
  /** The launch stops with this; registers and memory are as they were then. */
  readonly fault: (cluster: Cluster | undefined, fault: Fault) => void;
}

/** Tells each of several probes, in their order. */
export function combineProbes(probes: readonly Probe[]): Probe | undefined {
  if (probes.length < 2) return probes[0];
  return {
    observe(block) {
      const observers = probes.map((probe) => probe.observe(block));
      return {
        issue(...issued) {
          for (const observer of observers) observer.issue(...issued);
        },
      };
    },
    before(warp, group, active) {
      for (const probe of probes) probe.before(warp, group, active);
    },
    fault(cluster, fault) {
      for (const probe of probes) probe.fault(cluster, fault);
    },
  };
}
