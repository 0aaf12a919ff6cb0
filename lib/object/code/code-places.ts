// The lines and labels of a function by offset in its encoded bytes, for DWARF that refers to them (../dwarf/debug-places.ts).
// Computed while the code is in memory, so that not all code must be: a row for each run of instructions with one `.loc`.

import type { Code, SourceLocation } from "../../isa/code.js";

/** All places are bytes from the start of the section. */
export interface CodePlaces {
  readonly locations: readonly SourceLocation[];
  /** Pairs: the index of a location, -1 for none, and where the first of the instructions begins that it holds for. */
  readonly rows: Int32Array;
  readonly labels: readonly { readonly name: string; readonly offset: number }[];
  /** Where the last instruction ends. */
  readonly end: number;
}

/** A function's name with its places. */
export interface PlacedCode extends CodePlaces {
  readonly name: string;
}

/** `starts`: where each instruction begins and the last one ends, from `base` bytes before the section's start or behind it. */
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
