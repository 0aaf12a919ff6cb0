// Which relocations occur in which sections of cubins, of which symbols, and what their addends may be. Seen in 8,300 files of
// ptxas, nvlink and nvcc 13.0.88 for sm_75 to sm_121 (section-shapes.table.ts says which). Types below 0x10000: those of the
// second copy of metadata (.nv.merc) are not understood.

/** What a relocation's symbol is. `system` is what the tools define without a place: __UFT_OFFSET and the like. */
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
 * What r_addend may be: 0; any; the place of an instruction of the function that is the symbol (and 0 of a variable); a place in
 * what the symbol names, 0 included.
 */
export type AddendRule = "zero" | "any" | "instruction" | "inside";

export interface RelocationShape {
  readonly types: readonly number[];
  readonly symbols: readonly SymbolRole[];
  readonly addend: AddendRule;
  /** First SM number that has it, and the first that has it no more */
  readonly since: number;
  readonly until: number;
  /** Whether images have it; others have it only in what -preserve-relocs keeps. */
  readonly inImages: boolean;
  /** Every place is a multiple of it, bytes; where it is more than the section's. */
  readonly step: number | undefined;
}

export interface RelocationPlaces {
  /** The sections that are relocated: whole names, or beginnings that end in a dot. */
  readonly of: readonly string[];
  /** Every place is a multiple of it, bytes. */
  readonly step: number;
  /** Whether before sm_90 an addend of 0 has a record without addend. */
  readonly splits: boolean;
  /** Whether both halves of an address are written. */
  readonly hasHalves?: boolean;
  readonly rows: readonly RelocationShape[];
}

interface Limits {
  readonly since?: number;
  readonly until?: number;
  readonly inImages?: boolean;
  readonly step?: number;
}

function row(
  types: number | readonly number[],
  symbols: readonly SymbolRole[],
  addend: AddendRule,
  { since = 0, until = Infinity, inImages = true, step }: Limits = {},
): RelocationShape {
  return { types: typeof types === "number" ? [types] : types, symbols, addend, since, until, inImages, step };
}

const eight = (first: number): readonly number[] => Array.from({ length: 8 }, (_, byte) => first + byte);
const CODE = ["function", "kernel"] as const;
const OPAQUE = ["texture", "sampler", "surface"] as const;
const OBJECT = { inImages: false } as const;

export const RELOCATION_PLACES: readonly RelocationPlaces[] = [
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
      // Addresses stand in words, bytes of them anywhere.
      row(2, ["const", "function"], "any", { step: 4 }),
      row(eight(76), ["const", "function"], "any"),
      row(4, ["global", "const", ...OPAQUE], "any", { step: 4 }),
      row(eight(84), ["global", "const", ...OPAQUE], "any"),
      row(35, ["kernel"], "zero", { step: 4 }),
      row(eight(92), ["kernel"], "zero"),
      row(102, ["function"], "zero", { ...OBJECT, since: 90, step: 4 }),
      row(eight(104), ["function"], "zero", { ...OBJECT, since: 90 }),
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
    // An addend of the section counts more than its bytes where a function has several frames.
    rows: [row(2, ["section"], "any"), row(2, CODE, "inside"), row(73, CODE, "zero", OBJECT)],
  },
  {
    of: [".debug_", ".nv_debug_"],
    step: 1,
    splits: false,
    rows: [
      row(1, ["section"], "inside"),
      row(2, [...CODE, "global"], "inside"),
      // Counted with what the system keeps.
      row(2, ["shared"], "any"),
      row(4, ["const"], "inside"),
    ],
  },
];

/** The first type of the second copy of metadata, and the first that is none of them. */
export const MERC_TYPES = [0x1_0000, 0x1_0080] as const;

/** What may be relocated in a section of that name; undefined where nothing is known. */
export function relocationPlaces(name: string): RelocationPlaces | undefined {
  return RELOCATION_PLACES.find(({ of }) =>
    of.some((whole) => name === whole || (/[._]$/.test(whole) && name.startsWith(whole))),
  );
}
