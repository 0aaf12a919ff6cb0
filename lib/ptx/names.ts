// The spellings of one module, each with a small id: an open-addressing hash table over the module's own bytes. The lexer
// hands in a range and the hash that it computed on the way; a string is made once per distinct spelling, and only when
// somebody asks. A Map from strings would make one string per occurrence first, which measured seven times slower.

/** Append-only; owned by the lexer while it runs, then only read. */
export interface Names {
  /** How many spellings there are: ids are 0 to count - 1. */
  count: number;
  /** The module's bytes; a Buffer because its latin1 decoding of short ranges is several times TextDecoder's. */
  readonly bytes: Buffer;
  /** By id: where the spelling occurs first. */
  starts: Int32Array;
  lengths: Int32Array;
  hashes: Int32Array;
  /** Hash slot to id, -1 where free; its length is a power of two above 2 * count. */
  slots: Int32Array;
  readonly strings: (string | undefined)[];
}

const INITIAL_SLOTS = 1024;

/** An empty table over a module's bytes. */
export function createNames(bytes: Uint8Array): Names {
  const ids = INITIAL_SLOTS / 2;
  return {
    count: 0,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    starts: new Int32Array(ids),
    lengths: new Int32Array(ids),
    hashes: new Int32Array(ids),
    slots: new Int32Array(INITIAL_SLOTS).fill(-1),
    strings: [],
  };
}

/** The id of the spelling bytes[start, end), new or known. `hash` is any function of those bytes. */
export function internName(names: Names, start: number, end: number, hash: number): number {
  const { bytes, slots, starts, lengths, hashes } = names;
  const mask = slots.length - 1;
  const length = end - start;
  // The low bits of a multiplicative hash know only the last characters; fold the high ones in.
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (;;) {
    const id = slots[slot]!;
    if (id < 0) break;
    if (hashes[id] === hash && lengths[id] === length && sameBytes(bytes, starts[id]!, start, length)) return id;
    slot = (slot + 1) & mask;
  }
  const id = names.count++;
  starts[id] = start;
  lengths[id] = length;
  hashes[id] = hash;
  slots[slot] = id;
  if (names.count === starts.length) grow(names);
  return id;
}

function sameBytes(bytes: Uint8Array, left: number, right: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[left + i] !== bytes[right + i]) return false;
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
  const slots = new Int32Array(ids * 2).fill(-1);
  const mask = slots.length - 1;
  for (let id = 0; id < names.count; id++) {
    const hash = names.hashes[id]!;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot]! >= 0) slot = (slot + 1) & mask;
    slots[slot] = id;
  }
  names.slots = slots;
}

/** The spelling of an id, always the same string object for the same id. */
export function nameText(names: Names, id: number): string {
  const known = names.strings[id];
  if (known !== undefined) return known;
  const start = names.starts[id]!;
  return (names.strings[id] = names.bytes.toString("latin1", start, start + names.lengths[id]!));
}
