// The spellings of modules, each with a small id: an open-addressing hash table over their bytes. The lexer hands in ranges; a
// string is made once per distinct spelling, and only on demand. A Map from strings would make one string per
// occurrence first, which measured seven times slower.
//
// Modules that are read one after the other name the same things, so a table goes from one to the next with its ids and its
// strings until it has many names; data indexed by id is valid as long as the table.
//
// Hashing and comparing go by words of four bytes, a slot's fields are adjacent, and a name of up to eight
// bytes is compared with the slot alone: all this is half of the lexer's work. Rejected: hashing byte by byte while the
// lexer looks for a name's end (its multiplications wait for each other), and one array each for hashes, places and ids (as
// many cache misses a name).

import { newSalt } from "../../formats/bytes/salt.js";

/**
 * Node's Buffers, because their latin1 decoding of short ranges is several times TextDecoder's. Only so much of the type, since
 * the package's types need none of Node's.
 */
export interface TextBytes extends Uint8Array {
  toString(encoding?: "latin1", start?: number, end?: number): string;
}

/** Owned by the lexer while it runs, then only read. */
export interface Names {
  /** How many spellings there are: ids are 0 to count - 1. */
  count: number;
  /** The bytes of the module at hand. */
  bytes: TextBytes;
  /** The same bytes, for reading them by words. */
  view: DataView;
  /** All spellings one behind the other, and how many bytes they take. */
  kept: TextBytes;
  keptView: DataView;
  keptBytes: number;
  /** By id: where the spelling is kept, its length, and where it is sought first, before that is cut to the table's size. */
  starts: Int32Array;
  lengths: Int32Array;
  hashes: Int32Array;
  /**
   * Four numbers a slot: head, tail, length, id + 1 (0 where free). Head and tail are the first and the last four bytes, which
   * make up a short name; of a longer one the head is a hash of all but the last. Slots are a power of two above 2 * count.
   */
  slots: Int32Array;
  readonly strings: (string | undefined)[];
  /** Of the hashes (salt.ts). */
  readonly salt: number;
}

/** Small, so that a first module makes them grow: the engine compiles what adds a name with that in mind then, and does not do it again. */
const INITIAL_SLOTS = 32;
const INITIAL_BYTES = 1 << 6;
/** Numbers in a slot. */
const STRIDE = 4;

/** A table of more names is not taken to the next module. */
const MOST_TAKEN = 1024;

/** Larger arrays than this take longer to clear than small ones to make. */
const MOST_CLEARED = 1 << 14;
const MOST_BYTES = 1 << 20;

/** A table for a module's bytes: `spare`, if that module is no longer in use, or an empty one in the memory of `spare`. */
export function createNames(bytes: Uint8Array, spare?: Names): Names {
  // An empty table is there for its arrays.
  const isTaken =
    spare !== undefined && spare.count > 0 && spare.count <= MOST_TAKEN && spare.kept.length <= MOST_BYTES;
  const names = isTaken ? spare : emptyNames(spare);
  // Of a first table, too: the engine takes a field that was never written again for a constant, until it is.
  names.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  names.view = viewOf(names.bytes);
  return names;
}

/** A table without names, in the memory of another if there is one. */
function emptyNames(spare: Names | undefined): Names {
  const { starts, lengths, hashes, slots, kept } = spareArrays(spare) ?? newArrays();
  const keptView = viewOf(kept);
  // From the first table on of the kind that V8 has for an array with holes.
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
  if (spare === undefined || spare.slots.length > MOST_CLEARED * STRIDE || spare.kept.length > MOST_BYTES)
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

/** Where a name is sought first, before it is cut to the table's size. */
function firstSlot(head: number, tail: number, length: number, salt: number): number {
  return mix(head ^ mix(tail ^ length, salt), salt) << 2;
}

/** Whether the spelling kept from `known` on is that of [start, end), which are more than eight bytes and agree in the last four. */
function sameBytes({ view, keptView }: Names, known: number, start: number, end: number): boolean {
  const offset = known - start;
  for (let at = start; at < end - 4; at += 4)
    if (view.getInt32(at, true) !== keptView.getInt32(at + offset, true)) return false;
  return true;
}

/** Keeps a new spelling; where. */
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
