// Reads a file's call graph: calls, and addresses of functions.

import { parsePrototype } from "../../../../formats/cuda/index.js";
import { SHT_CUDA } from "../../../../formats/elf/constants.table.js";
import { unsupported } from "../cursor.js";
import { KIND } from "../columns.js";
import { internEnding, stringOf, type StringId } from "../strings.js";
import { bytesOf, linkOf, placeOf, STRINGS, SYMBOLS, typeOf } from "./elf-file.js";
import { wordAt, type ReaderState } from "./reader-state.js";

/**
 * Limit of the bytes read for prototypes, relative to the size of the string table: many entries may refer to the same string.
 */
const MAX_READING = 64;

export function readGraph(state: ReaderState): void {
  const { file, graph, columns } = state;
  const { words } = file;
  // Prototypes are strings in the table of symbol names, so the section must be linked to the symbols.
  if (typeOf(file, graph) !== SHT_CUDA.CALLGRAPH || linkOf(file, graph) !== SYMBOLS) unsupported("call graph");
  const bytes = bytesOf(file, graph);
  if (bytes % 8 !== 0) unsupported("call graph");
  const { calls, addressTaken, addressUses, indirectCalls } = columns;
  let left = MAX_READING * bytesOf(file, STRINGS);
  let list = 0;
  const start = wordAt(placeOf(file, graph));
  for (let at = start; at < start + bytes / 4; at += 2) {
    const one = words[at]!;
    const other = words[at + 1]!;
    if (one === 0 && other >= 2 ** 31) {
      if (2 ** 32 - other !== ++list) unsupported("lists of the call graph");
      continue;
    }
    const row = functionOf(state, one);
    if (list === 1) calls.push(row, functionOf(state, other));
    else if (list === 2) addressTaken.push(row);
    else if (list === 3) {
      const prototype = prototypeAt(state, other);
      left -= columns.strings.start[prototype + 1]! - columns.strings.start[prototype]!;
      if (left < 0) unsupported("prototypes again and again");
      indirectCalls.push(row, prototype);
    } else if (list === 4) addressUses.push(row, functionOf(state, other));
    else unsupported("lists of the call graph");
  }
  if (list !== 4) unsupported("lists of the call graph");
}

function functionOf({ file, columns, index }: ReaderState, elf: number): number {
  const row = elf < file.symbolCount ? columns.symbolOf[columns.firstElfSymbol[index]! + elf]! : -1;
  return row >= 0 && columns.code[row]! >> 4 === KIND.function ? row : unsupported("no function");
}

/** The prototype string at an offset in the table of symbol names. */
function prototypeAt({ file, columns, checked }: ReaderState, offset: number): StringId {
  if (offset >= bytesOf(file, STRINGS)) unsupported("a prototype");
  const text = internEnding(columns.strings, file.bytes, placeOf(file, STRINGS) + offset);
  if (!checked.prototypes.has(text)) {
    if (!parsePrototype(stringOf(columns.strings, text)).ok) unsupported("a prototype");
    checked.prototypes.add(text);
  }
  return text;
}
