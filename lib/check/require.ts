// Whether the module's version and target have what its text uses.

import {
  bothRequirements,
  clauseText,
  noRequirement,
  parseGone,
  parseRequirement,
  unmetClause,
  versionText,
} from "../isa/requirement.js";
import type { PtxVersion, Requirement, Target } from "../isa/requirement.js";
import type { Ranged } from "../ptx/tree.js";
import { features } from "./features.table.js";
import type { Reporter } from "./reporter.js";

/** What a module is written for. */
export interface Platform {
  readonly version: PtxVersion;
  readonly target: Target;
  /** Whether calls keep ptxas's calling convention, in which predicates and small numbers are not passed in registers. */
  readonly convention: boolean;
}

const featureNeeds: ReadonlyMap<string, Requirement> = new Map(
  Object.entries(features).map(([feature, text]) => {
    const [since, until] = text.split(" until ");
    return [
      feature,
      bothRequirements(parseRequirement(since!), until === undefined ? noRequirement : parseGone(until)),
    ];
  }),
);

/** Reports when the module is too old or too new for a row of features.table.ts; a name that has no row needs nothing. */
export function requireFeature(feature: string, at: Ranged, platform: Platform, reporter: Reporter): void {
  const needs = featureNeeds.get(feature);
  if (needs !== undefined) requireAll(feature, needs, at, platform, reporter);
}

/** Reports the first clause of `needs` that the module does not meet. */
export function requireAll(
  what: string,
  needs: Requirement,
  at: Ranged,
  { version, target }: Platform,
  reporter: Reporter,
): void {
  const unmet = unmetClause(version, target, needs);
  if (unmet === undefined) return;
  const module = `this module is PTX ${versionText(version)} for ${target.name}`;
  reporter.report("requires", at, `${what} needs ${clauseText(unmet)}; ${module}`);
}
