// The file's call graph: calls, and addresses of functions.

import { parsePrototype } from "../../../../formats/cuda/index.js";
import { SHT_CUDA } from "../../../../formats/elf/constants.table.js";
import { notPlain } from "../tables/cursor.js";
import { KIND } from "../tables/tables.js";
import { internEnding, textOf, type TextId } from "../tables/texts.js";
import { bytesOf, linkOf, placeOf, STRINGS, SYMBOLS, typeOf } from "./frame.js";
import { wordAt, type Reading } from "./reading.js";

/** How often the names of symbols may be read for prototypes, which may be one again and again. */
const MOST_READING = 64;

export function readGraph(reading: Reading): void {
  const { file, graph, tables } = reading;
  const { words } = file;
  // By way of symbols' names the texts of prototypes are found.
  if (typeOf(file, graph) !== SHT_CUDA.CALLGRAPH || linkOf(file, graph) !== SYMBOLS) notPlain("call graph");
  const bytes = bytesOf(file, graph);
  if (bytes % 8 !== 0) notPlain("call graph");
  const { calls, taken, addressUses, indirectCalls } = tables;
  let left = MOST_READING * bytesOf(file, STRINGS);
  let list = 0;
  const start = wordAt(placeOf(file, graph));
  for (let at = start; at < start + bytes / 4; at += 2) {
    const one = words[at]!;
    const other = words[at + 1]!;
    if (one === 0 && other >= 2 ** 31) {
      if (2 ** 32 - other !== ++list) notPlain("lists of the call graph");
      continue;
    }
    const row = functionOf(reading, one);
    if (list === 1) calls.push(row, functionOf(reading, other));
    else if (list === 2) taken.push(row);
    else if (list === 3) {
      const prototype = prototypeAt(reading, other);
      left -= tables.texts.start[prototype + 1]! - tables.texts.start[prototype]!;
      if (left < 0) notPlain("prototypes again and again");
      indirectCalls.push(row, prototype);
    } else if (list === 4) addressUses.push(row, functionOf(reading, other));
    else notPlain("lists of the call graph");
  }
  if (list !== 4) notPlain("lists of the call graph");
}

function functionOf({ file, tables, index }: Reading, elf: number): number {
  const row = elf < file.symbolCount ? tables.symbolOf[tables.firstElf[index]! + elf]! : -1;
  return row >= 0 && tables.code[row]! >> 4 === KIND.function ? row : notPlain("no function");
}

/** The text of a prototype by its place among the names of symbols. */
function prototypeAt({ file, tables, checked }: Reading, offset: number): TextId {
  if (offset >= bytesOf(file, STRINGS)) notPlain("a prototype");
  const text = internEnding(tables.texts, file.bytes, placeOf(file, STRINGS) + offset);
  if (!checked.prototypes.has(text)) {
    if (!parsePrototype(textOf(tables.texts, text)).ok) notPlain("a prototype");
    checked.prototypes.add(text);
  }
  return text;
}
