// Iterates over the relocations of sections, from a REL and a RELA table. ../../link/image/relocate.ts applies them,
// write/relocations.ts writes them.

import type { Relocation } from "../object.js";
import { offsetIn, type KeptRanges } from "./kept-ranges.js";
import { REL_WORDS, RELA_WORDS, type SectionRow, type SymbolRow, type Columns } from "./columns.js";

/**
 * Visits a section's relocation records run by run: start and end in the words of the file, and the code of the run. A record is
 * offset, 0, type, symbol, and with an addend two more words. The code is twice the bytes of the holder, plus 1 with an addend.
 */
export function forEachRun(
  { files, rel, rela, runs }: Columns,
  file: number,
  section: SectionRow,
  show: (start: number, end: number, code: number) => void,
): void {
  let relAt = rel[section]!;
  let relaAt = rela[section]!;
  if (relAt === 0 && relaAt === 0) return;
  const { words } = files[file]!;
  const start = runs[section]! + 1;
  const end = start + 2 * words[start - 1]!;
  for (let at = start; at < end; at += 2) {
    const count = words[at]!;
    const code = words[at + 1]!;
    if ((code & 1) !== 0) show(relaAt, (relaAt += RELA_WORDS * count), code);
    else show(relAt, (relAt += REL_WORDS * count), code);
  }
}

/** Visits the same records one by one. */
export function forEachRecord(
  columns: Columns,
  file: number,
  section: SectionRow,
  show: (at: number, code: number) => void,
): void {
  forEachRun(columns, file, section, (start, end, code) => {
    const step = stepOf(code);
    for (let at = start; at < end; at += step) show(at, code);
  });
}

/** Words in a record of a run with that code. */
export const stepOf = (code: number): number => ((code & 1) !== 0 ? RELA_WORDS : REL_WORDS);

/** Visits each relocation of a section, with its offset, symbol row and type. Skips relocations to removed symbols. */
export function forEachRelocation(
  columns: Columns,
  file: number,
  section: SectionRow,
  show: (offset: number, target: SymbolRow, type: number) => void,
): void {
  const { words } = columns.files[file]!;
  const first = columns.firstElfSymbol[file]!;
  forEachRecord(columns, file, section, (at) => {
    const symbol = columns.symbolOf[first + words[at + 3]!]!;
    if (symbol >= 0) show(words[at]!, symbol, words[at + 2]!);
  });
}

/** The file index of each section. */
export function filesOfSections({ files, firstSection }: Columns): Int32Array {
  const fileOf = new Int32Array(firstSection.at(-1)!);
  for (let file = 0; file < files.length; file++) fileOf.fill(file, firstSection[file]!, firstSection[file + 1]!);
  return fileOf;
}

/**
 * The relocations of a section as values, in the order of its runs, without those to removed symbols and those in removed bytes.
 * `ranges`: the kept bytes. `numberOf`: a symbol's number in the object.
 */
export function relocationsOf(
  columns: Columns,
  file: number,
  section: SectionRow,
  ranges: KeptRanges | undefined,
  numberOf: (symbol: SymbolRow) => number,
): readonly Relocation[] {
  const { words } = columns.files[file]!;
  const first = columns.firstElfSymbol[file]!;
  const relocations: Relocation[] = [];
  forEachRecord(columns, file, section, (at, code) => {
    const elf = first + words[at + 3]!;
    const symbol = columns.symbolOf[elf]!;
    const offset = offsetIn(ranges, words[at]!);
    if (symbol < 0 || offset < 0) return;
    const own = (code & 1) !== 0 ? addendAt(words, at + 4) : 0n;
    const shift = columns.shifts.get(elf);
    const addend = shift === undefined ? own : own + BigInt(shift);
    relocations.push({ offset, type: words[at + 2]!, symbol: numberOf(symbol), addend, width: code >> 1 });
  });
  return relocations;
}

/** Two words as a signed number. */
export const addendAt = (words: Uint32Array, at: number): bigint =>
  words[at + 1] === 0 ? BigInt(words[at]!) : BigInt.asIntN(64, BigInt(words[at]!) | (BigInt(words[at + 1]!) << 32n));
