// The file's call graph: calls, and addresses of functions.

import * as ELF from "./constants";
import { bytesOf, file, firstElf, graph, kindOf, linkOf, placeOf, symbolCount, symbolOf, typeOf, wordOf } from "./file";
import { notPlain } from "./leave";
import { List, push } from "./memory";
import { intern } from "./texts";

/** Caller and callee; functions whose address is taken; function and the one whose address its code takes. */
export const calls = changetype<List>(memory.data(12));
export const taken = changetype<List>(memory.data(12));
export const addressUses = changetype<List>(memory.data(12));
/** Function and the text of the prototype that it calls through a register. Whether it is one is for who calls to see. */
export const indirectCalls = changetype<List>(memory.data(12));

/** How often the names of symbols may be read for prototypes, which may be one again and again. */
const MOST_READING: u64 = 64;
let mostReading: u64 = 0;

export function readGraph(index: u32): void {
  // By way of symbols' names the texts of prototypes are found.
  if (typeOf(graph) != ELF.SHT_CUDA_CALLGRAPH || linkOf(graph) != ELF.SYMBOLS) notPlain();
  const offset = placeOf(graph);
  const bytes = bytesOf(graph);
  if (offset % 4 != 0 || bytes % 8 != 0) notPlain();
  mostReading = MOST_READING * bytesOf(ELF.STRINGS);
  const symbols = symbolOf + 4 * wordOf(firstElf, index);
  let list: u32 = 0;
  for (let at = file + offset, end = at + bytes; at < end; at += 8) {
    const one = load<u32>(at);
    const other = load<u32>(at, 4);
    if (one == 0 && other >= 0x80000000) {
      if (-other != ++list) notPlain();
      continue;
    }
    const function_ = functionOf(symbols, one);
    if (list == 1) {
      push(calls, function_);
      push(calls, functionOf(symbols, other));
    } else if (list == 2) push(taken, function_);
    else if (list == 3) {
      push(indirectCalls, function_);
      push(indirectCalls, prototypeAt(other));
    } else if (list == 4) {
      push(addressUses, function_);
      push(addressUses, functionOf(symbols, other));
    } else notPlain();
  }
  if (list != 4) notPlain();
}

function functionOf(symbols: usize, elf: u32): i32 {
  const row = elf < symbolCount ? load<i32>(symbols + 4 * elf) : -1;
  if (row < 0 || kindOf(row) != ELF.KIND_FUNCTION) notPlain();
  return row;
}

/** The text of a prototype by its place among the names of symbols. */
function prototypeAt(offset: u32): u32 {
  if (offset >= bytesOf(ELF.STRINGS)) notPlain();
  const start = file + placeOf(ELF.STRINGS) + offset;
  let end = start;
  while (load<u8>(end) != 0) end++;
  const length = <u32>(end - start);
  if (length > mostReading) notPlain();
  mostReading -= length;
  return intern(start, length);
}
