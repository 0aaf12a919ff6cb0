// String tables (System V ABI, "String Table"): a reader and a builder. Names may overlap (a tail of another name is legal), so n
// malicious bytes can encode n names of n bytes each. Lengths are therefore computed before any name is decoded (positions of the
// NUL bytes, binary search), and a caller that reads a whole table checks their sum first (`checkNames`).
import { malformed } from "../bytes/malformed.js";
import { newSalt } from "../bytes/salt.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Limit in bytes for decoding a table as one string; engines limit strings to 2^29 characters or less. */
const MAX_DECODED_WHOLE = 2 ** 24;

export interface StringTable {
  readonly bytes: Uint8Array;
  /** Length in bytes of the longest string, not counting strings that are tails of others. */
  longest(): number;
  /** Length in bytes of the string at `offset`; undefined if it is outside the table or no NUL byte ends it. */
  lengthAt(offset: number): number | undefined;
  /** The string at `offset`; bytes that are not UTF-8 become U+FFFD. */
  at(offset: number): string | undefined;
}

export function stringTable(bytes: Uint8Array): StringTable {
  let index: Ends | undefined;
  // If every byte is one character, as nearly always, the table is decoded once and names are sliced from it.
  let whole: string | undefined;
  const lengthAt = (offset: number): number | undefined => {
    const { ends } = (index ??= endsOf(bytes));
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    const end = ends[low];
    return end === undefined ? undefined : end - offset;
  };
  return {
    bytes,
    longest: () => (index ??= endsOf(bytes)).longest,
    lengthAt,
    at(offset) {
      const length = lengthAt(offset);
      if (length === undefined) return undefined;
      whole ??= bytes.length > MAX_DECODED_WHOLE ? "" : decoder.decode(bytes);
      return whole.length === bytes.length
        ? whole.slice(offset, offset + length)
        : decoder.decode(bytes.subarray(offset, offset + length));
    },
  };
}

interface Ends {
  /** Positions of the NUL bytes. */
  readonly ends: Uint32Array;
  readonly longest: number;
}

function endsOf(bytes: Uint8Array): Ends {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === 0) count++;
  const ends = new Uint32Array(count);
  let longest = 0;
  for (let at = 0, start = 0, found = 0; found < count; at++) {
    if (bytes[at] !== 0) continue;
    ends[found++] = at;
    longest = Math.max(longest, at - start);
    start = at + 1;
  }
  return { ends, longest };
}

/**
 * Inside a decoder: checks that every name is in the table, and that all together are not absurdly longer than the bytes that
 * contain them. `recordAt(i)`: file offset of the record that refers to string i, for the error.
 */
export function checkNames(
  strings: StringTable,
  nameOffsets: Uint32Array,
  recordBytes: number,
  recordAt: (index: number) => number,
  what: string,
): void {
  // Real tables share names between few records or share short ones; 64 times their size is far beyond both.
  let left = 64 * (strings.bytes.length + recordBytes);
  // Fast path without a check of each name: the last byte ends a string, and all names fit even if each were as long as the
  // longest.
  if (strings.bytes.at(-1) === 0 && strings.longest() * nameOffsets.length <= left) {
    const outside = nameOffsets.findIndex((offset) => offset >= strings.bytes.length);
    if (outside < 0) return;
  }
  for (let i = 0; i < nameOffsets.length; i++) {
    const offset = nameOffsets[i]!;
    const length = offset === 0 ? 0 : strings.lengthAt(offset);
    if (length === undefined)
      malformed("out-of-range", recordAt(i), `${what} ${i}: name offset ${offset} is outside the string table`);
    left -= length;
    if (left < 0) malformed("limit", recordAt(i), `${what} ${i}: the names take 64 times the bytes that hold them`);
  }
}

export interface StringTableBuilder {
  /** Returns the offset of `text`, and adds it if necessary. The empty string is at 0. */
  add(text: string): number;
  /** The table; valid until `clear`. */
  bytes(): Uint8Array;
  /** Starts another table in the same memory. */
  clear(): void;
}

const encoder = new TextEncoder();

/** Initial number of slots. */
const SLOTS = 512;

interface Builder {
  bytes: Uint8Array<ArrayBuffer>;
  length: number;
  /**
   * Hash table of the strings' offsets; 0 for empty slots. Its size is a power of two, and at most half of the slots are used.
   */
  slots: Int32Array;
  count: number;
  readonly salt: number;
}

/**
 * Builds a table of strings in the order of their first `add`. Equal strings are stored once; tails are not shared. Strings are
 * found by a hash of their bytes in place: a Map would hash a new string for each, which takes several times as long.
 */
export function stringTableBuilder(): StringTableBuilder {
  const builder: Builder = {
    bytes: new Uint8Array(4096),
    length: 1,
    slots: new Int32Array(SLOTS),
    count: 0,
    salt: newSalt(),
  };
  return {
    add: (text) => (text === "" ? 0 : addString(builder, text)),
    bytes: () => builder.bytes.subarray(0, builder.length),
    clear() {
      builder.slots = new Int32Array(SLOTS);
      builder.length = 1;
      builder.count = 0;
    },
  };
}

function addString(builder: Builder, text: string): number {
  const end = putString(builder, text);
  const slot = slotOf(builder, builder.length);
  if (builder.slots[slot] !== 0) return builder.slots[slot]!;
  const start = (builder.slots[slot] = builder.length);
  builder.length = end;
  if (2 * ++builder.count > builder.slots.length) rehash(builder);
  return start;
}

/** Appends a string and its NUL byte to the table. Returns their end. */
function putString(builder: Builder, text: string): number {
  const { length } = builder;
  if (length + 3 * text.length + 1 > builder.bytes.length) {
    const larger = new Uint8Array(2 * builder.bytes.length + 3 * text.length);
    larger.set(builder.bytes);
    builder.bytes = larger;
  }
  const { bytes } = builder;
  let at = length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0) throw new RangeError(`a string table cannot hold ${JSON.stringify(text)}`);
    if (code >= 0x80) {
      if (text.includes("\0")) throw new RangeError(`a string table cannot hold ${JSON.stringify(text)}`);
      at = length + encoder.encodeInto(text, bytes.subarray(length)).written;
      break;
    }
    bytes[at++] = code;
  }
  bytes[at] = 0;
  return at + 1;
}

/** The slot of an equal string, or an empty slot, for the string at `start`. */
function slotOf({ bytes, slots, salt }: Builder, start: number): number {
  let hash = salt;
  for (let at = start; bytes[at] !== 0; at++) hash = Math.imul(hash ^ bytes[at]!, salt);
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const other = slots[slot]! - start;
    let at = start;
    while (bytes[at] !== 0 && bytes[at] === bytes[at + other]) at++;
    if (bytes[at] === bytes[at + other]) break;
  }
  return slot;
}

function rehash(builder: Builder): void {
  const { bytes, length } = builder;
  builder.slots = new Int32Array(2 * builder.slots.length);
  for (let start = 1; start < length; start = bytes.indexOf(0, start) + 1)
    builder.slots[slotOf(builder, start)] = start;
}
