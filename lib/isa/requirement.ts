// Requirements of an instruction, a modifier or a directive on the module: a PTX version and a target. ISA 9.0 section 11.1.
//
// A target is written sm_NN, sm_NNa (that architecture only) or sm_NNf (that architecture and later ones of its family). A
// requirement is a list of clauses that all must hold. Each is a list of alternatives, of which one suffices: cvt to e4m3x2 needs
// "PTX 7.8 for sm_90, or PTX 8.1 for sm_89". Clauses are never merged, so that a message can name the one that fails.

import { InternalError } from "../base/assert.js";
import { family, type PtxVersion } from "./targets.table.js";

export interface Target {
  /** The name in .target, such as "sm_90a". */
  readonly name: string;
  /** 75, 90, 100, 121. */
  readonly sm: number;
  /** "" for a portable target, "a" for an architecture-specific, "f" for a family-specific one. */
  readonly suffix: "" | "a" | "f";
}

/** The first PTX version that supports a feature on a target (undefined: on any target). */
export interface Alternative {
  readonly ptx: PtxVersion;
  readonly target: Target | undefined;
}

export type Clause =
  | { readonly kind: "needs"; readonly alternatives: readonly Alternative[] }
  /** Removed from modules with a version later than `ptx` and a target from `sm` on. */
  | { readonly kind: "gone"; readonly ptx: PtxVersion; readonly sm: number };

export type Requirement = readonly Clause[];

export const noRequirement: Requirement = [];

/** Parses "8.6"; throws on errors, because it reads only ptxkit's own tables. */
export function parseVersion(text: string): PtxVersion {
  const match = /^(\d+)\.(\d)$/.exec(text);
  if (match === null) throw new InternalError(`not a PTX version: '${text}'`);
  return Number(match[1]) * 10 + Number(match[2]);
}

export function versionText(version: PtxVersion): string {
  return `${Math.floor(version / 10)}.${version % 10}`;
}

/** The target with that name; undefined if it does not have the form sm_NN[af] or compute_NN[af]. */
export function parseTarget(name: string): Target | undefined {
  const match = /^(?:sm|compute)_(\d{2,3})([af]?)$/.exec(name);
  if (match === null) return undefined;
  return { name, sm: Number(match[1]), suffix: match[2] as Target["suffix"] };
}

/**
 * Parses "8.6", "7.0:sm_80", "8.6:sm_100f|sm_120f" or "7.8:sm_90|8.1:sm_89". Reads only ptxkit's own tables, and throws on
 * errors.
 */
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

/** The first clause that a module with that version and target does not satisfy. */
export function unmetClause(version: PtxVersion, target: Target, needed: Requirement): Clause | undefined {
  for (let i = 0; i < needed.length; i++) if (!clauseHolds(version, target, needed[i]!)) return needed[i];
  return undefined;
}

/** Whether a module's version and target satisfy a requirement. */
export function satisfies(version: PtxVersion, target: Target, needed: Requirement): boolean {
  return unmetClause(version, target, needed) === undefined;
}

/** The conjunction of two requirements. */
export function bothRequirements(a: Requirement, b: Requirement): Requirement {
  return a.length === 0 ? b : b.length === 0 ? a : [...a, ...b];
}

/** The requirement as text for messages: "PTX 8.6 and sm_100a or sm_103a". */
export function requirementText(needed: Requirement): string {
  return needed.length === 0 ? "any PTX version and target" : needed.map(clauseText).join("; ");
}

/** The clause as text: "PTX 7.8 and sm_90 or newer, or PTX 8.1 and sm_89 or newer". */
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
