// Pass: --gc-sections and what is asked about it: the roots (roots.ts), what they reach (live.ts), why (why-live.ts), what
// goes (removed.ts), and the inputs without it (prune.ts). Where nothing of that is asked for, nothing is done.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Inputs } from "../inputs.js";
import { findLive } from "./live.js";
import { prune, type Pruned } from "./prune.js";
import { findRemoved, type RemovedSymbol } from "./removed.js";
import { claimOf, type Resolution } from "../names/resolve.js";
import { findRoots } from "./root-candidates.js";
import type { RootOptions } from "./roots.js";
import { explainLive, waysOf, type WhyLive } from "./why-live.js";

export interface CollectOptions {
  /** Whether what no root reaches is left out. */
  readonly gcSections?: boolean;
  /** What --gc-sections begins from. */
  readonly roots?: RootOptions;
  /** Told what `gcSections` left out, in link order. */
  readonly onRemoved?: (removed: readonly RemovedSymbol[]) => void;
  /** Names and patterns of symbols of which `onWhyLive` is told what keeps them. */
  readonly whyLive?: readonly string[];
  readonly onWhyLive?: (answers: readonly WhyLive[]) => void;
}

/** What is left of the inputs. */
export function collectGarbage(
  inputs: Inputs,
  resolution: Resolution,
  options: CollectOptions,
  sink: DiagnosticSink,
): Pruned {
  const { gcSections = false, whyLive = [] } = options;
  if (!gcSections && whyLive.length === 0) return { inputs, resolution };
  const liveness = findLive(inputs, resolution, findRoots(resolution.merged, options.roots ?? {}));
  options.onWhyLive?.([...explainLive(waysOf(inputs, resolution, liveness), whyLive, gcSections)]);
  if (!gcSections) return { inputs, resolution };
  options.onRemoved?.(findRemoved(inputs, resolution, liveness));
  const pruned = prune(inputs, resolution, liveness);
  const isEmpty = pruned.inputs.length === 0 && sink.errorCount === 0;
  if (isEmpty && resolution.merged.some(({ chosen }) => claimOf(chosen.symbol) !== "declared")) reportNothingLive(sink);
  return pruned;
}

export const reportNothingLive = (sink: DiagnosticSink): void =>
  sink.report("nothing-live", "--gc-sections leaves nothing: no input has a kernel or another root", undefined, {
    remedy: "name what the host looks up with -u, or leave out --no-keep-exports",
  });
