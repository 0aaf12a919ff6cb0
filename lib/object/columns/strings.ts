// The string table of a link: each name once, as a number. A hash table over bytes in typed arrays. Names are not converted to
// JavaScript strings, because a link of a thousand modules has a hundred thousand of them and only compares them.

import { newSalt } from "../../../formats/bytes/salt.js";
import { unsupported } from "./cursor.js";

/** Index of a string in the table of a link. */
export type StringId = number;

export interface StringTable {
  /** Number of strings, which is the bound of their indices. */
  count: number;
  /** The bytes of all strings, concatenated. */
  bytes: Uint8Array;
  /** Start of each string in `bytes`, which is the end of the previous one. */
  start: Int32Array;
  /**
   * Two numbers per slot: a hash, and the string's index + 1, or 0. The number of slots is a power of two, and at most half of
   * them are used. The table is kept compact to stay in the processor's caches, because most of the time here is spent on memory
   * accesses.
   */
  slots: Int32Array;
  /** Salt of the hashes (salt.ts). */
  readonly salt: number;
  /** Buffer for the bytes of a string that is looked up. */
  readonly scratch: Uint8Array;
}

const SLOT = 2;

/**
 * The initial sizes are small, so that the first files make every array grow before the engine optimises the code that uses them.
 * Otherwise the engine would assume that the arrays never change, and discard the optimised code when they do.
 */
export const createStrings = (): StringTable => ({
  count: 0,
  bytes: new Uint8Array(1 << 8),
  start: new Int32Array(1 << 5),
  slots: new Int32Array(SLOT << 5),
  salt: newSalt(),
  scratch: new Uint8Array(256),
});

/** The index of the string in the bytes of `from` from `start` up to `end`; adds it if necessary. */
export function intern(strings: StringTable, from: Uint8Array, start: number, end: number): StringId {
  const { salt } = strings;
  let hash = salt;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ from[at]!, salt);
  return find(strings, from, start, end, hash);
}

/**
 * The same for bytes up to a NUL byte. Known strings, which are most, are found inline: a call for each would take as long as
 * everything else.
 */
export function internEnding(strings: StringTable, from: Uint8Array, start: number): StringId {
  const { salt, slots, bytes, start: starts } = strings;
  let hash = salt;
  let end = start;
  for (let byte = from[end]!; byte !== 0; byte = from[++end]!) hash = Math.imul(hash ^ byte, salt);
  const slot = ((hash ^ (hash >>> 15)) << 1) & (slots.length - 1);
  const id = slots[slot + 1]! - 1;
  if (id >= 0 && slots[slot] === hash) {
    let own = starts[id]!;
    if (starts[id + 1]! - own === end - start) {
      let at = start;
      while (at < end && bytes[own] === from[at]) {
        own++;
        at++;
      }
      if (at === end) return id;
    }
  }
  return find(strings, from, start, end, hash);
}

function find(strings: StringTable, from: Uint8Array, start: number, end: number, hash: number): StringId {
  const { slots, bytes } = strings;
  const length = end - start;
  const mask = slots.length - 1;
  let slot = ((hash ^ (hash >>> 15)) << 1) & mask;
  for (; slots[slot + 1] !== 0; slot = (slot + SLOT) & mask) {
    if (slots[slot] !== hash) continue;
    const id = slots[slot + 1]! - 1;
    const own = strings.start[id]!;
    if (strings.start[id + 1]! - own !== length) continue;
    let at = 0;
    while (at < length && bytes[own + at] === from[start + at]) at++;
    if (at === length) return id;
  }
  return add(strings, from, start, end, hash, slot);
}

const encoder = new TextEncoder();

/** The same for a JavaScript string. */
export function internString(strings: StringTable, text: string): StringId {
  const { scratch, salt } = strings;
  const { length } = text;
  let hash = salt;
  let at = 0;
  if (length <= scratch.length)
    for (; at < length; at++) {
      const byte = text.charCodeAt(at);
      if (byte >= 0x80) break;
      scratch[at] = byte;
      hash = Math.imul(hash ^ byte, salt);
    }
  if (at === length) return find(strings, scratch, 0, length, hash);
  const bytes = encoder.encode(text);
  return intern(strings, bytes, 0, bytes.length);
}

/** Like `intern`, after replacing bytes that are not UTF-8, as decoding would. */
export function internDecoded(strings: StringTable, from: Uint8Array, start: number, end: number): StringId {
  for (let at = start; at < end; at++)
    if (from[at]! >= 0x80) return internString(strings, decoder.decode(from.subarray(start, end)));
  return intern(strings, from, start, end);
}

function add(strings: StringTable, from: Uint8Array, start: number, end: number, hash: number, slot: number): StringId {
  const id = strings.count;
  const at = strings.start[id]!;
  const length = end - start;
  if (at + length > strings.bytes.length) {
    const larger = new Uint8Array(Math.max(2 * strings.bytes.length, at + length));
    larger.set(strings.bytes);
    strings.bytes = larger;
  }
  const { bytes, slots } = strings;
  let seen = 0;
  for (let i = 0; i < length; i++) {
    const byte = from[start + i]!;
    bytes[at + i] = byte;
    seen |= byte;
  }
  if (seen >= 0x80) checkText(bytes.subarray(at, at + length));
  strings.count++;
  if (id + 2 > strings.start.length) strings.start = larger32(strings.start);
  strings.start[id + 1] = at + length;
  slots[slot] = hash;
  slots[slot + 1] = id + 1;
  if (2 * SLOT * strings.count > slots.length) rehash(strings);
  return id;
}

const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** Bails out of bytes that are not UTF-8, because decoding and encoding would change them. */
function checkText(bytes: Uint8Array): void {
  try {
    strict.decode(bytes);
  } catch {
    unsupported("a text that is not UTF-8");
  }
}

/**
 * Growth factor: most tables grow to thousands of times their initial size, and with a smaller factor, a third of the time would
 * be spent on growing.
 */
const GROWTH = 4;

function rehash(strings: StringTable): void {
  const old = strings.slots;
  const slots = new Int32Array(GROWTH * old.length);
  const mask = slots.length - 1;
  for (let at = 0; at < old.length; at += SLOT) {
    if (old[at + 1] === 0) continue;
    const hash = old[at]!;
    let slot = ((hash ^ (hash >>> 15)) << 1) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + SLOT) & mask;
    slots[slot] = hash;
    slots[slot + 1] = old[at + 1]!;
  }
  strings.slots = slots;
}

/** A copy of twice the length. */
export function larger32(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * column.length);
  larger.set(column);
  return larger;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Up to this length, appending characters takes less time than a call of the decoder. */
const SHORT = 12;

/** A string as a JavaScript string, for the few that are needed as such, and for reports, which need all. */
export function stringOf({ bytes, start }: Pick<StringTable, "bytes" | "start">, id: StringId): string {
  const from = start[id]!;
  const end = start[id + 1]!;
  if (end - from <= SHORT) {
    let text = "";
    let at = from;
    for (; at < end && bytes[at]! < 0x80; at++) text += String.fromCharCode(bytes[at]!);
    if (at === end) return text;
  }
  return decoder.decode(bytes.subarray(from, end));
}
