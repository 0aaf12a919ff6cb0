// The relocation tables of an object: the inputs' relocations with its symbol numbers, except those of discarded bytes. The
// target decides whether relocations without an addend go into a REL table. docs/format.md, "Relocations".

import { offsetIn } from "../kept-ranges.js";
import { forEachRecord } from "../relocations.js";
import { addToRuns, createRuns, type Runs } from "../relocation-runs.js";
import { REL_WORDS, RELA_WORDS, relocationsIn, type SectionRow, fileFinder } from "../columns.js";
import type { OutputObject } from "./output-object.js";

/** The relocations of all sections, in order; the lists of starts include the end. */
export interface ObjectRelocations {
  /** Records without and with addends, and the first word of each section. */
  readonly rel: Uint32Array;
  readonly rela: Uint32Array;
  readonly relStart: Int32Array;
  readonly relaStart: Int32Array;
  /** Their runs, and the first word of each section. */
  readonly runs: Runs;
  readonly runStart: Int32Array;
}

/** `elfOf`: ELF symbol of each symbol of the object. */
export function objectRelocations(object: OutputObject, elfOf: Int32Array, writesRel: boolean): ObjectRelocations {
  const { columns, sections, keptRanges } = object;
  const [most, fileOf] = [mostRelocations(object), fileFinder(columns)];
  const rel = new Uint32Array(writesRel ? REL_WORDS * most : 0);
  const rela = new Uint32Array(RELA_WORDS * most);
  const [relStart, relaStart, runStart] = [0, 1, 2].map(() => new Int32Array(sections.length + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const runs = createRuns();
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
      const into = toRela ? rela : rel;
      const to = toRela ? nextRela : nextRel;
      into[to] = offset;
      into[to + 2] = words[at + 2]!;
      into[to + 3] = elfOf[object.numberOf(columns.symbolOf[first + words[at + 3]!]!)]!;
      if (toRela) {
        into[to + 4] = low;
        into[to + 5] = high;
        nextRela += RELA_WORDS;
      } else nextRel += REL_WORDS;
      addToRuns(runs, (code & ~1) | (toRela ? 1 : 0), 1, runStart[i]!);
    });
  };
  sections.forEach(({ row }, i) => {
    move(row, fileOf(row), i);
    relStart[i + 1] = nextRel;
    relaStart[i + 1] = nextRela;
    runStart[i + 1] = runs.length;
  });
  return { rel, rela, relStart, relaStart, runs, runStart };
}

/** Upper bound of the number of relocations. */
function mostRelocations({ columns, sections }: OutputObject): number {
  let most = 0;
  for (const { row } of sections) most += relocationsIn(columns, row);
  return most;
}
