// The relocation tables of an object: the inputs' relocations with its symbol numbers, except those of discarded bytes. The
// target decides whether relocations without an addend go into a REL table. docs/format.md, "Relocations".

import { offsetIn } from "../kept-ranges.js";
import { forEachRecord } from "../relocations.js";
import { putLong } from "../../../../formats/bytes/long-words.js";
import { addToRuns, closeRuns, createRuns, openRuns } from "../relocation-runs.js";
import { REL_WORDS, RELA_WORDS, relocationsIn, type SectionRow, fileFinder } from "../columns.js";
import type { ImageValues, OutputObject } from "./output-object.js";
import { createOutputRelocations, type OutputRelocations } from "./output-rows.js";

/** `elfOf`: ELF symbol of each symbol of the object. */
export function objectRelocations(object: OutputObject, elfOf: Int32Array, writesRel: boolean): OutputRelocations {
  const { columns, sections, keptRanges, image } = object;
  const [all, most] = relocationCounts(object);
  const applied = image === undefined ? undefined : appliedRecords(image, elfOf);
  const output = createOutputRelocations(sections.length, createRuns(), new Uint32Array(RELA_WORDS * all), applied);
  const { records, start, relaStart, runs, runStart, appliedStart } = output;
  const fileOf = fileFinder(columns);
  /** Those of a section with addends, which follow the others. */
  const withAddends = new Uint32Array(RELA_WORDS * most);
  let [nextRel, nextRela] = [0, 0];
  const move = (row: SectionRow, file: number, i: number): void => {
    const { words } = columns.files[file]!;
    const first = columns.firstElfSymbol[file]!;
    const own = keptRanges.get(row);
    forEachRecord(columns, file, row, (at, code) => {
      const isRela = (code & 1) !== 0;
      const offset = offsetIn(own, words[at]!);
      if (offset < 0) return;
      const low = isRela ? words[at + 4]! : 0;
      const high = isRela ? words[at + 5]! : 0;
      const toRela = !writesRel || (low | high) !== 0;
      const into = toRela ? withAddends : records;
      const to = toRela ? nextRela : nextRel;
      into[to] = offset;
      into[to + 2] = words[at + 2]!;
      into[to + 3] = elfOf[object.numberOf(columns.symbolOf[first + words[at + 3]!]!)]!;
      if (toRela) {
        into[to + 4] = low;
        into[to + 5] = high;
        nextRela += RELA_WORDS;
      } else nextRel += REL_WORDS;
      addToRuns(runs, (code & ~1) | (toRela ? 1 : 0), 1, runStart[i]! + 1);
    });
  };
  sections.forEach(({ row }, i) => {
    runStart[i] = openRuns(runs);
    move(row, fileOf(row), i);
    closeRuns(runs, runStart[i]!);
    relaStart[i] = nextRel;
    records.set(withAddends.subarray(0, nextRela), nextRel);
    start[i + 1] = nextRel += nextRela;
    nextRela = 0;
    appliedStart[i + 1] = appliedStart[i]! + RELA_WORDS * (image?.applied[i]!.length ?? 0);
  });
  return output;
}

/** Upper bounds of the number of relocations, and of those in one section. */
function relocationCounts({ columns, sections }: OutputObject): readonly [all: number, most: number] {
  let [all, most] = [0, 0];
  for (const { row } of sections) {
    const count = relocationsIn(columns, row);
    all += count;
    most = Math.max(most, count);
  }
  return [all, most];
}

/** The records of applied relocations, section by section. */
function appliedRecords({ applied }: ImageValues, elfOf: Int32Array): Uint32Array {
  const words = new Uint32Array(RELA_WORDS * applied.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { offset, type, symbol, addend } of applied.flat()) {
    putLong(words, at, offset);
    words[at + 2] = type;
    words[at + 3] = elfOf[symbol]!;
    words[at + 4] = Number(BigInt.asUintN(32, addend));
    words[at + 5] = Number(BigInt.asUintN(32, addend >> 32n));
    at += RELA_WORDS;
  }
  return words;
}
