// Every name of a plain link (plain-link.ts) once, as a number: a hash table over bytes in typed arrays. No JavaScript string
// is made of a name, because a link of a thousand modules has a hundred thousand of them and needs to know only which
// are equal.

import { notPlain } from "./plain-cursor.js";

/** Index of a text among those of a link. */
export type TextId = number;

export interface Texts {
  /** How many there are; their numbers are below it. */
  count: number;
  /** The bytes of all, one behind the other. */
  bytes: Uint8Array;
  /** Where each begins in `bytes`; the next begins where it ends. */
  start: Int32Array;
  /** FNV-1a of each. */
  hash: Int32Array;
  /** Text + 1 by hash, 0 where nothing is; a power of two, at most half full. */
  slots: Int32Array;
}

export function createTexts(): Texts {
  return {
    count: 0,
    bytes: new Uint8Array(1 << 16),
    start: new Int32Array(1 << 12),
    hash: new Int32Array(1 << 12),
    slots: new Int32Array(1 << 13),
  };
}

/** The number of the text that is the bytes of `from` from `start` up to `end`. */
export function intern(texts: Texts, from: Uint8Array, start: number, end: number): TextId {
  let hash = -2128831035;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ from[at]!, 16777619);
  return internHashed(texts, from, start, end, hash);
}

/** The same where FNV-1a of the bytes is known. */
export function internHashed(texts: Texts, from: Uint8Array, start: number, end: number, hash: number): TextId {
  const length = end - start;
  const mask = texts.slots.length - 1;
  for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    const found = texts.slots[slot]! - 1;
    if (found < 0) return add(texts, from, start, end, hash, slot);
    if (texts.hash[found] !== hash) continue;
    const own = texts.start[found]!;
    if (texts.start[found + 1]! - own !== length) continue;
    let at = 0;
    while (at < length && texts.bytes[own + at] === from[start + at]) at++;
    if (at === length) return found;
  }
}

function add(texts: Texts, from: Uint8Array, start: number, end: number, hash: number, slot: number): TextId {
  const id = texts.count++;
  const at = texts.start[id]!;
  const length = end - start;
  if (at + length > texts.bytes.length) {
    const larger = new Uint8Array(Math.max(2 * texts.bytes.length, at + length));
    larger.set(texts.bytes);
    texts.bytes = larger;
  }
  let seen = 0;
  for (let i = 0; i < length; i++) {
    const byte = from[start + i]!;
    texts.bytes[at + i] = byte;
    seen |= byte;
  }
  if (seen >= 0x80) checkText(texts.bytes.subarray(at, at + length));
  if (id + 2 > texts.start.length) {
    texts.start = larger32(texts.start);
    texts.hash = larger32(texts.hash);
  }
  texts.start[id + 1] = at + length;
  texts.hash[id] = hash;
  texts.slots[slot] = id + 1;
  if (2 * texts.count > texts.slots.length) rehash(texts);
  return id;
}

const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

/** What is no UTF-8 stands in other bytes once it was read as text. */
function checkText(bytes: Uint8Array): void {
  try {
    strict.decode(bytes);
  } catch {
    notPlain("a text that is no UTF-8");
  }
}

function rehash(texts: Texts): void {
  const slots = new Int32Array(2 * texts.slots.length);
  const mask = slots.length - 1;
  for (let id = 0; id < texts.count; id++) {
    const hash = texts.hash[id]!;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = id + 1;
  }
  texts.slots = slots;
}

/** Twice as long. */
export function larger32(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * column.length);
  larger.set(column);
  return larger;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A text as a string, for the few that are needed as such. */
export const textOf = ({ bytes, start }: Texts, id: TextId): string =>
  decoder.decode(bytes.subarray(start[id], start[id + 1]));
