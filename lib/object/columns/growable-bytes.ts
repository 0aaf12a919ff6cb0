// Growable byte arrays, for string tables and attributes of outputs.

import type { StringId, StringTable } from "./strings.js";

/** A byte array that grows on demand. */
export interface GrowableBytes {
  bytes: Uint8Array;
  length: number;
}

export const createGrowable = (capacity: number): GrowableBytes => ({
  bytes: new Uint8Array(Math.max(16, capacity)),
  length: 0,
});

function reserve(into: GrowableBytes, count: number): void {
  if (into.length + count <= into.bytes.length) return;
  const larger = new Uint8Array(Math.max(2 * into.bytes.length, into.length + count));
  larger.set(into.bytes);
  into.bytes = larger;
}

function putU8(into: GrowableBytes, value: number): void {
  if (into.length === into.bytes.length) reserve(into, 1);
  into.bytes[into.length++] = value;
}

/** Overwrites a word at a byte offset, in little endian. */
export function setWord({ bytes }: GrowableBytes, at: number, word: number): void {
  for (let i = 0; i < 4; i++) bytes[at + i] = (word >>> (8 * i)) & 0xff;
}

/** Appends the bytes from `start` up to `end`. A loop, because they are few. */
export function putBytes(into: GrowableBytes, from: Uint8Array, start: number, end: number): void {
  if (into.length + end - start > into.bytes.length) reserve(into, end - start);
  const { bytes } = into;
  let at = into.length;
  for (let i = start; i < end; i++) bytes[at++] = from[i]!;
  into.length = at;
}

/** Appends `front`, a name and a NUL byte; returns the offset. */
function putName(into: GrowableBytes, front: Uint8Array, { bytes: from, start }: StringTable, id: StringId): number {
  const end = start[id + 1]!;
  let at = start[id]!;
  if (into.length + front.length + end - at >= into.bytes.length) reserve(into, front.length + end - at + 1);
  const { bytes, length } = into;
  let to = length;
  for (let i = 0; i < front.length; i++) bytes[to++] = front[i]!;
  while (at < end) bytes[to++] = from[at++]!;
  bytes[to++] = 0;
  into.length = to;
  return length;
}

/** The bytes appended so far; later ones are not included. */
export const bytesOf = ({ bytes, length }: GrowableBytes): Uint8Array => bytes.subarray(0, length);

const encoder = new TextEncoder();

/** A string table whose strings consist of a fixed prefix and a name of the link: ".text." and a function's name. */
export interface NameTable {
  readonly strings: GrowableBytes;
  /** Adds a fixed name, once; it must differ from all prefixed names. */
  fixed(name: string): number;
  /** Returns a function that adds a name after `prefix`, each once. */
  prefixed(prefix: string): (name: StringId) => number;
}

/** Initial capacity: how often a name occurs with some prefix, and bytes for prefix and NUL. Few tables need more. */
const OFTEN = 2;
const BESIDE = 8;

/**
 * `expected`: at least the number of names. Memory for all of them is allocated at once: an unused part is never touched and
 * costs nothing, while growing would copy.
 */
export function createNames(texts: StringTable, expected: number): NameTable {
  const strings = createGrowable(OFTEN * texts.start[texts.count]! + BESIDE * expected);
  putU8(strings, 0);
  const known = new Map<string, number>();
  const fixed = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const at = strings.length;
    known.set(name, at);
    const bytes = encoder.encode(name);
    putBytes(strings, bytes, 0, bytes.length);
    putU8(strings, 0);
    return at;
  };
  return {
    strings,
    fixed,
    prefixed(prefix) {
      const offsets = new Int32Array(texts.count);
      const front = encoder.encode(prefix);
      return (name) => {
        const known = offsets[name]!;
        if (known !== 0) return known;
        if (front.length === 0 && texts.start[name] === texts.start[name + 1]) return 0;
        return (offsets[name] = putName(strings, front, texts, name));
      };
    },
  };
}
