// Every name of the link once, as a number: the table of tables/texts.ts, in which who calls goes on when all is read.

import { notPlain } from "./leave";
import { enlarged, isSame, reserve } from "./memory";
import { isUtf8 } from "./utf8";

export let textCount: u32 = 0;
export let textBytes: usize = 0;
/** Bytes that there is room for. */
export let textRoom: u32 = 0;
export let textStart: usize = 0;
/** Words that there is room for. */
export let textStarts: u32 = 0;
export let textSlots: usize = 0;
/** Words. */
export let textSlotWords: u32 = 0;
export let textSalt: u32 = 0;

export function startOf(text: u32): u32 {
  return load<u32>(textStart + 4 * text);
}

function slotOf(hash: u32): u32 {
  return ((hash ^ (hash >>> 15)) << 1) & (textSlotWords - 1);
}

export function intern(from: usize, length: u32): u32 {
  let hash = textSalt;
  for (let at = from, end = from + length; at < end; at++) hash = (hash ^ load<u8>(at)) * textSalt;
  return find(from, length, hash);
}

function find(from: usize, length: u32, hash: u32): u32 {
  let slot = slotOf(hash);
  for (;;) {
    const at = textSlots + 4 * slot;
    const entry = load<u32>(at, 4);
    if (entry == 0) break;
    if (load<u32>(at) == hash) {
      const own = startOf(entry - 1);
      if (startOf(entry) - own == length && isSame(textBytes + own, from, length)) return entry - 1;
    }
    slot = (slot + 2) & (textSlotWords - 1);
  }
  return add(from, length, hash, slot);
}

function add(from: usize, length: u32, hash: u32, slot: u32): u32 {
  const id = textCount;
  const at = startOf(id);
  if (<u64>at + length >= 0x7fffffff) notPlain();
  if (at + length > textRoom) {
    const room = max(2 * textRoom, at + length);
    textBytes = enlarged(textBytes, at, room);
    textRoom = room;
  }
  let seen: u32 = 0;
  for (let i: u32 = 0; i < length; i++) {
    const byte = load<u8>(from + i);
    store<u8>(textBytes + at + i, byte);
    seen |= byte;
  }
  if (seen >= 0x80 && !isUtf8(from, length)) notPlain();
  textCount++;
  if (id + 2 > textStarts) {
    textStart = enlarged(textStart, 4 * textStarts, 8 * textStarts);
    textStarts *= 2;
  }
  store<u32>(textStart + 4 * id, at + length, 4);
  store<u32>(textSlots + 4 * slot, hash);
  store<u32>(textSlots + 4 * slot, id + 1, 4);
  if (textCount * 4 > textSlotWords) rehash();
  return id;
}

function rehash(): void {
  const old = textSlots;
  const end = textSlots + 4 * textSlotWords;
  textSlotWords *= 2;
  textSlots = reserve(4 * textSlotWords);
  for (let at = old; at < end; at += 8) {
    const entry = load<u32>(at, 4);
    if (entry == 0) continue;
    const hash = load<u32>(at);
    let slot = slotOf(hash);
    while (load<u32>(textSlots + 4 * slot, 4) != 0) slot = (slot + 2) & (textSlotWords - 1);
    store<u32>(textSlots + 4 * slot, hash);
    store<u32>(textSlots + 4 * slot, entry, 4);
  }
}

// ------------------------------------------------------------------------------------------------------- those of one file

/** Of each: where it begins, its length, its hash, and where the table has what is probably the same one, 0 for nothing. */
const BATCH_WORDS: u32 = 5;
let batch: usize = 0;
let batchRoom: u32 = 0;

function inBatch(i: u32): usize {
  return batch + 4 * BATCH_WORDS * i;
}

export function beginBatch(most: u32): void {
  if (most <= batchRoom) return;
  batchRoom = 2 * most;
  batch = reserve(4 * BATCH_WORDS * batchRoom);
}

export function addToBatch(i: u32, start: usize): void {
  store<u32>(inBatch(i), start);
}

/** How often the bytes of a file may be read for its names, which may be one again and again. */
const MOST_READING: u64 = 64;

/**
 * The numbers of the texts of the batch, each of which ends before a zero. To look for one is mostly to wait for memory, three times
 * one after the other: so each step is done for all of them, and the processor waits for many at a time.
 */
export function internBatch(count: u32, fileBytes: u32): void {
  let most = MOST_READING * fileBytes;
  for (let i: u32 = 0; i < count; i++) {
    const at = inBatch(i);
    const start = <usize>load<u32>(at);
    let end = start;
    let hash = textSalt;
    for (let byte = load<u8>(end); byte != 0; byte = load<u8>(++end)) hash = (hash ^ byte) * textSalt;
    store<u32>(at, end - start, 4);
    store<u32>(at, hash, 8);
    if (end - start > most) notPlain();
    most -= end - start;
  }
  for (let i: u32 = 0; i < count; i++) {
    const at = inBatch(i);
    const hash = load<u32>(at, 8);
    const slot = textSlots + 4 * slotOf(hash);
    store<u32>(at, load<u32>(slot) == hash ? load<u32>(slot, 4) : 0, 16);
  }
  for (let i: u32 = 0; i < count; i++) {
    const at = inBatch(i);
    const entry = load<u32>(at, 16);
    const own = entry == 0 ? 0 : startOf(entry - 1);
    const isAsLong = entry != 0 && startOf(entry) - own == load<u32>(at, 4);
    store<u32>(at, isAsLong ? textBytes + own : 0, 12);
  }
  // Of what is new the table may move: what is found in its old place is the same still.
  for (let i: u32 = 0; i < count; i++) {
    const at = inBatch(i);
    const start = <usize>load<u32>(at);
    const length = load<u32>(at, 4);
    const own = <usize>load<u32>(at, 12);
    if (own != 0 && isSame(own, start, length)) store<u32>(at, load<u32>(at, 16) - 1, 16);
    else store<u32>(at, find(start, length, load<u32>(at, 8)), 16);
  }
}

export function ofBatch(i: u32): u32 {
  return load<u32>(inBatch(i), 16);
}
