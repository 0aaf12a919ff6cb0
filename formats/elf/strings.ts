// String tables (System V ABI, "String Table"): a reader and a builder.
// Names may overlap (a tail of another name is legal), so a hostile file can make n names of n bytes each out of n bytes.
// The lengths are therefore known before any name is decoded (positions of the NUL bytes, binary search), and whoever
// reads a table of names checks their sum first (`checkNames`).
import { malformed } from "../bytes/malformed.js";
import { ByteWriter } from "../bytes/writer.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Bytes; engines limit the length of a string to 2^29 or less. */
const MOST_DECODED_WHOLE = 2 ** 24;

export interface StringTable {
  readonly bytes: Uint8Array;
  /** Length in bytes of the longest string, tails aside. */
  longest(): number;
  /** Length in bytes of the string at `offset`; undefined when it lies outside or no NUL byte ends it. */
  lengthAt(offset: number): number | undefined;
  /** The string at `offset`; bytes that are not UTF-8 become U+FFFD. */
  at(offset: number): string | undefined;
}

export function stringTable(bytes: Uint8Array): StringTable {
  let index: Ends | undefined;
  // Where every byte is one character, as nearly always, the table is decoded once and names are cut out of it.
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
      whole ??= bytes.length > MOST_DECODED_WHOLE ? "" : decoder.decode(bytes);
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
 * Inside a decoder: every name has a place in the table, and all together they are not absurdly longer than the bytes
 * that hold them. `recordAt(i)` is the file offset of the record that names string i, for the error.
 */
export function checkNames(
  strings: StringTable,
  nameOffsets: Uint32Array,
  recordBytes: number,
  recordAt: (index: number) => number,
  what: string,
): void {
  // A real table shares names between few records or shares short ones; 64 times its size is far beyond both.
  let left = 64 * (strings.bytes.length + recordBytes);
  // The ordinary case, without a look at each: the last byte ends a string, and even the longest names fit.
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
  /** The offset of `text`, which is added unless it is there already. The empty string is at 0. */
  add(text: string): number;
  /** The table; it holds until `clear`. */
  bytes(): Uint8Array;
  /** Begins another table in the same memory. */
  clear(): void;
}

/** Strings in the order of their first `add`; equal strings share a place, tails do not. */
export function stringTableBuilder(): StringTableBuilder {
  const offsets = new Map<string, number>();
  const writer = new ByteWriter(4096);
  const begin = (): void => {
    offsets.set("", 0);
    writer.u8(0);
  };
  begin();
  return {
    add(text) {
      const known = offsets.get(text);
      if (known !== undefined) return known;
      if (text.includes("\0")) throw new RangeError(`a string table cannot hold ${JSON.stringify(text)}`);
      const offset = writer.length;
      writer.cstring(text);
      offsets.set(text, offset);
      return offset;
    },
    bytes: () => writer.view(0),
    clear() {
      offsets.clear();
      writer.clear();
      begin();
    },
  };
}
