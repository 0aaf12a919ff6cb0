// The interface through which debuggers and traces follow a launch: before each instruction, after it, and at a fault before the
// blocks are freed. Such launches run on the reference engine and one thread, in the same order as all others.

import type { Probe } from "../state/observer.js";

/** Combines probes into one that calls each of them in their order. */
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
