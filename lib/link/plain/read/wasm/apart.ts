// Variables of one section that have bytes in common: no plain link takes them, object/file/file-layout.ts tells of them.

import { KIND_VARIABLE, SPACE_SHARED } from "./constants";
import { firstSection, firstSymbol, kindOf, offset, place, shape, spaceOf, wordOf } from "./file";
import { notPlain } from "./leave";
import { reserve } from "./memory";
import { sizeOfShape } from "./shapes";

/** Where variables begin and end, each with the section above the offset. */
let starts: usize = 0;
let ends: usize = 0;
let room: u32 = 0;

const SECTION: u64 = 32;

/** Of file `index`, whose symbols have their places. */
export function checkApart(index: u32): void {
  const first = wordOf(firstSymbol, index);
  const end = wordOf(firstSymbol, index + 1);
  if (room < end - first) {
    room = 2 * (end - first);
    starts = reserve(8 * room);
    ends = reserve(8 * room);
  }
  let count: u32 = 0;
  let isSorted = true;
  let last: u64 = 0;
  for (let row = first; row < end; row++) {
    const section = <i32>wordOf(place, row);
    if (section < 0 || kindOf(row) != KIND_VARIABLE || spaceOf(row) == SPACE_SHARED) continue;
    const bytes = sizeOfShape(wordOf(shape, row));
    if (bytes == 0) continue;
    const start = ((<u64>(section - wordOf(firstSection, index))) << SECTION) + wordOf(offset, row);
    // In the order of the section, as they are often declared, each only has to begin behind the one before.
    if (start < last) isSorted = false;
    last = start + bytes;
    store<u64>(starts + 8 * count, start);
    store<u64>(ends + 8 * count, last);
    count++;
  }
  if (isSorted) return;
  sort(starts, count);
  sort(ends, count);
  for (let i: u32 = 1; i < count; i++) if (load<u64>(starts + 8 * i) < load<u64>(ends + 8 * (i - 1))) notPlain();
}

/** By a heap: few files have many, and none takes longer than others of its size. */
function sort(at: usize, count: u32): void {
  for (let root = count / 2; root > 0; root--) sink(at, root - 1, count);
  for (let end = count; end > 1;) {
    end--;
    const most = load<u64>(at);
    store<u64>(at, load<u64>(at + 8 * end));
    store<u64>(at + 8 * end, most);
    sink(at, 0, end);
  }
}

function sink(at: usize, from: u32, count: u32): void {
  const value = load<u64>(at + 8 * from);
  let root = from;
  for (;;) {
    let child = root * 2 + 1;
    if (child >= count) break;
    if (child + 1 < count && load<u64>(at + 8 * (child + 1)) > load<u64>(at + 8 * child)) child++;
    const larger = load<u64>(at + 8 * child);
    if (larger <= value) break;
    store<u64>(at + 8 * root, larger);
    root = child;
  }
  store<u64>(at + 8 * root, value);
}
