// What modules of random-sets.ts begin with: one target and version for all, or several that go together, for every
// architecture that ptxas 13.0 knows one of; texturing of either mode; textures, samplers and surfaces that modules share.

import { must } from "./random-numbers.js";
import type { Random } from "./random.js";

export interface Platform {
  /** The architecture that is asked for. */
  readonly arch: string;
  /** What modules may say; each runs on `arch`. */
  readonly targets: readonly string[];
  readonly isIndependent: boolean;
  readonly hasClusters: boolean;
}

const families: readonly (readonly [arch: string, targets: readonly string[], since: number])[] = [
  ["sm_75", ["sm_75"], 8.3],
  ["sm_86", ["sm_80", "sm_86"], 8.3],
  ["sm_89", ["sm_80", "sm_86", "sm_89"], 8.3],
  ["sm_90", ["sm_90"], 8.3],
  ["sm_90a", ["sm_90a"], 8.3],
  ["sm_100", ["sm_100"], 8.6],
  ["sm_103", ["sm_100", "sm_103"], 8.8],
  ["sm_120", ["sm_120"], 8.7],
];
const versions = [8.3, 8.4, 8.5, 8.6, 8.7, 8.8, 9.0];

/** Half of all are for sm_80. */
export function randomPlatform({ below, pick }: Random): Platform {
  const [arch, targets] = below(2) === 0 ? (["sm_80", ["sm_80"]] as const) : must(pick(families));
  return { arch, targets, isIndependent: below(10) === 0, hasClusters: Number(/\d+/.exec(arch)![0]) >= 90 };
}

export function randomHeader({ arch, targets, isIndependent }: Platform, { pick }: Random): string {
  const since = families.find(([name]) => name === arch)?.[2] ?? 8.3;
  const version = must(pick(versions.filter((each) => each >= since)));
  const mode = isIndependent ? ", texmode_independent" : "";
  return `.version ${version.toFixed(1)}\n.target ${must(pick(targets))}${mode}\n.address_size 64\n`;
}

/** Types of opaque variables; samplers of their own belong to independent texturing. */
export const opaqueTypes = ({ isIndependent }: Platform): readonly string[] =>
  isIndependent ? [".texref", ".samplerref", ".surfref"] : [".texref", ".surfref"];

const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  ".texref": ["width = 16", "height = 3", "depth = 1", "normalized_coords = 1"],
  ".surfref": ["width = 16", "height = 0x10", "depth = 2"],
  ".samplerref": [
    ...["addr_mode_0 = wrap", "addr_mode_1 = mirror", "addr_mode_2 = clamp_to_border", "filter_mode = linear"],
    ...["filter_mode = nearest", "force_unnormalized_coords = 1", "addr_mode_0 = clamp_to_edge"],
  ],
};

/** ` = { ... }`, or nothing. */
export function opaqueValue(type: string, { below, pick }: Random): string {
  if (below(2) === 0) return "";
  const fields = new Map(
    Array.from({ length: 1 + below(3) }, () => must(pick(must(fieldsOf[type])))).map((text) => [
      text.split(" ")[0]!,
      text,
    ]),
  );
  return ` = { ${[...fields.values()].join(", ")} }`;
}
