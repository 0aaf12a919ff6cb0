// The memory of the reader of objects (main.ts): nothing in it is given back before all of it is. What is read of files is in
// columns that who calls lays out, and in the lists and tables of this and the next files, which grow.

import { notPlain } from "./leave";

/** The byte behind all that is in use. */
let top: usize = (__heap_base + 15) & ~15;

/** Pages at least by which memory grows. */
const STEP: i32 = 16;

/** Bytes in all: who calls has addresses as numbers with a sign. */
const MOST: u64 = 0x7fff0000;

/** Where so many bytes are that nothing else uses; zeros. */
export function reserve(bytes: u32): usize {
  const at = top;
  const end = (<u64>at + bytes + 15) & ~15;
  if (end > MOST) notPlain();
  const pages = <i32>((end + 0xffff) >> 16) - memory.size();
  if (pages > 0 && memory.grow(max(pages, STEP)) < 0) notPlain();
  top = <usize>end;
  return at;
}

/** The bytes of `at` where there are twice as many, or more. */
export function enlarged(at: usize, bytes: u32, least: u32): usize {
  const larger = reserve(max(2 * bytes, least));
  memory.copy(larger, at, bytes);
  return larger;
}

/** Whether so many bytes are the same. */
export function isSame(one: usize, other: usize, length: u32): bool {
  let at: u32 = 0;
  for (; at + 8 <= length; at += 8) if (load<u64>(one + at) != load<u64>(other + at)) return false;
  for (; at < length; at++) if (load<u8>(one + at) != load<u8>(other + at)) return false;
  return true;
}

/** Words one behind the other. Three words in memory, which who calls reads. */
@unmanaged
export class List {
  at: usize;
  length: u32;
  capacity: u32;
}

/** Words that a list has room for at first. */
const FEW: u32 = 64;

export function push(list: List, word: i32): void {
  if (list.length == list.capacity) {
    const capacity = list.capacity == 0 ? FEW : 2 * list.capacity;
    list.at = enlarged(list.at, 4 * list.length, 4 * capacity);
    list.capacity = capacity;
  }
  store<i32>(list.at + 4 * list.length++, word);
}
