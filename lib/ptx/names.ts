// The spellings of one module, each with a small id: an open-addressing hash table over the module's own bytes. The lexer
// hands in ranges; a string is made once per distinct spelling, and only when somebody asks. A Map from strings would make
// one string per occurrence first, which measured seven times slower.
//
// Hashing and comparing go by words of four bytes, what is known of a slot lies side by side, and a name of up to eight
// bytes is compared with the slot alone: all this is half of the lexer's work. Rejected: hashing byte by byte while the
// lexer looks for a name's end (its multiplications wait for each other), and one array each for hashes, places and ids (as
// many cache misses a name).

import { newSalt } from "../../formats/bytes/salt.js";

/** Append-only; owned by the lexer while it runs, then only read. */
export interface Names {
  /** How many spellings there are: ids are 0 to count - 1. */
  count: number;
  /** The module's bytes; a Buffer because its latin1 decoding of short ranges is several times TextDecoder's. */
  readonly bytes: Buffer;
  /** The same bytes, for reading them by words. */
  readonly view: DataView;
  /** By id: where the spelling occurs first, its length, and where it is sought first, before that is cut to the table's size. */
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
  /** Strings of this module and of those before it, each at a place that its bytes tell: modules name the same things. */
  readonly recent: (string | undefined)[];
}

const INITIAL_SLOTS = 1024;
/** Numbers in a slot. */
const STRIDE = 4;

/** Strings kept for the next module, a power of two, and the characters of the longest. */
const RECENT = 2048;
const LONGEST_RECENT = 64;

/** A larger table than this takes longer to clear than a small one to make. */
const MOST_CLEARED = 16 * INITIAL_SLOTS;

/** An empty table over a module's bytes, in the memory of one that nobody needs any more, if there is one. */
export function createNames(bytes: Uint8Array, spare?: Names): Names {
  const { starts, lengths, hashes, slots } = spareArrays(spare) ?? newArrays();
  return {
    count: 0,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    starts,
    lengths,
    hashes,
    slots,
    strings: [],
    // Places of recent strings hang on it.
    salt: spare?.salt ?? newSalt(),
    recent: spare?.recent ?? new Array<string | undefined>(RECENT).fill(undefined),
  };
}

type Arrays = Pick<Names, "starts" | "lengths" | "hashes" | "slots">;

function spareArrays(spare: Names | undefined): Arrays | undefined {
  if (spare === undefined || spare.slots.length > MOST_CLEARED * STRIDE) return undefined;
  spare.slots.fill(0);
  return spare;
}

const newArrays = (): Arrays => ({
  starts: new Int32Array(INITIAL_SLOTS / 2),
  lengths: new Int32Array(INITIAL_SLOTS / 2),
  hashes: new Int32Array(INITIAL_SLOTS / 2),
  slots: new Int32Array(INITIAL_SLOTS * STRIDE),
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
      (length <= 8 || sameBytes(view, names.starts[id - 1]!, start, end))
    )
      return id - 1;
    slot = (slot + STRIDE) & mask;
  }
  const id = names.count++;
  names.starts[id] = start;
  slots[slot] = head;
  slots[slot + 1] = tail;
  slots[slot + 2] = length;
  slots[slot + 3] = id + 1;
  names.lengths[id] = length;
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

/** Whether the bytes from `known` on are those of [start, end), which are more than eight and agree in the last four. */
function sameBytes(view: DataView, known: number, start: number, end: number): boolean {
  const offset = known - start;
  for (let at = start; at < end - 4; at += 4)
    if (view.getInt32(at, true) !== view.getInt32(at + offset, true)) return false;
  return true;
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

function stringOf({ bytes, starts, lengths, hashes, recent }: Names, id: number): string {
  const start = starts[id]!;
  const end = start + lengths[id]!;
  if (end - start > LONGEST_RECENT) return bytes.toString("latin1", start, end);
  const place = (hashes[id]! >>> 2) & (RECENT - 1);
  const known = recent[place];
  if (known !== undefined && spells(known, bytes, start, end)) return known;
  return (recent[place] = bytes.toString("latin1", start, end));
}

function spells(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
