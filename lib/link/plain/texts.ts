// Every name of a plain link (link.ts) once, as a number: a hash table over bytes in typed arrays. No JavaScript string
// is made of a name, because a link of a thousand modules has a hundred thousand of them and needs to know only which
// are equal.

import { newSalt } from "../../../formats/bytes/salt.js";
import { notPlain } from "./cursor.js";

/** Index of a text among those of a link. */
export type TextId = number;

export interface Texts {
  /** How many there are; their numbers are below it. */
  count: number;
  /** The bytes of all, one behind the other. */
  bytes: Uint8Array;
  /** Where each begins in `bytes`; the next begins where it ends. */
  start: Int32Array;
  /**
   * Four numbers a slot, which one line of a cache holds: a hash, where the text begins, its length, its number + 1; that is 0
   * where nothing is. As many slots as a power of two, at most half of them used.
   */
  slots: Int32Array;
  /** Of the hashes (salt.ts). */
  readonly salt: number;
}

const SLOT = 4;

/** `expected`: how many texts there may be, at most. */
export function createTexts(expected: number): Texts {
  let slots = 1 << 10;
  while (slots < expected) slots *= 2;
  return {
    count: 0,
    bytes: new Uint8Array(1 << 16),
    start: new Int32Array(slots),
    slots: new Int32Array(SLOT * slots),
    salt: newSalt(),
  };
}

/** The number of the text that is the bytes of `from` from `start` up to `end`. */
export function intern(texts: Texts, from: Uint8Array, start: number, end: number): TextId {
  const { slots, bytes, salt } = texts;
  let hash = salt;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ from[at]!, salt);
  const length = end - start;
  const mask = slots.length - 1;
  let slot = ((hash ^ (hash >>> 15)) << 2) & mask;
  for (; slots[slot + 3] !== 0; slot = (slot + SLOT) & mask) {
    if (slots[slot] !== hash || slots[slot + 2] !== length) continue;
    const own = slots[slot + 1]!;
    let at = 0;
    while (at < length && bytes[own + at] === from[start + at]) at++;
    if (at === length) return slots[slot + 3]! - 1;
  }
  return add(texts, from, start, end, hash, slot);
}

const encoder = new TextEncoder();

/** The same of a string. */
export function internText(texts: Texts, text: string): TextId {
  const bytes = encoder.encode(text);
  return intern(texts, bytes, 0, bytes.length);
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
  const { bytes, slots } = texts;
  let seen = 0;
  for (let i = 0; i < length; i++) {
    const byte = from[start + i]!;
    bytes[at + i] = byte;
    seen |= byte;
  }
  if (seen >= 0x80) checkText(bytes.subarray(at, at + length));
  if (id + 2 > texts.start.length) texts.start = larger32(texts.start);
  texts.start[id + 1] = at + length;
  slots[slot] = hash;
  slots[slot + 1] = at;
  slots[slot + 2] = length;
  slots[slot + 3] = id + 1;
  if (2 * SLOT * texts.count > slots.length) rehash(texts);
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
  const old = texts.slots;
  const slots = new Int32Array(2 * old.length);
  const mask = slots.length - 1;
  for (let at = 0; at < old.length; at += SLOT) {
    if (old[at + 3] === 0) continue;
    const hash = old[at]!;
    let slot = ((hash ^ (hash >>> 15)) << 2) & mask;
    while (slots[slot + 3] !== 0) slot = (slot + SLOT) & mask;
    for (let i = 0; i < SLOT; i++) slots[slot + i] = old[at + i]!;
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
