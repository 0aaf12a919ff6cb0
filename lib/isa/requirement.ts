// What an instruction, a modifier or a directive needs of the module: a PTX version and a target. ISA 9.0 section 11.1.
//
// A target is written sm_NN, sm_NNa (that architecture only) or sm_NNf (that family from there on). A requirement is a list
// of clauses that all have to hold, each a list of alternatives of which one is enough: cvt to e4m3x2 needs "PTX 7.8 for
// sm_90, or PTX 8.1 for sm_89". Clauses are never merged, so that nothing is lost and a message can name the one that fails.

import { InternalError } from "../base/assert.js";
import { family, type PtxVersion } from "./targets.table.js";

export interface Target {
  /** As written in .target, e.g. "sm_90a". */
  readonly name: string;
  /** 75, 90, 100, 121. */
  readonly sm: number;
  /** "" for plain, "a" for architecture-specific, "f" for family-specific. */
  readonly suffix: "" | "a" | "f";
}

/** A version that is new enough together with a target that has it (undefined: any). */
export interface Alternative {
  readonly ptx: PtxVersion;
  readonly target: Target | undefined;
}

export type Clause =
  | { readonly kind: "needs"; readonly alternatives: readonly Alternative[] }
  /** Gone from modules of a later version than `ptx` whose target is `sm` or newer. */
  | { readonly kind: "gone"; readonly ptx: PtxVersion; readonly sm: number };

export type Requirement = readonly Clause[];

export const noRequirement: Requirement = [];

/** Reads "8.6"; throws on anything else, because only our own tables are read by it. */
export function parseVersion(text: string): PtxVersion {
  const match = /^(\d+)\.(\d)$/.exec(text);
  if (match === null) throw new InternalError(`not a PTX version: '${text}'`);
  return Number(match[1]) * 10 + Number(match[2]);
}

export function versionText(version: PtxVersion): string {
  return `${Math.floor(version / 10)}.${version % 10}`;
}

/** The target of that name, or undefined when it is not of the form sm_NN[af] or compute_NN[af]. */
export function parseTarget(name: string): Target | undefined {
  const match = /^(?:sm|compute)_(\d{2,3})([af]?)$/.exec(name);
  if (match === null) return undefined;
  return { name, sm: Number(match[1]), suffix: match[2] as Target["suffix"] };
}

/** Reads "8.6", "7.0:sm_80", "8.6:sm_100f|sm_120f" or "7.8:sm_90|8.1:sm_89"; for our own tables, so it throws on faults. */
export function parseRequirement(text: string): Requirement {
  let ptx: PtxVersion | undefined;
  const alternatives = text.split("|").map((part): Alternative => {
    const at = part.indexOf(":");
    const version = at >= 0 ? part.slice(0, at) : part.startsWith("sm_") ? undefined : part;
    const name = at >= 0 ? part.slice(at + 1) : part.startsWith("sm_") ? part : undefined;
    if (version !== undefined) ptx = parseVersion(version);
    const target = name === undefined ? undefined : parseTarget(name);
    if (ptx === undefined || (name !== undefined && target === undefined)) {
      throw new InternalError(`not a requirement: '${text}'`);
    }
    return { ptx, target };
  });
  return [{ kind: "needs", alternatives }];
}

/** Parses a removal: the last PTX version, and the first target without the form ("6.3:sm_70"); without a target ("3.1"), all. */
export function parseGone(text: string): Requirement {
  const [version, name] = text.split(":");
  const target = name === undefined ? undefined : parseTarget(name);
  if (name !== undefined && target === undefined) throw new InternalError(`no target: '${text}'`);
  return [{ kind: "gone", ptx: parseVersion(version!), sm: target?.sm ?? 0 }];
}

/** Whether a module for `actual` may contain code that needs `needed`. */
export function targetSatisfies(actual: Target, needed: Target): boolean {
  switch (needed.suffix) {
    case "":
      return actual.sm >= needed.sm;
    case "a":
      return actual.suffix === "a" && actual.sm === needed.sm;
    case "f":
      return actual.suffix !== "" && family(actual.sm) === family(needed.sm) && actual.sm >= needed.sm;
  }
}

function clauseHolds(version: PtxVersion, target: Target, clause: Clause): boolean {
  if (clause.kind === "gone") return version <= clause.ptx || target.sm < clause.sm;
  const { alternatives } = clause;
  for (let i = 0; i < alternatives.length; i++) {
    const { ptx, target: needed } = alternatives[i]!;
    if (version >= ptx && (needed === undefined || targetSatisfies(target, needed))) return true;
  }
  return false;
}

/** The first clause that a module of that version and target does not meet. */
export function unmetClause(version: PtxVersion, target: Target, needed: Requirement): Clause | undefined {
  for (let i = 0; i < needed.length; i++) if (!clauseHolds(version, target, needed[i]!)) return needed[i];
  return undefined;
}

/** Whether a module's version and target satisfy a requirement. */
export function satisfies(version: PtxVersion, target: Target, needed: Requirement): boolean {
  return unmetClause(version, target, needed) === undefined;
}

/** Both. */
export function bothRequirements(a: Requirement, b: Requirement): Requirement {
  return a.length === 0 ? b : b.length === 0 ? a : [...a, ...b];
}

/** "PTX 8.6 and sm_100a or sm_103a", for messages. */
export function requirementText(needed: Requirement): string {
  return needed.length === 0 ? "any PTX version and target" : needed.map(clauseText).join("; ");
}

/** "PTX 7.8 and sm_90 or newer, or PTX 8.1 and sm_89 or newer". */
export function clauseText(clause: Clause): string {
  if (clause.kind === "gone") {
    const target = clause.sm === 0 ? "" : ` for targets from sm_${clause.sm} on`;
    return `at most PTX ${versionText(clause.ptx)}${target}`;
  }
  const versions = [...new Set(clause.alternatives.map((a) => a.ptx))];
  const texts = versions.map((ptx) => {
    const names = clause.alternatives.flatMap((a) =>
      a.ptx === ptx && a.target !== undefined ? targetText(a.target) : [],
    );
    return names.length === 0 ? `PTX ${versionText(ptx)}` : `PTX ${versionText(ptx)} and ${names.join(" or ")}`;
  });
  return texts.join(", or ");
}

function targetText(target: Target): string {
  switch (target.suffix) {
    case "":
      return `${target.name} or newer`;
    case "a":
      return target.name;
    case "f":
      return `the family of ${target.name.slice(0, -1)} (${target.name})`;
  }
}
