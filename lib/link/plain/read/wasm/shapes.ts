// What declarations say of types, each once, as a number: the table of tables/shapes.ts, in which who calls goes on when all is read.

import { advance, cursor, left, readCount, readU8, readVarU, readVarU64 } from "./cursor";
import { notPlain } from "./leave";
import { enlarged, isSame, reserve } from "./memory";
import { textSalt } from "./texts";

export let shapeCount: u32 = 0;
/** Words of all shapes, and how many there is room for; text n is -n - 1. */
export let shapeWords: usize = 0;
export let shapeWordRoom: u32 = 0;
export let shapeStart: usize = 0;
export let shapeHash: usize = 0;
/** Words that there is room for in each of those two. */
export let shapeRoom: u32 = 0;
export let shapeSlots: usize = 0;
/** Words. */
export let shapeSlotWords: u32 = 0;

/** Of each text below the limit that is a type's name: bits of a value, whether sizes follow from them, and that it is one. */
export let typeFacts: usize = 0;
export let typeLimit: u32 = 0;
export const IS_TYPE: u32 = 0x8000;
export const HAS_SIZE: u32 = 0x4000;

/** How many fields references may set. */
export let fieldCount: u32 = 0;

/** The texts of the file by their numbers there. */
let pool: usize = 0;
let poolSize: u32 = 0;
let poolRoom: u32 = 0;

export function beginPool(count: u32): usize {
  if (count > poolRoom) {
    poolRoom = 2 * count;
    pool = reserve(4 * poolRoom);
  }
  poolSize = count;
  return pool;
}

export function readText(): u32 {
  const index = readVarU();
  if (index >= poolSize) notPlain();
  return load<u32>(pool + 4 * index);
}

/** Opens a number of 64 bits in three more words, 22 bits each from the lowest on. */
const WIDE: i32 = -0x80000000;
const PART_BITS: u64 = 22;
const WIDE_WORDS: u32 = 4;
/** What of a shape is the two numbers of `.unified`, which stand at its end. */
const UNIFIED_WORDS: u32 = 2 * WIDE_WORDS;

function startOf(shape: u32): u32 {
  return load<u32>(shapeStart + 4 * shape);
}

function wordAt(index: u32): i32 {
  return load<i32>(shapeWords + 4 * index);
}

/** Behind the last word of the shape that is being read. */
let next: u32 = 0;

function put(word: i32): void {
  if (next >= shapeWordRoom) {
    shapeWords = enlarged(shapeWords, 4 * shapeWordRoom, 8 * shapeWordRoom);
    shapeWordRoom *= 2;
  }
  store<i32>(shapeWords + 4 * next++, word);
}

function putText(): void {
  put(-(<i32>readText()) - 1);
}

function putWide(): void {
  const value = readVarU64();
  put(WIDE);
  const mask: u64 = (1 << PART_BITS) - 1;
  put(<i32>(value & mask));
  put(<i32>((value >> PART_BITS) & mask));
  put(<i32>(value >> (2 * PART_BITS)));
}

function putLayout(): void {
  const text = readText();
  const packed = readU8();
  if (packed >= 0x80) notPlain();
  put(-(<i32>text) - 1);
  put(packed);
  const facts: u32 = text < typeLimit ? load<u16>(typeFacts + 2 * text) : 0;
  if (facts == 0) notPlain();
  // As precise as who else computes it.
  let size = (<f64>(facts & 0x3fff) / 8) * <f64>(1 << (packed & 3));
  const count = readCount(1);
  put(count);
  for (let i: u32 = 0; i < count; i++) {
    const dimension = readVarU();
    size *= dimension == 0 ? 0 : <f64>(dimension - 1);
    put(dimension);
  }
  const written = readVarU();
  if ((facts & HAS_SIZE) != 0 && <f64>written != size) notPlain();
  put(written);
}

/** The layout and scope of a variable, at the cursor. */
export function readVariableShape(hasScope: bool, isUnified: bool): u32 {
  next = startOf(shapeCount);
  putLayout();
  if (hasScope) putText();
  if (isUnified) {
    putWide();
    putWide();
  }
  return finish();
}

const IS_POINTER: u32 = 2;
const HAS_SPACE: u32 = 4;
const HAS_ALIGN: u32 = 8;

/** Where the file has the last function's shape, and that; nowhere at first. */
let lastStart: usize = 0;
let lastBytes: u32 = 0;
let lastShape: u32 = 0;

export function forgetLastFunction(): void {
  lastBytes = 0;
}

/**
 * The prototype and directives of a function, at the cursor. In many files most functions are of one shape, and its bytes stand there
 * again and again.
 */
export function readFunctionShape(isUnified: bool): u32 {
  // The same bytes would mean less without the flag.
  if (isUnified) return readNewFunction(true);
  if (lastBytes > 0 && lastBytes <= left() && isSame(cursor, lastStart, lastBytes)) {
    advance(lastBytes);
    return lastShape;
  }
  const start = cursor;
  lastShape = readNewFunction(false);
  lastStart = start;
  lastBytes = <u32>(cursor - start);
  return lastShape;
}

function readNewFunction(isUnified: bool): u32 {
  next = startOf(shapeCount);
  const noreturn = readVarU();
  if (noreturn > 1) notPlain();
  put(noreturn);
  for (let list = 0; list < 2; list++) {
    const count = readCount(4);
    put(count);
    for (let i: u32 = 0; i < count; i++) {
      const flags = readU8();
      const isPlainValue = (flags & (IS_POINTER | HAS_SPACE | HAS_ALIGN)) == 0;
      if (flags > 15 || (!isPlainValue && (flags & IS_POINTER) == 0)) notPlain();
      put(flags);
      putText();
      putLayout();
      if ((flags & HAS_SPACE) != 0) putText();
      if ((flags & HAS_ALIGN) != 0) put(readVarU());
    }
  }
  const directives = readCount(3);
  put(directives);
  for (let i: u32 = 0; i < directives; i++) {
    putText();
    const values = readCount(1);
    put(values);
    for (let value: u32 = 0; value < values; value++) put(readVarU());
    const strings = readCount(1);
    put(strings);
    for (let text: u32 = 0; text < strings; text++) putText();
  }
  if (isUnified) {
    putWide();
    putWide();
  }
  return finish();
}

/** The fields that a reference sets, at the cursor. */
export function readReferenceShape(): u32 {
  next = startOf(shapeCount);
  const count = readCount(2);
  put(count);
  for (let i: u32 = 0; i < count; i++) {
    const field = readVarU();
    if (field >= fieldCount) notPlain();
    put(field);
    putWide();
  }
  return finish();
}

/** The number of the shape that was put, which is forgotten again where it is known already. */
function finish(): u32 {
  const from = startOf(shapeCount);
  let hash = textSalt;
  for (let at = from; at < next; at++) hash = ((hash ^ (<u32>wordAt(at))) * textSalt) ^ (hash >>> 13);
  const mask = shapeSlotWords - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (;;) {
    const entry = load<u32>(shapeSlots + 4 * slot);
    if (entry == 0) break;
    if (load<u32>(shapeHash + 4 * (entry - 1)) == hash) {
      const own = startOf(entry - 1);
      const isAsLong = startOf(entry) - own == next - from;
      if (isAsLong && isSame(shapeWords + 4 * own, shapeWords + 4 * from, 4 * (next - from))) return entry - 1;
    }
    slot = (slot + 1) & mask;
  }
  return add(hash, slot);
}

function add(hash: u32, slot: u32): u32 {
  const id = shapeCount++;
  if (id + 2 > shapeRoom) {
    shapeStart = enlarged(shapeStart, 4 * shapeRoom, 8 * shapeRoom);
    shapeHash = enlarged(shapeHash, 4 * shapeRoom, 8 * shapeRoom);
    shapeRoom *= 2;
  }
  store<u32>(shapeStart + 4 * id, next, 4);
  store<u32>(shapeHash + 4 * id, hash);
  store<u32>(shapeSlots + 4 * slot, id + 1);
  if (shapeCount * 2 > shapeSlotWords) rehash();
  return id;
}

function rehash(): void {
  shapeSlotWords *= 2;
  shapeSlots = reserve(4 * shapeSlotWords);
  const mask = shapeSlotWords - 1;
  for (let id: u32 = 0; id < shapeCount; id++) {
    const hash = load<u32>(shapeHash + 4 * id);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (load<u32>(shapeSlots + 4 * slot) != 0) slot = (slot + 1) & mask;
    store<u32>(shapeSlots + 4 * slot, id + 1);
  }
}

// -------------------------------------------------------------------------------------------------------------- asking

/** Bytes that the alignment of a variable's shape asks for, below 2^32. */
export function alignOfShape(shape: u32): u32 {
  return 1 << (wordAt(startOf(shape) + 1) >> 2);
}

/** Bytes of a variable of this shape; 0 of an open array. */
export function sizeOfShape(shape: u32): u32 {
  const start = startOf(shape);
  return wordAt(start + 3 + wordAt(start + 2));
}

/** Whether the first dimension is open: `x[]`. */
export function isOpenArray(shape: u32): bool {
  const at = startOf(shape) + 2;
  return wordAt(at) > 0 && wordAt(at + 1) == 0;
}

/** The function in which a variable of this shape was declared, of one that has such. */
export function scopeOfShape(shape: u32): u32 {
  const end = startOf(shape + 1);
  return -wordAt((wordAt(end - WIDE_WORDS) == WIDE ? end - UNIFIED_WORDS : end) - 1) - 1;
}

/** Bytes of the parameter block of a kernel of this shape. object/parameters.ts */
export function parameterBytes(shape: u32): u64 {
  let at = startOf(shape) + 1;
  for (let returns = wordAt(at++); returns > 0; returns--) at = behindParameter(at);
  let bytes: u64 = 0;
  for (let parameters = wordAt(at++); parameters > 0; parameters--) {
    const align: u64 = 1 << ((<u64>wordAt(at + 3)) >> 2);
    bytes = ((bytes + align - 1) & ~(align - 1)) + <u64>wordAt(at + 5 + wordAt(at + 4));
    at = behindParameter(at);
  }
  return bytes;
}

/** Where the parameter behind that at `at` begins. */
function behindParameter(at: u32): u32 {
  const flags = wordAt(at);
  const behind = at + 6 + wordAt(at + 4);
  return behind + ((flags & HAS_SPACE) != 0 ? 1 : 0) + ((flags & HAS_ALIGN) != 0 ? 1 : 0);
}
