// A cursor over the blocks and records of an LLVM bitstream ("LLVM Bitcode File Format", "Bitstream Container"). It does not
// interpret block ids and record codes. It moves forward, enters or skips nested blocks, and can be opened again at a block, so
// that function bodies are read on demand.
import { malformed } from "../bytes/malformed.js";
import { readAbbreviation, type Abbreviation, type Field } from "./abbreviation.js";
import { align, offsetOf, openBits, readFixed, readFixedList, readVariable, type BitReader } from "./bits.js";

/** Abbreviations of the BLOCKINFO block, by block id. */
export type BlockInfo = Map<number, Abbreviation[]>;

/** The position of a block's content. */
export interface BlockStart {
  readonly id: number;
  /** Bit offset after the block's header. */
  readonly at: number;
  /** Bit offset after its last word. */
  readonly end: number;
  /** Width in bits of the abbreviation ids in the block. */
  readonly width: number;
  /** Byte offsets in the file: of the block's header, and after the block. */
  readonly start: number;
  readonly stop: number;
}

/** The last record; the next `next()` overwrites it. */
export interface BitRecord {
  code: number;
  /** A value above 2^53 is NaN here; `wide` contains it by index. */
  readonly values: number[];
  readonly wide: Map<number, bigint>;
  blob: Uint8Array | undefined;
  /** Byte offsets in the file. */
  start: number;
  end: number;
}

export interface BitCursor {
  readonly record: BitRecord;
  /** The header that `next` returned as "block". */
  readonly block: BlockStart;
  /** Byte offset in the file of the next bit. */
  readonly offset: number;
  /** Advances to the next record or block of the current block. After "end", the parent is the current block again. */
  next(): "record" | "block" | "end";
  /** Enters a block that `next` returned, now or earlier. */
  enter(block: BlockStart): void;
  /** Skips the block that `next` returned. */
  skip(): void;
}

const END_BLOCK = 0;
const ENTER_SUBBLOCK = 1;
const DEFINE_ABBREVIATION = 2;
const UNABBREVIATED = 3;
const BLOCKINFO = 0;
const SETBID = 1;

const char6 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

interface Level {
  readonly width: number;
  readonly end: number;
  readonly abbreviations: Abbreviation[];
}

/** The internal state of a cursor. */
interface State {
  readonly bytes: Uint8Array;
  readonly bits: BitReader;
  readonly info: BlockInfo;
  readonly record: BitRecord;
  /** The enclosing blocks. */
  readonly levels: Level[];
  level: Level;
  block: BlockStart;
}

/** Opens a stream of blocks at its first word; `base` is that byte's offset in the file. */
export function openCursor(
  bytes: Uint8Array,
  base: number,
  info: BlockInfo = new Map<number, Abbreviation[]>(),
): BitCursor {
  const bits = openBits(bytes, base);
  const record: BitRecord = { code: 0, values: [], wide: new Map(), blob: undefined, start: base, end: base };
  const level: Level = { width: 2, end: bits.end, abbreviations: [] };
  const block: BlockStart = { id: 0, at: 0, end: 0, width: 0, start: base, stop: base };
  const state: State = { bytes, bits, info, record, levels: [], level, block };
  return {
    record,
    get block() {
      return state.block;
    },
    get offset() {
      return offsetOf(bits);
    },
    next: () => next(state),
    enter: (to) => enter(state, to),
    skip() {
      bits.at = state.block.end;
    },
  };
}

function next(state: State): "record" | "block" | "end" {
  const { bits, record } = state;
  for (;;) {
    const { level } = state;
    const isOutside = state.levels.length === 0;
    // Only the top level may end without END_BLOCK.
    if (isOutside && level.end - bits.at < 32) return "end";
    const start = offsetOf(bits);
    if (bits.at >= level.end) malformed("truncated", start, "a block without an end");
    const id = readFixed(bits, level.width);
    switch (id) {
      case END_BLOCK:
        if (isOutside) malformed("malformed", start, "an end outside of blocks");
        leave(state);
        return "end";
      case ENTER_SUBBLOCK:
        readHeader(state, start);
        if (state.block.id !== BLOCKINFO) return "block";
        readBlockInfo(state);
        break;
      case DEFINE_ABBREVIATION:
        level.abbreviations.push(readAbbreviation(bits));
        break;
      default:
        record.start = start;
        readRecord(state, id);
        record.end = offsetOf(bits) + (bits.at % 8 === 0 ? 0 : 1);
        return "record";
    }
  }
}

function enter(state: State, to: BlockStart): void {
  state.levels.push(state.level);
  state.level = { width: to.width, end: to.end, abbreviations: [...(state.info.get(to.id) ?? [])] };
  state.bits.at = to.at;
}

function leave(state: State): void {
  state.bits.at = state.level.end;
  state.level = state.levels.pop()!;
}

function readHeader(state: State, start: number): void {
  const { bits, level } = state;
  const id = readVariable(bits, 8);
  const width = readVariable(bits, 4);
  align(bits);
  const words = readFixed(bits, 32);
  const end = bits.at + words * 32;
  if (!(width >= 2 && width <= 32)) malformed("malformed", start, `a block whose abbreviation ids have ${width} bits`);
  if (end > level.end) malformed("truncated", start, `a block of ${words * 4} bytes reaches past what holds it`);
  state.block = { id, at: bits.at, end, width, start, stop: bits.base + (end >>> 3) };
}

/** Reads the BLOCKINFO block, which defines abbreviations for other blocks. */
function readBlockInfo(state: State): void {
  const { bits, info, record } = state;
  enter(state, state.block);
  let current: Abbreviation[] | undefined;
  for (;;) {
    const offset = offsetOf(bits);
    const id = readFixed(bits, state.level.width);
    if (id === END_BLOCK) break;
    if (id === DEFINE_ABBREVIATION) {
      if (current === undefined) malformed("malformed", offset, "an abbreviation of no block");
      current!.push(readAbbreviation(bits));
    } else if (id === ENTER_SUBBLOCK) {
      readHeader(state, offset);
      bits.at = state.block.end;
    } else {
      record.start = offset;
      readRecord(state, id);
      const [of] = record.values;
      if (record.code !== SETBID || of === undefined) continue;
      current = info.get(of);
      if (current === undefined) info.set(of, (current = []));
    }
  }
  leave(state);
}

function readRecord(state: State, id: number): void {
  const { bits, record } = state;
  const { values } = record;
  values.length = 0;
  if (record.wide.size > 0) record.wide.clear();
  record.blob = undefined;
  if (id === UNABBREVIATED) {
    record.code = readVariable(bits, 6);
    for (let left = readCount(state, 6); left > 0; left--) push(state, readVariable(bits, 6));
    return;
  }
  const abbreviation = state.level.abbreviations[id - 4];
  if (abbreviation === undefined) return malformed("malformed", record.start, `unknown abbreviation ${id}`);
  const { fields, tail } = abbreviation;
  readField(state, fields[0]!);
  record.code = values[0]!;
  values.length = 0;
  for (let i = 1; i < fields.length; i++) readField(state, fields[i]!);
  if (tail?.kind === "array") readArray(state, tail.element);
  else if (tail?.kind === "blob") readBlob(state);
}

function push({ record, bits }: State, value: number): void {
  if (Number.isNaN(value)) record.wide.set(record.values.length, bits.wide);
  record.values.push(value);
}

function readField(state: State, field: Field): void {
  const { values, wide } = state.record;
  switch (field.kind) {
    case "literal":
      if (field.wide !== undefined) wide.set(values.length, field.wide);
      values.push(field.value);
      break;
    case "fixed":
      values.push(readFixed(state.bits, field.width));
      break;
    case "variable":
      push(state, readVariable(state.bits, field.width));
      break;
    case "char6":
      values.push(char6.charCodeAt(readFixed(state.bits, 6)));
      break;
  }
}

/** Reads a count of items that take at least `least` bits each. */
function readCount({ bits, level }: State, least: number): number {
  const offset = offsetOf(bits);
  const value = readVariable(bits, 6);
  if (!(value * least <= level.end - bits.at))
    malformed("truncated", offset, `a record of ${value} values reaches past its block`);
  return value;
}

function readArray(state: State, element: Field): void {
  const { bits } = state;
  const { values } = state.record;
  const first = values.length;
  switch (element.kind) {
    case "fixed":
      if (element.width < 32) readFixedList(bits, element.width, readCount(state, element.width), values);
      else for (let left = readCount(state, 32); left > 0; left--) values.push(readFixed(bits, 32));
      break;
    case "variable":
      for (let left = readCount(state, element.width); left > 0; left--) push(state, readVariable(bits, element.width));
      break;
    case "char6":
      readFixedList(bits, 6, readCount(state, 6), values);
      for (let i = first; i < values.length; i++) values[i] = char6.charCodeAt(values[i]!);
      break;
    case "literal": // readAbbreviation has rejected it.
      break;
  }
}

function readBlob(state: State): void {
  const { bits, level, bytes, record } = state;
  const length = readCount(state, 8);
  align(bits);
  if (length * 8 > level.end - bits.at)
    malformed("truncated", offsetOf(bits), `a blob of ${length} bytes reaches past its block`);
  record.blob = bytes.subarray(bits.at >>> 3, (bits.at >>> 3) + length);
  bits.at += length * 8;
  align(bits);
}
