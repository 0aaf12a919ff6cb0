// The lines and labels of a function by offset in its encoded bytes, for DWARF that refers to them (../dwarf/debug-places.ts).
// Computed while the code is in memory, so that not all code must be kept: one row for each run of instructions with the same
// `.loc`.

import type { Code, SourceLocation } from "../../isa/code.js";

/** All places are in bytes from the start of the section. */
export interface CodePlaces {
  readonly locations: readonly SourceLocation[];
  /** Pairs: the index of a location, or -1, and the start of the first instruction of its run. */
  readonly rows: Int32Array;
  readonly labels: readonly { readonly name: string; readonly offset: number }[];
  /** End of the last instruction. */
  readonly end: number;
}

/** A function's name with its places. */
export interface PlacedCode extends CodePlaces {
  readonly name: string;
}

/** `starts`: the start of each instruction and the end of the last one, relative to byte `base` of the section. */
export function codePlaces(
  { instructions, labels, locations }: Code,
  starts: readonly number[],
  base: number,
): CodePlaces {
  const rows: number[] = [];
  let last = -1;
  for (let i = 0; i < instructions.length; i++) {
    const { location } = instructions[i]!;
    if (location === last) continue;
    last = location;
    rows.push(location, base + starts[i]!);
  }
  return {
    locations,
    rows: Int32Array.from(rows),
    labels: labels.map(({ name, target }) => ({ name, offset: base + starts[target]! })),
    end: base + starts[instructions.length]!,
  };
}
