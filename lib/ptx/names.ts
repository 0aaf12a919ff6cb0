// Interns the spellings of modules: an open-addressing hash table over their bytes that gives each a small id. The lexer passes
// ranges; a string is created once per distinct spelling, and only on demand. A Map from strings would create one string per
// occurrence first, which measured seven times slower.
//
// Successive modules use the same names, so that a table is reused with its ids and strings until it has many names. Data indexed
// by id is valid as long as the table.
//
// Hashing and comparing are half of the lexer's work. They use words of four bytes, a slot's fields are adjacent, and a name of
// up to eight bytes is compared with the slot alone. Rejected: hashing byte by byte while the lexer searches a name's end (its
// multiplications wait for each other), and separate arrays for hashes, offsets and ids (as many cache misses per name).

import { newSalt } from "../../formats/bytes/salt.js";

/**
 * Node's Buffer, because its latin1 decoding of short ranges is several times faster than TextDecoder's. Declares only this
 * method, since the package's types must not depend on Node's.
 */
export interface TextBytes extends Uint8Array {
  toString(encoding?: "latin1", start?: number, end?: number): string;
}

/** Written by the lexer while it runs, then read-only. */
export interface Names {
  /** Number of spellings: ids are 0 to count - 1. */
  count: number;
  /** The bytes of the current module. */
  bytes: TextBytes;
  /** The same bytes, for reading words. */
  view: DataView;
  /** All spellings, concatenated, and their total size in bytes. */
  kept: TextBytes;
  keptView: DataView;
  keptBytes: number;
  /** By id: offset of the spelling in `kept`, its length, and its hash before reduction to the table's size. */
  starts: Int32Array;
  lengths: Int32Array;
  hashes: Int32Array;
  /**
   * Four numbers for each slot: head, tail, length, id + 1 (0 if free). Head and tail are the first and the last four bytes,
   * which identify a short name; for a longer name the head is a hash of all but the last four bytes. The number of slots is a
   * power of two above 2 * count.
   */
  slots: Int32Array;
  readonly strings: (string | undefined)[];
  /** The salt of the hashes (salt.ts). */
  readonly salt: number;
}

/**
 * Small, so that the first module already makes them grow: the engine then compiles addName for growth at once, instead of a
 * second time later.
 */
const INITIAL_SLOTS = 32;
const INITIAL_BYTES = 1 << 6;
/** Numbers per slot. */
const STRIDE = 4;

/** A table with more names is not reused for the next module. */
const MAX_REUSED_NAMES = 1024;

/** Larger arrays take longer to clear than small ones to create. */
const MAX_CLEARED = 1 << 14;
const MAX_BYTES = 1 << 20;

/**
 * A table for a module's bytes: `spare`, if its module is no longer in use, or an empty one that reuses the memory of `spare`.
 */
export function createNames(bytes: Uint8Array, spare?: Names): Names {
  // An empty table is passed only for its arrays.
  const isTaken =
    spare !== undefined && spare.count > 0 && spare.count <= MAX_REUSED_NAMES && spare.kept.length <= MAX_BYTES;
  const names = isTaken ? spare : emptyNames(spare);
  // Assigned for a new table, too: the engine treats a field that was never written again as a constant, until it is written.
  names.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  names.view = viewOf(names.bytes);
  return names;
}

/** A table without names, in the memory of another one if given. */
function emptyNames(spare: Names | undefined): Names {
  const { starts, lengths, hashes, slots, kept } = spareArrays(spare) ?? newArrays();
  const keptView = viewOf(kept);
  // `new Array` makes the first table's array holey, as V8 calls it, so that all tables have the same kind.
  const strings = new Array<string | undefined>(starts.length).fill(undefined);
  return {
    count: 0,
    bytes: kept,
    view: keptView,
    kept,
    keptView,
    keptBytes: 0,
    starts,
    lengths,
    hashes,
    slots,
    strings,
    salt: newSalt(),
  };
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

type Arrays = Pick<Names, "starts" | "lengths" | "hashes" | "slots" | "kept">;

function spareArrays(spare: Names | undefined): Arrays | undefined {
  if (spare === undefined || spare.slots.length > MAX_CLEARED * STRIDE || spare.kept.length > MAX_BYTES)
    return undefined;
  spare.slots.fill(0);
  return spare;
}

const newArrays = (): Arrays => ({
  starts: new Int32Array(INITIAL_SLOTS / 2),
  lengths: new Int32Array(INITIAL_SLOTS / 2),
  hashes: new Int32Array(INITIAL_SLOTS / 2),
  slots: new Int32Array(INITIAL_SLOTS * STRIDE),
  kept: Buffer.allocUnsafeSlow(INITIAL_BYTES),
});

/** The id of the spelling bytes[start, end), new or known. */
export function internName(names: Names, start: number, end: number): number {
  const { bytes, view, slots, salt } = names;
  const length = end - start;
  let head: number;
  let tail = 0;
  if (length < 4) {
    head = bytes[start]! | (bytes[start + (length >> 1)]! << 8) | (bytes[end - 1]! << 16);
  } else {
    head = view.getInt32(start, true);
    tail = view.getInt32(end - 4, true);
    for (let at = start + 4; at < end - 4; at += 4) head = mix(head ^ view.getInt32(at, true), salt);
  }

  const mask = slots.length - 1;
  const hash = firstSlot(head, tail, length, salt);
  let slot = hash & mask;
  for (;;) {
    const id = slots[slot + 3]!;
    if (id === 0) break;
    if (
      slots[slot] === head &&
      slots[slot + 1] === tail &&
      slots[slot + 2] === length &&
      (length <= 8 || sameBytes(names, names.starts[id - 1]!, start, end))
    )
      return id - 1;
    slot = (slot + STRIDE) & mask;
  }
  slots[slot] = head;
  slots[slot + 1] = tail;
  slots[slot + 2] = length;
  slots[slot + 3] = names.count + 1;
  return addName(names, start, end, hash);
}

/**
 * Adds a new spelling to the empty slot and returns its id. Separate from the search, which runs for every name and must stay
 * small.
 */
function addName(names: Names, start: number, end: number, hash: number): number {
  const id = names.count++;
  names.starts[id] = keep(names, start, end);
  names.lengths[id] = end - start;
  names.hashes[id] = hash;
  if (names.count === names.starts.length) grow(names);
  return id;
}

/** Every bit of the result depends on every bit of the word. */
function mix(word: number, salt: number): number {
  const product = Math.imul(word ^ (word >>> 15), salt);
  return product ^ (product >>> 13);
}

/** The hash of a name, from which its first slot is derived. */
function firstSlot(head: number, tail: number, length: number, salt: number): number {
  return mix(head ^ mix(tail ^ length, salt), salt) << 2;
}

/** Whether the spelling at `known` equals [start, end); both have more than eight bytes and the same last four. */
function sameBytes({ view, keptView }: Names, known: number, start: number, end: number): boolean {
  const offset = known - start;
  for (let at = start; at < end - 4; at += 4)
    if (view.getInt32(at, true) !== keptView.getInt32(at + offset, true)) return false;
  return true;
}

/** Stores a new spelling and returns its offset. */
function keep(names: Names, start: number, end: number): number {
  const { bytes, keptBytes } = names;
  const after = keptBytes + end - start;
  if (after > names.kept.length) growKept(names, after);
  const { kept } = names;
  for (let from = start, to = keptBytes; from < end; from++, to++) kept[to] = bytes[from]!;
  names.keptBytes = after;
  return keptBytes;
}

function growKept(names: Names, atLeast: number): void {
  const wider = Buffer.allocUnsafeSlow(Math.max(atLeast, 2 * names.kept.length));
  wider.set(names.kept.subarray(0, names.keptBytes));
  names.kept = wider;
  names.keptView = viewOf(wider);
}

function grow(names: Names): void {
  const ids = names.starts.length * 2;
  const widen = (array: Int32Array): Int32Array => {
    const wider = new Int32Array(ids);
    wider.set(array);
    return wider;
  };
  names.starts = widen(names.starts);
  names.lengths = widen(names.lengths);
  names.hashes = widen(names.hashes);
  while (names.strings.length < ids) names.strings.push(undefined);
  const old = names.slots;
  const slots = new Int32Array(old.length * 2);
  const mask = slots.length - 1;
  for (let from = 0; from < old.length; from += STRIDE) {
    if (old[from + 3] === 0) continue;
    let slot = names.hashes[old[from + 3]! - 1]! & mask;
    while (slots[slot + 3] !== 0) slot = (slot + STRIDE) & mask;
    for (let i = 0; i < STRIDE; i++) slots[slot + i] = old[from + i]!;
  }
  names.slots = slots;
}

/** The spelling of an id, always the same string object for the same id. */
export function nameText(names: Names, id: number): string {
  const known = names.strings[id];
  if (known !== undefined) return known;
  return (names.strings[id] = stringOf(names, id));
}

function stringOf({ kept, starts, lengths }: Names, id: number): string {
  const start = starts[id]!;
  return kept.toString("latin1", start, start + lengths[id]!);
}
