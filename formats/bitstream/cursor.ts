// A cursor over the blocks and records of an LLVM bitstream ("LLVM Bitcode File Format", "Bitstream Container"). It is of
// any content: what block ids and record codes mean is the caller's. It moves forward, enters or skips nested blocks, and
// can be opened again at a block, so that function bodies are read when they are needed.
import { malformed } from "../bytes/malformed.js";
import { readAbbreviation, type Abbreviation, type Field } from "./abbreviation.js";
import { openBits } from "./bits.js";

/** Abbreviations of the BLOCKINFO block, by block id. */
export type BlockInfo = Map<number, Abbreviation[]>;

/** Where a block's content begins. */
export interface BlockStart {
  readonly id: number;
  /** Bit behind the block's header. */
  readonly at: number;
  /** Bit behind its last word. */
  readonly end: number;
  /** Width of an abbreviation id inside. */
  readonly width: number;
  /** Bytes of the file: its header, and what follows the block. */
  readonly start: number;
  readonly stop: number;
}

/** The last record; the next `next()` overwrites it. */
export interface BitRecord {
  code: number;
  /** NaN where a value exceeds 2^53; `wide` has it by its index. */
  readonly values: number[];
  readonly wide: Map<number, bigint>;
  blob: Uint8Array | undefined;
  /** Bytes of the file. */
  start: number;
  end: number;
}

export interface BitCursor {
  readonly record: BitRecord;
  /** The header that `next` returned as "block". */
  readonly block: BlockStart;
  /** Byte of the file that holds the next bit. */
  readonly offset: number;
  /** The next record or block of the block that was entered; "end" once that is over, and its parent is current again. */
  next(): "record" | "block" | "end";
  /** Makes the block current that `next` returned, or that was returned by it earlier. */
  enter(block: BlockStart): void;
  /** Jumps over the block that `next` returned. */
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

/** Opens a stream of blocks at its first word; `base` is that byte's offset in the file. */
export function openCursor(
  bytes: Uint8Array,
  base: number,
  info: BlockInfo = new Map<number, Abbreviation[]>(),
): BitCursor {
  const bits = openBits(bytes, base);
  const record: BitRecord = { code: 0, values: [], wide: new Map(), blob: undefined, start: base, end: base };
  const levels: Level[] = [];
  let level: Level = { width: 2, end: bits.end, abbreviations: [] };
  let block: BlockStart = { id: 0, at: 0, end: 0, width: 0, start: base, stop: base };

  function push(value: number): void {
    if (Number.isNaN(value)) record.wide.set(record.values.length, bits.wide);
    record.values.push(value);
  }

  function scalar(field: Field): void {
    switch (field.kind) {
      case "literal":
        if (field.wide !== undefined) record.wide.set(record.values.length, field.wide);
        record.values.push(field.value);
        break;
      case "fixed":
        record.values.push(bits.fixed(field.width));
        break;
      case "variable":
        push(bits.variable(field.width));
        break;
      case "char6":
        record.values.push(char6.charCodeAt(bits.fixed(6)));
        break;
    }
  }

  /** A count of things that take at least `least` bits each. */
  function count(least: number): number {
    const { offset } = bits;
    const value = bits.variable(6);
    if (!(value * least <= level.end - bits.at))
      malformed("truncated", offset, `a record of ${value} values reaches past its block`);
    return value;
  }

  function readRecord(id: number): void {
    const { values } = record;
    values.length = 0;
    if (record.wide.size > 0) record.wide.clear();
    record.blob = undefined;
    if (id === UNABBREVIATED) {
      record.code = bits.variable(6);
      for (let left = count(6); left > 0; left--) push(bits.variable(6));
      return;
    }
    const abbreviation = level.abbreviations[id - 4];
    if (abbreviation === undefined) return malformed("malformed", record.start, `unknown abbreviation ${id}`);
    const { fields, tail } = abbreviation;
    scalar(fields[0]!);
    record.code = values[0]!;
    values.length = 0;
    for (let i = 1; i < fields.length; i++) scalar(fields[i]!);
    if (tail?.kind === "array") readArray(tail.element);
    else if (tail?.kind === "blob") readBlob();
  }

  function readArray(element: Field): void {
    const { values } = record;
    switch (element.kind) {
      case "fixed":
        for (let left = count(element.width); left > 0; left--) values.push(bits.fixed(element.width));
        break;
      case "variable":
        for (let left = count(element.width); left > 0; left--) push(bits.variable(element.width));
        break;
      case "char6":
        for (let left = count(6); left > 0; left--) values.push(char6.charCodeAt(bits.fixed(6)));
        break;
      case "literal": // refused by readAbbreviation
        break;
    }
  }

  function readBlob(): void {
    const length = count(8);
    bits.align();
    if (length * 8 > level.end - bits.at)
      malformed("truncated", bits.offset, `a blob of ${length} bytes reaches past its block`);
    record.blob = bytes.subarray(bits.at >>> 3, (bits.at >>> 3) + length);
    bits.at += length * 8;
    bits.align();
  }

  function readHeader(start: number): void {
    const id = bits.variable(8);
    const width = bits.variable(4);
    bits.align();
    const words = bits.fixed(32);
    const end = bits.at + words * 32;
    if (!(width >= 2 && width <= 32))
      malformed("malformed", start, `a block whose abbreviation ids have ${width} bits`);
    if (end > level.end) malformed("truncated", start, `a block of ${words * 4} bytes reaches past what holds it`);
    block = { id, at: bits.at, end, width, start, stop: base + (end >>> 3) };
  }

  function enter(to: BlockStart): void {
    levels.push(level);
    level = { width: to.width, end: to.end, abbreviations: [...(info.get(to.id) ?? [])] };
    bits.at = to.at;
  }

  function readBlockInfo(): void {
    enter(block);
    let current: Abbreviation[] | undefined;
    for (;;) {
      const { offset } = bits;
      const id = bits.fixed(level.width);
      if (id === END_BLOCK) break;
      if (id === DEFINE_ABBREVIATION) {
        if (current === undefined) malformed("malformed", offset, "an abbreviation of no block");
        current!.push(readAbbreviation(bits));
      } else if (id === ENTER_SUBBLOCK) {
        readHeader(offset);
        bits.at = block.end;
      } else {
        record.start = offset;
        readRecord(id);
        const [of] = record.values;
        if (record.code !== SETBID || of === undefined) continue;
        current = info.get(of);
        if (current === undefined) info.set(of, (current = []));
      }
    }
    leave();
  }

  function leave(): void {
    bits.at = level.end;
    level = levels.pop()!;
  }

  return {
    record,
    get block() {
      return block;
    },
    get offset() {
      return bits.offset;
    },
    next() {
      for (;;) {
        // Only the stream itself may end without an end.
        if (levels.length === 0 && level.end - bits.at < 32) return "end";
        const start = bits.offset;
        if (bits.at >= level.end) malformed("truncated", start, "a block without an end");
        const id = bits.fixed(level.width);
        switch (id) {
          case END_BLOCK:
            if (levels.length === 0) malformed("malformed", start, "an end outside of blocks");
            leave();
            return "end";
          case ENTER_SUBBLOCK:
            readHeader(start);
            if (block.id !== BLOCKINFO) return "block";
            readBlockInfo();
            break;
          case DEFINE_ABBREVIATION:
            level.abbreviations.push(readAbbreviation(bits));
            break;
          default:
            record.start = start;
            readRecord(id);
            record.end = bits.offset + (bits.at % 8 === 0 ? 0 : 1);
            return "record";
        }
      }
    },
    enter,
    skip() {
      bits.at = block.end;
    },
  };
}
