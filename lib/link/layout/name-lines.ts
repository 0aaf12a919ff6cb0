// A list of names, one per line, possibly millions of them. Names are not stored as strings, but in a hash table of typed arrays
// over the text; a Map with its keys is three times as large.

import { newSalt } from "../../../formats/bytes/salt.js";

/** Names in order, each with its first line number. */
export interface NameLines extends Iterable<readonly [string, number]> {
  readonly size: number;
  get(name: string): number | undefined;
}

interface Table {
  count: number;
  /** Start and end of each name in the text. `line`: its line number. */
  begin: Uint32Array;
  end: Uint32Array;
  line: Uint32Array;
  /** Hash table: the index of a name + 1, or 0. Its size is a power of two, and at most half of it is used. */
  slots: Uint32Array;
}

/** Parses the list. Text after # is a comment; blanks around a name are not part of it. `most`: initial capacity in names. */
export function readNameLines(text: string, most = MAX_AT_ONCE): NameLines {
  const salt = newSalt();
  // Unused capacity takes no memory, while tables that grew occupy it until a collection.
  const capacity = Math.min(linesOf(text), most);
  const table: Table = {
    count: 0,
    begin: new Uint32Array(capacity),
    end: new Uint32Array(capacity),
    line: new Uint32Array(capacity),
    slots: new Uint32Array(2 ** Math.ceil(Math.log2(2 * capacity))),
  };
  for (let at = 0, line = 1; at <= text.length; line++) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 ? text.length : newline;
    let [begin, end] = [at, next];
    while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
    while (end > begin && isBlank(text.charCodeAt(end - 1))) end--;
    if (begin < end && text.charCodeAt(begin) !== HASH) {
      const slot = slotOf(table, text, salt, text, begin, end);
      if (table.slots[slot] === 0) add(table, slot, begin, end, line);
      if (2 * table.count > table.slots.length) rehash(table, text, salt);
    }
    at = next + 1;
  }
  return {
    size: table.count,
    get(name) {
      const found = table.slots[slotOf(table, text, salt, name, 0, name.length)]!;
      return found === 0 ? undefined : table.line[found - 1]!;
    },
    *[Symbol.iterator]() {
      const { count, begin, end, line } = table;
      for (let i = 0; i < count; i++) yield [text.slice(begin[i], end[i]), line[i]!] as const;
    },
  };
}

/** Limit of the initial capacity in names; beyond it, the columns grow. */
const MAX_AT_ONCE = 2 ** 22;

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

const HASH = 0x23;

/** Whether String.prototype.trim removes the character. */
const isBlank = (code: number): boolean =>
  code === 0x20 || (code >= 0x09 && code <= 0x0d) || (code >= 0x80 && /\s/.test(String.fromCharCode(code)));

/** The slot of the name `from.slice(start, stop)`, or the free slot for it. */
function slotOf(table: Table, text: string, salt: number, from: string, start: number, stop: number): number {
  const { slots, begin, end } = table;
  const mask = slots.length - 1;
  let slot = hashOf(salt, from, start, stop) & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const own = slots[slot]! - 1;
    const first = begin[own]!;
    if (end[own]! - first !== stop - start) continue;
    let at = start;
    while (at < stop && text.charCodeAt(first + at - start) === from.charCodeAt(at)) at++;
    if (at === stop) break;
  }
  return slot;
}

function hashOf(salt: number, from: string, start: number, stop: number): number {
  let hash = salt;
  for (let at = start; at < stop; at++) hash = Math.imul(hash ^ from.charCodeAt(at), salt);
  return hash ^ (hash >>> 15);
}

function add(table: Table, slot: number, begin: number, end: number, line: number): void {
  const { count } = table;
  if (count === table.begin.length)
    for (const column of ["begin", "end", "line"] as const) table[column] = twice(table[column]);
  table.begin[count] = begin;
  table.end[count] = end;
  table.line[count] = line;
  table.slots[slot] = ++table.count;
}

function rehash(table: Table, text: string, salt: number): void {
  const { count, begin, end } = table;
  table.slots = new Uint32Array(2 * table.slots.length);
  const mask = table.slots.length - 1;
  for (let i = 0; i < count; i++) {
    let slot = hashOf(salt, text, begin[i]!, end[i]!) & mask;
    while (table.slots[slot] !== 0) slot = (slot + 1) & mask;
    table.slots[slot] = i + 1;
  }
}

function twice(column: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * column.length);
  larger.set(column);
  return larger;
}
