// What an instruction, a modifier or a directive needs of the module: a PTX version and a target. ISA 9.0 section 11.1.
//
// A target is written sm_NN, sm_NNa (that architecture only) or sm_NNf (that family from there on). A requirement names the
// alternatives that satisfy it, for example "sm_90a | sm_100f": any one is enough.

/** PTX ISA version as major * 10 + minor: 8.5 is 85. */
export type PtxVersion = number;

export interface Target {
  /** As written in .target, e.g. "sm_90a". */
  readonly name: string;
  /** 75, 90, 100, 121. */
  readonly sm: number;
  /** "" for plain, "a" for architecture-specific, "f" for family-specific. */
  readonly suffix: "" | "a" | "f";
}

export interface Requirement {
  readonly ptx: PtxVersion;
  /** Any one of these is enough; empty: any target. */
  readonly targets: readonly Target[];
}

export const noRequirement: Requirement = { ptx: 10, targets: [] };

/** Reads "8.6"; throws on anything else, because only our own tables are read by it. */
export function parseVersion(text: string): PtxVersion {
  const [major, minor] = text.split(".");
  return Number(major) * 10 + Number(minor);
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

/** The family of an architecture: those that run each other's `f` code (section 11.1.2): 100 and 103, 110, 120 and 121. */
export function family(sm: number): number {
  return sm === 103 ? 100 : sm === 121 ? 120 : sm;
}

/** Whether code that needs `needed` may stand in a module for `actual`. */
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

/** Whether a module of that version and target has what is required. */
export function satisfies(version: PtxVersion, target: Target, needed: Requirement): boolean {
  return (
    version >= needed.ptx && (needed.targets.length === 0 || needed.targets.some((t) => targetSatisfies(target, t)))
  );
}

/** Both: the later version, and of the targets those that are stricter. */
export function bothRequirements(a: Requirement, b: Requirement): Requirement {
  return { ptx: Math.max(a.ptx, b.ptx), targets: strictest(a.targets, b.targets) };
}

function strictest(a: readonly Target[], b: readonly Target[]): readonly Target[] {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const kept = [
    ...a.filter((t) => b.some((u) => targetSatisfies(t, u))),
    ...b.filter((t) => a.some((u) => targetSatisfies(t, u))),
  ];
  return kept.length === 0 ? b : kept.filter((t, i) => kept.findIndex((u) => u.name === t.name) === i);
}

/** "PTX 8.6 and sm_100a or sm_103a", for messages. */
export function requirementText(needed: Requirement): string {
  const targets = needed.targets.map((t) => (t.suffix === "" ? `${t.name} or newer` : t.name)).join(" or ");
  return targets === "" ? `PTX ${versionText(needed.ptx)}` : `PTX ${versionText(needed.ptx)} and ${targets}`;
}
