// The relocations of the sections of a plain link (link.ts) one after the other, as the ordinary linker has them in an object. Those
// who go through all that there are, patching or moving them, have this loop in their own (relocate.ts, join-relocate.ts).

import type { Relocation } from "../../object/object.js";
import { readVarU } from "./cursor.js";
import { placeIn, type Pieces } from "./pieces.js";
import type { SectionRow, SymbolRow, Tables } from "./tables.js";

/** Shows each relocation of a section: its offset, the symbol of the object that it names, and its type. Those to what is gone are none. */
export function forEachTarget(
  tables: Tables,
  file: number,
  section: SectionRow,
  show: (offset: number, target: SymbolRow, type: number) => void,
): void {
  const plain = tables.files[file]!;
  const { words } = plain;
  const first = tables.firstElf[file]!;
  const [rel, rela] = [tables.rel[section]!, tables.rela[section]!];
  const visit = (at: number): void => {
    const symbol = tables.symbolOf[first + words[at + 3]!]!;
    if (symbol >= 0) show(words[at]!, symbol, words[at + 2]!);
  };
  if (rel === 0 || rela === 0) {
    const stride = rel === 0 ? 6 : 4;
    const end = (rel === 0 ? tables.relaEnd : tables.relEnd)[section]!;
    for (let at = rel === 0 ? rela : rel; at < end; at += stride) visit(at);
    return;
  }
  // Of two tables the runs tell the order.
  let relAt = rel;
  let relaAt = rela;
  const cursor = { bytes: plain.bytes, at: tables.runs[section]!, end: plain.bytes.length };
  for (let left = readVarU(cursor); left > 0; left--) {
    const count = readVarU(cursor);
    const isRela = (readVarU(cursor) & 1) !== 0;
    for (let i = 0; i < count; i++) {
      visit(isRela ? relaAt : relAt);
      if (isRela) relaAt += 6;
      else relAt += 4;
    }
  }
}

/** The file of each section. */
export function filesOfSections({ files, firstSection }: Tables): Int32Array {
  const fileOf = new Int32Array(firstSection.at(-1)!);
  for (let file = 0; file < files.length; file++) fileOf.fill(file, firstSection[file]!, firstSection[file + 1]!);
  return fileOf;
}

/**
 * The relocations of a section as values, in the order of its runs, but those to what is gone and those in bytes that are.
 * `pieces`: where its bytes are now. `numberOf`: what a symbol is called in the object.
 */
export function* relocationsOf(
  tables: Tables,
  file: number,
  section: SectionRow,
  pieces: Pieces | undefined,
  numberOf: (symbol: SymbolRow) => number,
): Generator<Relocation, void, undefined> {
  const plain = tables.files[file]!;
  const { words } = plain;
  const first = tables.firstElf[file]!;
  const [rel, rela] = [tables.rel[section]!, tables.rela[section]!];
  if (rel === 0 && rela === 0) return;
  let relAt = rel;
  let relaAt = rela;
  const cursor = { bytes: plain.bytes, at: tables.runs[section]!, end: plain.bytes.length };
  for (let left = readVarU(cursor); left > 0; left--) {
    const count = readVarU(cursor);
    const code = readVarU(cursor);
    const isRela = (code & 1) !== 0;
    for (let i = 0; i < count; i++) {
      const at = isRela ? relaAt : relAt;
      if (isRela) relaAt += 6;
      else relAt += 4;
      const symbol = tables.symbolOf[first + words[at + 3]!]!;
      const offset = placeIn(pieces, words[at]!);
      if (symbol < 0 || offset < 0) continue;
      const own = isRela ? addendAt(words, at + 4) : 0n;
      const shift = tables.shifts.get(first + words[at + 3]!);
      const addend = shift === undefined ? own : own + BigInt(shift);
      yield { offset, type: words[at + 2]!, symbol: numberOf(symbol), addend, width: code >> 1 };
    }
  }
}

/** Two words as a number with a sign. */
const addendAt = (words: Uint32Array, at: number): bigint =>
  words[at + 1] === 0 ? BigInt(words[at]!) : BigInt.asIntN(64, BigInt(words[at]!) | (BigInt(words[at + 1]!) << 32n));
