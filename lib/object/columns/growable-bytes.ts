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

const encoder = new TextEncoder();

/** Appends text. A loop for ASCII, which nearly all names are, because the encoder takes longer for few characters. */
function putText(into: GrowableBytes, text: string): void {
  if (into.length + text.length > into.bytes.length) reserve(into, text.length);
  const { bytes } = into;
  let at = into.length;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character >= 0x80) {
      const encoded = encoder.encode(text);
      putBytes(into, encoded, 0, encoded.length);
      return;
    }
    bytes[at++] = character;
  }
  into.length = at;
}

/** Appends `prefix`, a name and a NUL byte; returns the offset. */
function putName(into: GrowableBytes, prefix: string, { bytes, start }: StringTable, id: StringId): number {
  const { length } = into;
  putText(into, prefix);
  putBytes(into, bytes, start[id]!, start[id + 1]!);
  putU8(into, 0);
  return length;
}

/** The bytes appended so far; later ones are not included. */
export const bytesOf = ({ bytes, length }: GrowableBytes): Uint8Array => bytes.subarray(0, length);

/** A string table whose strings consist of a fixed prefix and a name of the link: ".text." and a function's name. */
export interface NameTable {
  readonly strings: GrowableBytes;
  /** Adds a fixed name, once; it must differ from all prefixed names. */
  fixed(name: string): number;
  /** Returns a function that adds a name after `prefix`, each once. */
  prefixed(prefix: string): (name: StringId) => number;
}

/** Initial capacity: how often a name occurs with some prefix, and bytes for prefix and NUL. Few tables need more. */
const NAME_USES = 2;
const EXTRA_BYTES = 8;

/**
 * `expected`: at least the number of names. Memory for all of them is allocated at once: an unused part is never touched and
 * costs nothing, while growing would copy.
 */
export function createNames(texts: StringTable, expected: number): NameTable {
  const strings = createGrowable(NAME_USES * texts.start[texts.count]! + EXTRA_BYTES * expected);
  putU8(strings, 0);
  const known = new Map<string, number>();
  const fixed = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const at = strings.length;
    known.set(name, at);
    putText(strings, name);
    putU8(strings, 0);
    return at;
  };
  return {
    strings,
    fixed,
    prefixed(prefix) {
      const offsets = new Int32Array(texts.count);
      return (name) => {
        const known = offsets[name]!;
        if (known !== 0) return known;
        if (prefix === "" && texts.start[name] === texts.start[name + 1]) return 0;
        return (offsets[name] = putName(strings, prefix, texts, name));
      };
    },
  };
}
