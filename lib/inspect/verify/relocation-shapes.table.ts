// The relocations that occur in each section of a cubin: their types, the symbols they refer to, and their addends. Observed in
// 8,300 files of ptxas, nvlink and nvcc 13.0.88 for sm_75 to sm_121 (section-shapes.table.ts describes them). Types from 0x10000
// on belong to the second copy of code and metadata (.nv.capmerc, .nv.merc), observed in further files for sm_100 to sm_121.
// Their offsets in code count before it was packed, where an instruction has 16 bytes, too.

import { ADDRESSES, RELOCATIONS, type Pointee, type RelocationFacts } from "../../../formats/cuda/index.js";

/** The kind of a relocation's symbol. `system` symbols are defined by the tools without a section: __UFT_OFFSET and the like. */
export type SymbolRole =
  | "none"
  | "section"
  | "function"
  | "kernel"
  | "global"
  | "const"
  | "shared"
  | "texture"
  | "sampler"
  | "surface"
  | "system";

/**
 * Allowed values of r_addend. "zero": 0; "any": any value. "instruction": the offset of an instruction in the symbol's function
 * (for a variable, 0). "own-instruction": the same, and the symbol is the relocated function. "inside": an offset in the symbol,
 * including 0.
 */
export type AddendRule = "zero" | "any" | "instruction" | "own-instruction" | "inside";

export interface RelocationShape {
  readonly types: readonly number[];
  readonly symbols: readonly SymbolRole[];
  readonly addend: AddendRule;
  /** SM numbers that use this type: `since` inclusive, `until` exclusive. */
  readonly since: number;
  readonly until: number;
  /** Whether images use the type; other types occur in images only among the relocations that -preserve-relocs keeps. */
  readonly inImages: boolean;
  /** Alignment of the relocated field in bytes; undefined if it is the section's. */
  readonly step: number | undefined;
  /** Remainder of the offset modulo the alignment, in bytes. */
  readonly behind: number;
}

export interface RelocationPlaces {
  /** The relocated sections: whole names, or prefixes that end in a dot. */
  readonly of: readonly string[];
  /** Alignment of all offsets, in bytes. */
  readonly step: number;
  /** Whether targets before sm_90 write an addend of 0 as a record without addend. */
  readonly splits: boolean;
  /** Whether addresses are written as two halves. */
  readonly hasHalves?: boolean;
  /** Whether offsets are limited by the size of the function instead of the section's. */
  readonly isPacked?: boolean;
  readonly rows: readonly RelocationShape[];
}

interface Limits {
  readonly since?: number;
  readonly until?: number;
  readonly inImages?: boolean;
  readonly step?: number;
  readonly behind?: number;
}

function row(
  types: number | readonly number[],
  symbols: readonly SymbolRole[],
  addend: AddendRule,
  { since = 0, until = Infinity, inImages = true, step, behind = 0 }: Limits = {},
): RelocationShape {
  return { types: typeof types === "number" ? [types] : types, symbols, addend, since, until, inImages, step, behind };
}

const FIRST_MERC = 0x1_0000;
const merc = (...types: readonly number[]): readonly number[] => types.map((type) => FIRST_MERC + type);

const CODE = ["function", "kernel"] as const;
const OPAQUE = ["texture", "sampler", "surface"] as const;
const OBJECT = { inImages: false } as const;
/** Position of the address in the second copy of an instruction. */
const IN_COPY = { behind: 12 } as const;

/** The symbols to which an address in data may refer. */
const POINTEES: Readonly<Record<Pointee, readonly SymbolRole[]>> = {
  const: ["const"],
  "generic-const": ["const"],
  global: ["global"],
  opaque: OPAQUE,
  function: ["function"],
  kernel: ["kernel"],
};

/** The data relocation types that write this many bits of an address. */
const typesOf = (address: string, bits: number): readonly RelocationFacts[] =>
  RELOCATIONS.filter(({ writes, fields }) => writes === address && fields[0]![1] === bits);

/** Rows for each kind of address in data. */
function addressRows(bits: 64 | 8, limits: Limits): readonly RelocationShape[] {
  return Object.entries(ADDRESSES).map(([name, { pointees, since, hasAddend, inImage }]) =>
    row(
      typesOf(name, bits).map(({ value }) => value),
      pointees.flatMap((pointee) => POINTEES[pointee]),
      hasAddend ? "any" : "zero",
      { ...limits, since, inImages: inImage === name },
    ),
  );
}

const RELOCATION_PLACES: readonly RelocationPlaces[] = [
  {
    of: [".text.", ".nv.uft.rel."],
    step: 16,
    splits: true,
    hasHalves: true,
    rows: [
      row(55, ["shared", "system"], "any", OBJECT),
      row([56, 57], [...CODE, "global"], "instruction"),
      row(58, ["function"], "zero", { until: 90 }),
      row(75, ["function"], "zero", { since: 90 }),
      row([62, 63], ["kernel"], "zero"),
      row([59, 66], ["const", ...OPAQUE], "any", OBJECT),
      row([64, 65], ["const", ...OPAQUE], "any", { ...OBJECT, until: 90 }),
      row(115, ["const", ...OPAQUE], "any", { ...OBJECT, since: 100 }),
      row([68, 69], ["none"], "any", { ...OBJECT, until: 90 }),
      row([74, 100], ["shared"], "any", { ...OBJECT, until: 90 }),
      row([112, 113], ["function", "global"], "zero", { ...OBJECT, since: 90 }),
      row(114, ["system"], "zero", { ...OBJECT, since: 90 }),
    ],
  },
  {
    of: [".nv.global.init", ".nv.constant3"],
    step: 1,
    splits: true,
    rows: [
      // Addresses are at multiples of 4, single bytes of them anywhere.
      ...addressRows(64, { step: 4 }),
      ...addressRows(8, {}),
    ],
  },
  {
    of: [".nv.constant4"],
    step: 8,
    splits: true,
    rows: [row(2, ["global", "function", "system"], "any"), row(35, ["kernel"], "zero")],
  },
  { of: [".nv.constant2."], step: 4, splits: true, rows: [row(2, [...CODE, "const"], "any")] },
  {
    of: [".nv.constant0."],
    step: 4,
    splits: true,
    rows: [row(6, ["texture"], "zero"), row([7, 101], ["sampler"], "zero"), row(52, ["surface"], "zero")],
  },
  {
    of: [".debug_frame"],
    step: 1,
    splits: false,
    // An addend relative to the section may exceed its size if a function has several frames.
    rows: [row(2, ["section"], "any"), row(2, CODE, "inside"), row(73, CODE, "zero", OBJECT)],
  },
  {
    of: [".debug_line", ".nv_debug_line_sass"],
    step: 1,
    splits: false,
    rows: [row(1, ["section"], "inside"), row(2, CODE, "zero")],
  },
  {
    of: [".debug_", ".nv_debug_"],
    step: 1,
    splits: false,
    rows: [
      row(1, ["section"], "inside"),
      // Locations of variables may begin at the compiler's labels, which have no section.
      row(2, [...CODE, "global", "system"], "inside"),
      // Includes the reserved shared memory.
      row(2, ["shared"], "any"),
      row(4, ["const"], "inside"),
    ],
  },
  {
    of: [".nv.capmerc.text."],
    step: 16,
    splits: false,
    hasHalves: true,
    isPacked: true,
    rows: [
      row(merc(2), ["function", "system"], "zero", { behind: 8 }),
      row(merc(3), ["const", "shared", "system", ...OPAQUE], "any", IN_COPY),
      row(merc(4), ["const", ...OPAQUE], "any", { ...OBJECT, ...IN_COPY }),
      row(merc(5, 6), [...CODE, "global"], "zero", IN_COPY),
      row(merc(8), CODE, "own-instruction", IN_COPY),
      row(merc(40, 41), CODE, "own-instruction", IN_COPY),
      row(merc(62, 63), [...CODE, "global"], "zero", { ...OBJECT, ...IN_COPY }),
    ],
  },
  {
    of: [".nv.merc.nv.constant.optimizer."],
    step: 4,
    splits: false,
    rows: [row(merc(7), CODE, "zero"), row(merc(8), CODE, "instruction")],
  },
  {
    of: [".nv.merc.nv.constant.entry_image_header_indices."],
    step: 4,
    splits: false,
    rows: [row(merc(11, 12, 13), OPAQUE, "zero")],
  },
  {
    of: [".nv.merc.debug_frame"],
    step: 1,
    splits: false,
    rows: [
      row(merc(2), ["section"], "any", OBJECT),
      row(merc(14), CODE, "zero", OBJECT),
      row(merc(61), CODE, "inside"),
    ],
  },
  {
    of: [".nv.merc.debug_line", ".nv.merc.nv_debug_line_sass"],
    step: 1,
    splits: false,
    rows: [row(merc(2), CODE, "zero"), row(merc(3), ["section"], "any", OBJECT)],
  },
  {
    of: [".nv.merc.debug_", ".nv.merc.nv_debug_"],
    step: 1,
    splits: false,
    rows: [
      row(merc(1), ["const"], "inside"),
      row(merc(2), [...CODE, "global", "system"], "inside"),
      row(merc(2), ["shared"], "any"),
      row(merc(3), ["section"], "any", OBJECT),
      // Relocations of a unit's lines, which nvlink does not apply.
      row(merc(8), ["section"], "any"),
      row(merc(61), CODE, "inside"),
    ],
  },
];

/** The first type of the second copy, and the first type after them. */
export const MERC_TYPES = [FIRST_MERC, 0x1_0080] as const;

/** Types of data in the second copy, mapped to those of the data itself. */
export const COPIED_TYPES: ReadonlyMap<number, number> = new Map(
  Object.entries(ADDRESSES).flatMap(
    ([
      name,
      {
        copies: [whole, byte],
      },
    ]) => [
      ...typesOf(name, 64).map(({ value }) => [FIRST_MERC + whole, value] as const),
      ...typesOf(name, 8).map(({ value }, i) => [FIRST_MERC + byte + i, value] as const),
    ],
  ),
);

/** Occurs only in the second copy: a function that is part of a kernel and has a known address. */
export const PART_OF_KERNEL = FIRST_MERC + 7;

/** Second copies of data that have the data's relocations, by name, with the data's section. */
export const COPIED_DATA: ReadonlyMap<string, string> = new Map([
  [".nv.merc.nv.global.init", ".nv.global.init"],
  [".nv.merc.nv.constant.user", ".nv.constant3"],
  [".nv.merc.nv.constant.pic", ".nv.constant4"],
]);

/** The relocations that may occur in a section of that name; undefined if none are known. */
export function relocationPlaces(name: string): RelocationPlaces | undefined {
  return RELOCATION_PLACES.find(({ of }) =>
    of.some((whole) => name === whole || (/[._]$/.test(whole) && name.startsWith(whole))),
  );
}
