// Checks whether the module's version and target support a feature.

import {
  bothRequirements,
  clauseText,
  noRequirement,
  parseGone,
  parseRequirement,
  targetSatisfies,
  unmetClause,
  versionText,
} from "../isa/requirement.js";
import type { Alternative, Requirement, Target } from "../isa/requirement.js";
import { knownTarget, type PtxVersion } from "../isa/targets.table.js";
import type { Ranged } from "../ptx/source-text.js";
import type { Linkage } from "../ptx/tree.js";
import type { AddressUse } from "./address-size.js";
import { features } from "./features.table.js";
import type { Reporter } from "./reporter.js";

/** The target platform of a module. */
export interface Platform {
  readonly version: PtxVersion;
  readonly target: Target;
  /** Other words of `.target`, such as "texmode_independent". */
  readonly targetOptions: readonly string[];
  /** Whether functions follow ptxas's calling convention, in which predicates and small numbers are not passed in registers. */
  readonly convention: boolean;
  /** `convention` for calls: in older modules calls must follow it although functions need not. */
  readonly conventionInCalls: boolean;
  readonly addresses: AddressUse;
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

/** Reports if the module is too old or too new for a row of features.table.ts; names without a row have no requirement. */
export function requireFeature(feature: string, at: Ranged, platform: Platform, reporter: Reporter): void {
  const needs = featureNeeds.get(feature);
  if (needs !== undefined) requireAll(feature, needs, at, platform, reporter);
}

const linkageFeatures = { extern: ".extern", visible: ".visible", weak: ".weak", common: ".common" } as const;

/** `requireFeature` for the linkage of a declaration. */
export function requireLinkage(linkage: Linkage | undefined, at: Ranged, platform: Platform, reporter: Reporter): void {
  if (linkage !== undefined) requireFeature(linkageFeatures[linkage], at, platform, reporter);
}

/** Reports the first clause of `needs` that the module does not satisfy. `instead` returns replacements for removed features. */
export function requireAll(
  what: string,
  needs: Requirement,
  at: Ranged,
  { version, target }: Platform,
  reporter: Reporter,
  instead?: () => readonly string[],
): void {
  const unmet = unmetClause(version, target, needs);
  if (unmet === undefined) return;
  const module = `this module is PTX ${versionText(version)} for ${target.name}`;
  if (unmet.kind === "gone") {
    const since = `is only valid up to PTX ${versionText(unmet.ptx)}`;
    const where = unmet.sm === 0 ? "" : ` for sm_${unmet.sm} and newer`;
    const spellings = instead?.() ?? [];
    const details = spellings.length === 0 ? {} : { remedy: `write ${spellings.slice(0, 3).join(" or ")}` };
    reporter.report("requires", at, `${what} ${since}${where}; ${module}`, details);
    return;
  }
  reporter.report("requires", at, `${what} needs ${clauseText(unmet)}; ${module}`, {
    remedy: headerFor(unmet.alternatives, version, target),
  });
}

/**
 * The header directives that satisfy the requirement with the least change: an alternative that keeps the target, or the first
 * one.
 */
function headerFor(alternatives: readonly Alternative[], version: PtxVersion, target: Target): string {
  const keeping = alternatives.find((one) => one.target === undefined || targetSatisfies(target, one.target));
  const { ptx, target: wanted } = keeping ?? alternatives[0]!;
  const needed = Math.max(ptx, (keeping === undefined ? knownTarget(wanted!.name)?.since : undefined) ?? 0);
  const parts = [
    ...(version < needed ? [`.version ${versionText(needed)}`] : []),
    ...(keeping === undefined ? [`.target ${wanted!.name}`] : []),
  ];
  return `write ${parts.join(" and ")}`;
}
