// Extracts two kinds of data from an encoded function (encode.ts) without decoding it: the lines on which it uses each symbol
// slot, and the bytes of its variables. It skips the rest the way decode.ts reads it, without checking texts, types and operands,
// so it accepts code that decoding rejects. docs/format.md, "Encoded functions". Rejected: decodeFunction, which takes most of
// the time of a cross-reference table of thousands of modules.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import { alignUp } from "../place.js";
import { FUNCTION_HEADER_SIZE, FUNCTION_MAGIC, HAS_MODULE_REGISTERS, HAS_NAMES, HAS_NO_LINES, MAX_OPERAND_DEPTH, SLOT_SIZE } from "./slots.js"; // prettier-ignore

/** A read position in bytes. */
interface Skimmer {
  readonly bytes: Uint8Array;
  at: number;
}

/** The lines on which the code uses each slot, in code order, by the slot's offset in bytes; empty if the bytes are truncated. */
export function slotLines(bytes: Uint8Array): ReadonlyMap<number, readonly number[]> {
  const lines = new Map<number, number[]>();
  const use = (slot: number, line: number): void => {
    const offset = FUNCTION_HEADER_SIZE + SLOT_SIZE * slot;
    const known = lines.get(offset);
    if (known === undefined) lines.set(offset, [line]);
    else if (known.at(-1) !== line) known.push(line);
  };
  return decoding(() => skimLines(bytes, use)).ok ? lines : NO_LINES;
}

const NO_LINES: ReturnType<typeof slotLines> = new Map();

/** Bytes of the .local and .param variables that a body declares, laid out in order; 0 if the bytes are truncated. */
export function frameBytes(bytes: Uint8Array): number {
  const found = decoding(() => {
    const skimmer = { bytes, at: 0 };
    const { flags } = skimHeader(skimmer);
    skimPool(skimmer);
    skimRegisters(skimmer, flags);
    return skimVariables(skimmer, flags);
  });
  return found.ok ? found.value : 0;
}

function skimLines(bytes: Uint8Array, use: (slot: number, line: number) => void): void {
  const skimmer = { bytes, at: 0 };
  const { flags, slots } = skimHeader(skimmer);
  if (slots === 0 || (flags & HAS_NO_LINES) !== 0) return;
  skimPool(skimmer);
  skimRegisters(skimmer, flags);
  skimVariables(skimmer, flags);
  if ((flags & HAS_MODULE_REGISTERS) !== 0) skimList(skimmer, 2);
  const named = (flags & HAS_NAMES) !== 0;
  // The lists of branch targets and of callees.
  for (let kind = 0; kind < 2; kind++)
    for (let left = readNumber(skimmer); left > 0; left--) {
      if (named) readNumber(skimmer);
      skimList(skimmer, 1);
    }
  for (let left = readNumber(skimmer); left > 0; left--) {
    if (named) readNumber(skimmer);
    skimPrototype(skimmer);
  }
  for (let left = readNumber(skimmer); left > 0; left--) skimLocation(skimmer);
  skimList(skimmer, 2);
  skimInstructions(skimmer, slots, use);
}

// ------------------------------------------------------------------------------------------------------------- numbers

function readByte(skimmer: Skimmer): number {
  const byte = skimmer.bytes[skimmer.at];
  if (byte === undefined) malformed("truncated", skimmer.at, "the code ends");
  skimmer.at++;
  return byte!;
}

/** A variable-length number; exact up to 2^53. */
function readNumber(skimmer: Skimmer): number {
  const first = readByte(skimmer);
  if (first < 0x80) return first;
  let value = first & 0x7f;
  for (let scale = 0x80; ; scale *= 0x80) {
    const byte = readByte(skimmer);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
}

function readSigned(skimmer: Skimmer): number {
  const coded = readNumber(skimmer);
  return coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
}

function skimNumbers(skimmer: Skimmer, count: number): void {
  for (let left = count; left > 0; left--) while (readByte(skimmer) >= 0x80);
}

/** Skips a list: a count, and that many items of `numbers` numbers each. */
const skimList = (skimmer: Skimmer, numbers: number): void => skimNumbers(skimmer, numbers * readNumber(skimmer));

// ----------------------------------------------------------------------------------------- in front of the instructions

function skimHeader(skimmer: Skimmer): { readonly flags: number; readonly slots: number } {
  const { bytes } = skimmer;
  const word = (at: number): number =>
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  if (bytes.length < FUNCTION_HEADER_SIZE || word(0) !== FUNCTION_MAGIC) malformed("bad-magic", 0, "no encoded PTX");
  const slots = word(8);
  // A word for each slot, followed by a byte for each.
  skimmer.at = FUNCTION_HEADER_SIZE + (SLOT_SIZE + 1) * slots;
  return { flags: bytes[5]!, slots };
}

function skimPool(skimmer: Skimmer): void {
  for (let left = readNumber(skimmer); left > 0; left--) {
    const length = readNumber(skimmer);
    skimmer.at += length;
  }
}

function skimRegisters(skimmer: Skimmer, flags: number): void {
  skimList(skimmer, (flags & HAS_NAMES) !== 0 ? 4 : 2);
}

const FRAME_KINDS = 3;
/** The first kind of frame variables with bytes of their own: .param and .local variables. */
const FIRST_WITH_BYTES = 2;
const IN_REGISTER = 4;

function skimVariables(skimmer: Skimmer, flags: number): number {
  let end = 0;
  for (let left = readNumber(skimmer); left > 0; left--) {
    const kind = readByte(skimmer);
    if ((flags & HAS_NAMES) !== 0) readNumber(skimmer);
    const { align, size } = readLayout(skimmer);
    if ((kind & IN_REGISTER) !== 0) readNumber(skimmer);
    if ((kind & FRAME_KINDS) >= FIRST_WITH_BYTES) end = alignUp(end, align) + size;
  }
  return end;
}

function readLayout(skimmer: Skimmer): { readonly align: number; readonly size: number } {
  readNumber(skimmer);
  const packed = readByte(skimmer);
  skimList(skimmer, 1);
  return { align: 2 ** (packed >> 2), size: readNumber(skimmer) };
}

const HAS_SPACE = 4;
const HAS_ALIGN = 8;

function skimPrototype(skimmer: Skimmer): void {
  readNumber(skimmer);
  // The results, then the parameters.
  for (let list = 0; list < 2; list++)
    for (let left = readNumber(skimmer); left > 0; left--) {
      const flags = readByte(skimmer);
      readNumber(skimmer);
      readLayout(skimmer);
      if ((flags & HAS_SPACE) !== 0) readNumber(skimmer);
      if ((flags & HAS_ALIGN) !== 0) readNumber(skimmer);
    }
}

function skimLocation(skimmer: Skimmer): void {
  const parts = readByte(skimmer);
  // File, line and column; label and offset; file, line and column of a call.
  skimNumbers(skimmer, 3 + ((parts & 1) !== 0 ? 2 : 0) + ((parts & 2) !== 0 ? 3 : 0));
}

// -------------------------------------------------------------------------------------------------------- instructions

function skimInstructions(skimmer: Skimmer, slots: number, use: (slot: number, line: number) => void): void {
  const operands: number[] = [];
  for (let left = readNumber(skimmer); left > 0; left--) {
    skimNumbers(skimmer, 2);
    operands.push(readNumber(skimmer));
  }
  let line = 0;
  const refer = (slot: number): void => {
    if (slot >= slots) malformed("out-of-range", skimmer.at, `symbol slot ${slot}: there are ${slots}`);
    if (line !== 0) use(slot, line);
  };
  for (let left = readNumber(skimmer); left > 0; left--) {
    const head = readNumber(skimmer);
    if ((head & 2) !== 0) {
      line += readSigned(skimmer);
      readNumber(skimmer);
    } else line++;
    if ((head & 1) !== 0) readNumber(skimmer);
    const count = operands[Math.floor(head / 4)];
    if (count === undefined) malformed("out-of-range", skimmer.at, "no such opcode");
    for (let i = 0; i < count!; i++) skimOperand(skimmer, refer, 0);
  }
}

/** How many numbers follow an operand's first number, by its low three bits (operand-codec.ts). */
const FOLLOWING = [0, 0, 0, 1, 1, 1, 0, 0];
const HEAD_OTHER = 0;
const HEAD_AT_SLOT = 5;
const HEAD_VECTOR = 7;

function skimOperand(skimmer: Skimmer, refer: (slot: number) => void, depth: number): void {
  if (depth > MAX_OPERAND_DEPTH) malformed("limit", skimmer.at, "operands nested too deep");
  const coded = readNumber(skimmer);
  const head = coded % 8;
  const value = (coded - head) / 8;
  if (head === HEAD_OTHER) return skimOther(skimmer, value, refer, depth);
  if (head === HEAD_VECTOR) return skimOperands(skimmer, value, refer, depth);
  if (head === HEAD_AT_SLOT) refer(value);
  skimNumbers(skimmer, FOLLOWING[head]!);
}

function skimOperands(skimmer: Skimmer, count: number, refer: (slot: number) => void, depth: number): void {
  for (let left = count; left > 0; left--) skimOperand(skimmer, refer, depth + 1);
}

const OTHER = { register: 1, immediate: 3, addressOf: 4, address: 5, pair: 6, list: 7, unifiedAddress: 10 } as const;
const SELECTED = 2;
/** How many numbers follow for the codes without nested operands: absent, special, immediate, table, sink. */
const NUMBERS: Readonly<Record<number, number>> = { 0: 0, 2: 1, [OTHER.immediate]: 2, 8: 1, 9: 0 };

function skimOther(skimmer: Skimmer, code: number, refer: (slot: number) => void, depth: number): void {
  switch (code) {
    case OTHER.register:
      readNumber(skimmer);
      if ((readByte(skimmer) & SELECTED) !== 0) readNumber(skimmer);
      return;
    case OTHER.addressOf:
    case OTHER.unifiedAddress:
    case OTHER.address: {
      const base = readNumber(skimmer);
      if (base % 4 === 1) refer((base - 1) / 4);
      skimNumbers(skimmer, 1);
      if (code === OTHER.address) skimOperands(skimmer, readNumber(skimmer), refer, depth);
      return;
    }
    case OTHER.pair:
      return skimOperands(skimmer, 2, refer, depth);
    case OTHER.list:
      return skimOperands(skimmer, readNumber(skimmer), refer, depth);
    default: {
      const numbers = NUMBERS[code];
      if (numbers === undefined) malformed("malformed", skimmer.at, `operand kind ${code} is unknown`);
      skimNumbers(skimmer, numbers!);
    }
  }
}
