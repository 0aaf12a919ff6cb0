// Unpacks a packed object (packed-object.ts) to rows of the columns, like ../read/object-reader.ts for a file.

import { longAt } from "../../../../formats/bytes/long-words.js";
import { COUNT, COUNTS, moduleIn, SECTION_WORDS, SYMBOL_WORDS, type PackedObject } from "./packed-object.js";
import { createColumns, type SizedFile, type Columns } from "../columns.js";
import type { TypeTable } from "../types.js";
import { moduleWords } from "../modules.js";
import { wordIn, type Translation } from "./dictionary.js";

export const packedFile = ({ rows, records, bytes }: PackedObject): SizedFile => ({
  bytes,
  words: records,
  symbolCount: rows[COUNT.symbols]!,
  sectionCount: rows[COUNT.sections]!,
});

/** The columns of a single packed object; `types`: its dictionary. */
export function columnsOfPacked(packed: PackedObject, types: TypeTable): Columns {
  const columns = createColumns([packedFile(packed)], types);
  unpack(columns, 0, packed);
  return columns;
}

/**
 * Adds the rows of object number `index`; earlier objects have been added. `translation`: from the object's dictionary to that of
 * the columns, if they differ.
 */
export function unpack(columns: Columns, index: number, packed: PackedObject, translation?: Translation): void {
  const { rows, debug } = packed;
  const { featureCounts, debug: parts, firstModule } = columns;
  columns.firstElfSymbol[index + 1] = columns.firstElfSymbol[index]! + rows[COUNT.symbols]!;
  columns.firstSymbol[index + 1] = columns.firstSymbol[index]! + rows[COUNT.symbols]!;
  columns.firstSection[index + 1] = columns.firstSection[index]! + rows[COUNT.sections]!;
  firstModule[index + 1] = firstModule[index]! + rows[COUNT.modules]!;
  unpackSymbols(columns, index, rows, translation);
  unpackSections(columns, index, rows);
  unpackLists(columns, index, rows, translation);
  featureCounts.shared += rows[COUNT.shared]!;
  featureCounts.common += rows[COUNT.common]!;
  featureCounts.references += rows[COUNT.references]!;
  featureCounts.functionAliases += rows[COUNT.functionAliases]!;
  featureCounts.aliases += rows[COUNT.aliases]!;
  for (const { name, module, data, record } of debug)
    parts.push({
      file: index,
      name: translation?.string[name] ?? name,
      module: firstModule[index]! + module,
      data,
      record,
    });
}

const SAME: Partial<Translation> = {};

function unpackSymbols(columns: Columns, index: number, rows: Int32Array, translation: Translation | undefined): void {
  const { string, typeId } = translation ?? SAME;
  const first = columns.firstSymbol[index]!;
  const end = columns.firstSymbol[index + 1]!;
  const module = columns.firstModule[index]!;
  const section = columns.firstSection[index]!;
  let number = columns.firstElfSymbol[index]!;
  for (let row = first, at = COUNTS; row < end; row++, at += SYMBOL_WORDS) {
    const place = rows[at + 3]!;
    columns.name[row] = string === undefined ? rows[at]! : string[rows[at]!]!;
    columns.code[row] = rows[at + 1]! & 0xff;
    columns.flags[row] = rows[at + 1]! >> 8;
    columns.typeId[row] = typeId === undefined ? rows[at + 2]! : typeId[rows[at + 2]!]!;
    columns.sectionOf[row] = place < 0 ? place : section + place;
    columns.offset[row] = longAt(rows, at + 4);
    columns.module[row] = module + rows[at + 8]!;
    columns.line[row] = rows[at + 6]!;
    columns.column[row] = rows[at + 7]!;
    columns.symbolOf[number++] = row;
  }
}

function unpackSections(columns: Columns, index: number, rows: Int32Array): void {
  const firstSymbol = columns.firstSymbol[index]!;
  const first = columns.firstSection[index]!;
  const end = columns.firstSection[index + 1]!;
  let at = COUNTS + SYMBOL_WORDS * rows[COUNT.symbols]!;
  for (let row = first; row < end; row++, at += SECTION_WORDS) {
    const owner = rows[at + 1]!;
    columns.role[row] = rows[at]! & 0xff;
    columns.codeProperties[row] = rows[at]! >> 8;
    columns.owner[row] = owner < 0 ? -1 : firstSymbol + owner;
    columns.contentsAt[row] = rows[at + 2]!;
    columns.size[row] = longAt(rows, at + 3);
    columns.align[row] = longAt(rows, at + 5);
    columns.runs[row] = rows[at + 10]!;
    if (rows[at + 7] === rows[at + 8]) continue;
    const isRela = rows[at + 9] !== 0;
    (isRela ? columns.rela : columns.rel)[row] = rows[at + 7]!;
    (isRela ? columns.relaEnd : columns.relEnd)[row] = rows[at + 8]!;
  }
}

/** Adds the lists after the rows: modules, and lists of symbols. */
function unpackLists(columns: Columns, index: number, rows: Int32Array, translation: Translation | undefined): void {
  const { string } = translation ?? SAME;
  const { modules, moduleStart, moduleVersion, targets, kernels, calls, addressTaken, addressUses, indirectCalls } =
    columns;
  const symbol = columns.firstSymbol[index]!;
  let at = moduleIn(rows);
  const target = string === undefined ? rows[COUNT.target]! : string[rows[COUNT.target]!]!;
  const own = rows[COUNT.modules]!;
  for (let module = 0, start = modules.length; module < own; module++) {
    moduleStart.push(start);
    for (const end = at + moduleWords(rows, at); at < end; at++) modules.push(wordIn(rows[at]!, string));
    moduleVersion.push(modules[start + 1]!);
    if (own > 1) targets.add(-modules[start + 2]! - 1);
    start = modules.length;
  }
  if (own < 2) targets.add(target);
  if (own === 0 || (own === 1 && modules[moduleStart.at(-1)! + 2] !== -target - 1))
    columns.otherTargets.set(index, { target, version: rows[COUNT.version]! });
  for (const end = at + rows[COUNT.kernels]!; at < end; at++) kernels.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.calls]!; at < end; at++) calls.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.addressTaken]!; at < end; at++) addressTaken.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.addressUses]!; at < end; at++) addressUses.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.indirectCalls]!; at < end; at += 2)
    indirectCalls.push(symbol + rows[at]!, string === undefined ? rows[at + 1]! : string[rows[at + 1]!]!);
}
