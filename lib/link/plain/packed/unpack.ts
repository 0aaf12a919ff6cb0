// A packed object (packed.ts) -> rows of the tables of a plain link (../tables/tables.ts): what ../read/object-reader.ts does of a file.

import { longAt } from "../tables/long-words.js";
import { COUNT, COUNTS, moduleIn, SECTION_WORDS, SYMBOL_WORDS, type PackedObject } from "./packed.js";
import type { SizedFile, Tables } from "../tables/tables.js";
import { moduleWords } from "../tables/modules.js";
import { wordIn, type Translation } from "./vocabulary.js";

export const sizedPacked = ({ rows, records, bytes }: PackedObject): SizedFile => ({
  bytes,
  words: records,
  symbolCount: rows[COUNT.symbols]!,
  sectionCount: rows[COUNT.sections]!,
});

/** Puts it in as number `index`, those before it being there; `translation` of its vocabulary into that of the tables, where they are two. */
export function unpack(tables: Tables, index: number, packed: PackedObject, translation?: Translation): void {
  const { rows, debug } = packed;
  const { rare, debug: parts, firstModule } = tables;
  tables.firstElf[index + 1] = tables.firstElf[index]! + rows[COUNT.symbols]!;
  tables.firstSymbol[index + 1] = tables.firstSymbol[index]! + rows[COUNT.symbols]!;
  tables.firstSection[index + 1] = tables.firstSection[index]! + rows[COUNT.sections]!;
  firstModule[index + 1] = firstModule[index]! + rows[COUNT.modules]!;
  unpackSymbols(tables, index, rows, translation);
  unpackSections(tables, index, rows);
  unpackLists(tables, index, rows, translation);
  rare.shared += rows[COUNT.shared]!;
  rare.common += rows[COUNT.common]!;
  rare.references += rows[COUNT.references]!;
  rare.secondNames += rows[COUNT.secondNames]!;
  rare.aliases += rows[COUNT.aliases]!;
  for (const { name, module, data, shape } of debug)
    parts.push({
      file: index,
      name: translation?.text[name] ?? name,
      module: firstModule[index]! + module,
      data,
      shape,
    });
}

const SAME: Partial<Translation> = {};

function unpackSymbols(tables: Tables, index: number, rows: Int32Array, translation: Translation | undefined): void {
  const { text, shape } = translation ?? SAME;
  const first = tables.firstSymbol[index]!;
  const end = tables.firstSymbol[index + 1]!;
  const module = tables.firstModule[index]!;
  const section = tables.firstSection[index]!;
  let number = tables.firstElf[index]!;
  for (let row = first, at = COUNTS; row < end; row++, at += SYMBOL_WORDS) {
    const place = rows[at + 3]!;
    tables.name[row] = text === undefined ? rows[at]! : text[rows[at]!]!;
    tables.code[row] = rows[at + 1]! & 0xff;
    tables.flags[row] = rows[at + 1]! >> 8;
    tables.shape[row] = shape === undefined ? rows[at + 2]! : shape[rows[at + 2]!]!;
    tables.place[row] = place < 0 ? place : section + place;
    tables.offset[row] = longAt(rows, at + 4);
    tables.module[row] = module + rows[at + 8]!;
    tables.line[row] = rows[at + 6]!;
    tables.column[row] = rows[at + 7]!;
    tables.symbolOf[number++] = row;
  }
}

function unpackSections(tables: Tables, index: number, rows: Int32Array): void {
  const firstSymbol = tables.firstSymbol[index]!;
  const first = tables.firstSection[index]!;
  const end = tables.firstSection[index + 1]!;
  let at = COUNTS + SYMBOL_WORDS * rows[COUNT.symbols]!;
  for (let row = first; row < end; row++, at += SECTION_WORDS) {
    const owner = rows[at + 1]!;
    tables.role[row] = rows[at]! & 0xff;
    tables.facts[row] = rows[at]! >> 8;
    tables.owner[row] = owner < 0 ? -1 : firstSymbol + owner;
    tables.at[row] = rows[at + 2]!;
    tables.size[row] = longAt(rows, at + 3);
    tables.align[row] = longAt(rows, at + 5);
    tables.runs[row] = rows[at + 10]!;
    if (rows[at + 7] === rows[at + 8]) continue;
    const isRela = rows[at + 9] !== 0;
    (isRela ? tables.rela : tables.rel)[row] = rows[at + 7]!;
    (isRela ? tables.relaEnd : tables.relEnd)[row] = rows[at + 8]!;
  }
}

/** The data after the rows: the modules, and the symbols' lists. */
function unpackLists(tables: Tables, index: number, rows: Int32Array, translation: Translation | undefined): void {
  const { text } = translation ?? SAME;
  const { modules, moduleStart, moduleVersion, targets, kernels, calls, taken, addressUses, indirectCalls } = tables;
  const symbol = tables.firstSymbol[index]!;
  let at = moduleIn(rows);
  const target = text === undefined ? rows[COUNT.target]! : text[rows[COUNT.target]!]!;
  const own = rows[COUNT.modules]!;
  for (let module = 0, start = modules.length; module < own; module++) {
    moduleStart.push(start);
    for (const end = at + moduleWords(rows, at); at < end; at++) modules.push(wordIn(rows[at]!, text));
    moduleVersion.push(modules[start + 1]!);
    if (own > 1) targets.add(-modules[start + 2]! - 1);
    start = modules.length;
  }
  if (own < 2) targets.add(target);
  if (own === 0 || (own === 1 && modules[moduleStart.at(-1)! + 2] !== -target - 1))
    tables.otherTargets.set(index, { target, version: rows[COUNT.version]! });
  for (const end = at + rows[COUNT.kernels]!; at < end; at++) kernels.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.calls]!; at < end; at++) calls.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.taken]!; at < end; at++) taken.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.addressUses]!; at < end; at++) addressUses.push(symbol + rows[at]!);
  for (const end = at + rows[COUNT.indirectCalls]!; at < end; at += 2)
    indirectCalls.push(symbol + rows[at]!, text === undefined ? rows[at + 1]! : text[rows[at + 1]!]!);
}
