// The architectures that .target can name, and the PTX ISA version that introduced each: PTX ISA 9.0 section 11.1.2 and its
// release notes (chapter 13).

import type { PtxVersion } from "./requirement.js";

/** PTX ISA 9.0: what the instruction table describes. */
export const newestVersion: PtxVersion = 90;

export interface TargetRow {
  readonly name: string;
  /** PTX ISA version that introduced it. */
  readonly since: PtxVersion;
}

const rows: readonly (readonly [since: PtxVersion, names: string])[] = [
  [10, "sm_10 sm_11"],
  [12, "sm_12 sm_13"],
  [20, "sm_20"],
  [30, "sm_30"],
  [31, "sm_35"],
  [40, "sm_32 sm_50"],
  [41, "sm_37 sm_52"],
  [42, "sm_53"],
  [50, "sm_60 sm_61 sm_62"],
  [60, "sm_70"],
  [61, "sm_72"],
  [63, "sm_75"],
  [70, "sm_80"],
  [71, "sm_86"],
  [74, "sm_87"],
  [78, "sm_89 sm_90"],
  [80, "sm_90a"],
  [86, "sm_100 sm_100a sm_101 sm_101a"],
  [87, "sm_120 sm_120a"],
  [88, "sm_100f sm_101f sm_120f sm_103 sm_103a sm_103f sm_121 sm_121a sm_121f"],
  [90, "sm_88 sm_110 sm_110a sm_110f"],
];

export const targets: readonly TargetRow[] = rows.flatMap(([since, names]) =>
  names.split(" ").map((name) => ({ name, since })),
);

const byName: ReadonlyMap<string, TargetRow> = new Map(targets.map((row) => [row.name, row]));

/** The row of that name ("sm_90a", also "compute_90a"), or undefined when there is no such architecture. */
export function knownTarget(name: string): TargetRow | undefined {
  return byName.get(name.replace(/^compute_/, "sm_"));
}
