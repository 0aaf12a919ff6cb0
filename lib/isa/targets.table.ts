// The targets that a module can name, with the PTX version that introduced each, and the families whose members run each other's
// `f` code. Sources: PTX ISA 9.2 section 11.1.2 and the release notes of chapter 13, including those of 9.4; the versions of
// sm_88 and sm_110 are those that ptxas 13.0 requires. ptxas 13.0 still reads modules for targets older than sm_75 and compiles
// them for newer ones, so that they are listed, too. sm_101 is the name of sm_110 in PTX 8.6 to 8.8.

export interface KnownTarget {
  readonly name: string;
  /** First PTX version whose modules may name it, as major * 10 + minor. */
  readonly since: PtxVersion;
  /** Last such version, if the name was removed. */
  readonly until?: PtxVersion;
}

interface Architecture {
  readonly sm: number;
  /** First version of the portable target. */
  readonly since: PtxVersion;
  /** First versions of sm_NNa and of sm_NNf; absent if there are none. */
  readonly specific?: PtxVersion;
  readonly familySpecific?: PtxVersion;
  /** The oldest architecture of its family; absent in a family of one. */
  readonly family?: number;
  readonly until?: PtxVersion;
}

const architectures: readonly Architecture[] = [
  { sm: 10, since: 10 },
  { sm: 11, since: 10 },
  { sm: 12, since: 12 },
  { sm: 13, since: 12 },
  { sm: 20, since: 20 },
  { sm: 21, since: 20 },
  { sm: 30, since: 30 },
  { sm: 32, since: 40 },
  { sm: 35, since: 31 },
  { sm: 37, since: 41 },
  { sm: 50, since: 40 },
  { sm: 52, since: 41 },
  { sm: 53, since: 42 },
  { sm: 60, since: 50 },
  { sm: 61, since: 50 },
  { sm: 62, since: 50 },
  { sm: 70, since: 60 },
  { sm: 72, since: 61 },
  { sm: 75, since: 63 },
  { sm: 80, since: 70 },
  { sm: 86, since: 71 },
  { sm: 87, since: 74 },
  { sm: 88, since: 73 },
  { sm: 89, since: 78 },
  { sm: 90, since: 78, specific: 80 },
  { sm: 100, since: 86, specific: 86, familySpecific: 88 },
  { sm: 101, since: 86, specific: 86, familySpecific: 88, family: 101, until: 88 },
  { sm: 103, since: 88, specific: 88, familySpecific: 88, family: 100 },
  { sm: 107, since: 94, specific: 94, familySpecific: 94, family: 100 },
  { sm: 110, since: 90, specific: 90, familySpecific: 90, family: 101 },
  { sm: 120, since: 87, specific: 87, familySpecific: 88 },
  { sm: 121, since: 88, specific: 88, familySpecific: 88, family: 120 },
];

/** The newest PTX version that the tables describe. */
export const newestVersion: PtxVersion = 94;

/** The last minor version of each major one. */
const lastMinor: Readonly<Record<number, number>> = { 1: 5, 2: 3, 3: 2, 4: 3, 5: 1, 6: 5, 7: 8, 8: 8, 9: 4 };

/** Whether that PTX version exists. */
export function isVersion(version: PtxVersion): boolean {
  return version % 10 <= (lastMinor[Math.floor(version / 10)] ?? -1);
}

export const targets: readonly KnownTarget[] = architectures.flatMap(
  ({ sm, since, specific, familySpecific, until }) => {
    const gone = until === undefined ? {} : { until };
    return [
      { name: `sm_${sm}`, since, ...gone },
      ...(specific === undefined ? [] : [{ name: `sm_${sm}a`, since: specific, ...gone }]),
      ...(familySpecific === undefined ? [] : [{ name: `sm_${sm}f`, since: familySpecific, ...gone }]),
    ];
  },
);

const byName: ReadonlyMap<string, KnownTarget> = new Map(targets.map((target) => [target.name, target]));
const familyBySm: ReadonlyMap<number, number> = new Map(architectures.map(({ sm, family }) => [sm, family ?? sm]));

/** The target with that name; compute_NN is equivalent to sm_NN. */
export function knownTarget(name: string): KnownTarget | undefined {
  return byName.get(name.replace(/^compute_/, "sm_"));
}

/** The family of an architecture, identified by its oldest member; an unknown architecture is a family of its own. */
export function family(sm: number): number {
  return familyBySm.get(sm) ?? sm;
}

/** PTX ISA version as major * 10 + minor: 8.5 is 85. */
export type PtxVersion = number;
