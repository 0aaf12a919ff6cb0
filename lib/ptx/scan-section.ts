// Fast path for a section's data. It scans the bytes that compilers write: types, decimal and hexadecimal numbers, names, commas,
// white space and comments. Anything else, and every error, is left to debug.ts, which reads tokens and reports; the tokens of a
// section take several times the text's memory. PTX ISA 9.0 section 11.5.3.

import { classes, DIGIT, follows, LETTER, PREFIX, SPACE } from "./characters.table.js";
import { internName, nameText, type Names, type TextBytes } from "./names.js";
import {
  addInteger,
  addIntegers,
  addLabel,
  addMisfit,
  addReference,
  addText,
  fitsType,
  isBelowHalf,
  reserve,
  type SectionData,
} from "./section-data.js";
import type { SectionDirective } from "./tree.js";
import { RESERVED } from "./words.table.js";

const LINE_FEED = 0x0a;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const COLON = 0x3a;
const LOWER_B = 0x62;
const LOWER_X = 0x78;
const LOWER_BIT = 0x20;

/** Most digits of numbers that are exact in a double. */
const MAX_DECIMALS = 15;
const MAX_HEXADECIMALS = 13;

/** Maps name ids in the text to text numbers in the store, plus 1. */
export interface TextNumbers {
  of: Int32Array;
}

/** The store for the sections of a module. */
export interface SectionStore {
  readonly data: SectionData;
  readonly numbers: TextNumbers;
  /** The last section that was read, and the token after it. */
  latest: { readonly section: SectionDirective; readonly next: number } | undefined;
}

export const createTextNumbers = (): TextNumbers => ({ of: new Int32Array(256) });

/** The number of a text in the store. */
export function textNumber(data: SectionData, numbers: TextNumbers, names: Names, id: number): number {
  if (id >= numbers.of.length) {
    const wider = new Int32Array(Math.max(2 * numbers.of.length, id + 1));
    wider.set(numbers.of);
    numbers.of = wider;
  }
  const known = numbers.of[id]!;
  if (known !== 0) return known - 1;
  const made = addText(data, nameText(names, id));
  numbers.of[id] = made + 1;
  return made;
}

/** The text and the store of a scan. */
interface SectionScan {
  readonly data: SectionData;
  readonly numbers: TextNumbers;
  readonly names: Names;
  readonly bytes: TextBytes;
  /** End offset of the section's text. */
  readonly to: number;
  /** The section's first row in the data. */
  readonly firstRow: number;
}

/**
 * Adds the directives in bytes [from, to), between a section's braces, to the store. False if the text is not as described above;
 * the store then has the preceding data.
 */
export function scanSection(data: SectionData, numbers: TextNumbers, names: Names, from: number, to: number): boolean {
  const { bytes } = names;
  const scan: SectionScan = { data, numbers, names, bytes, to, firstRow: data.used };
  let at = from;
  while (at >= 0) {
    at = pastBlanks(bytes, at, to);
    if (at >= to) return at === to;
    at = bytes[at] === DOT ? scanDirective(scan, at) : scanLabel(scan, at);
  }
  return false;
}

const scannedText = ({ data, numbers, names }: SectionScan, start: number, end: number): number =>
  textNumber(data, numbers, names, internName(names, start, end));

/** Reads `name:`. Returns its end, or -1. */
function scanLabel(scan: SectionScan, start: number): number {
  const { bytes, to, data } = scan;
  const end = wordEnd(bytes, start, to);
  if (end < 0) return -1;
  const at = pastBlanks(bytes, end, to);
  if (bytes[at] !== COLON || bytes[at + 1] === COLON) return -1;
  addLabel(data, scannedText(scan, start, end), start, at + 1);
  return at + 1;
}

/** Reads a type and the values after it. Returns their end, or -1. */
function scanDirective(scan: SectionScan, start: number): number {
  const { bytes, to } = scan;
  const type = typeAt(bytes, start + 1);
  if (type < 0) return -1;
  let at = type === 0 ? start + 3 : start + 4;
  if (at >= to || follows[bytes[at]!] !== 0 || bytes[at] === COLON) return -1;
  at = pastBlanks(bytes, at, to);
  return classes[bytes[at]!] === DIGIT || bytes[at] === MINUS
    ? scanIntegers(scan, type, start, at)
    : scanReference(scan, type, start, at);
}

/** Reads `name`, `name+8`, `name-name` or `.debug_info`. Returns its end, or -1. */
function scanReference(scan: SectionScan, type: number, start: number, from: number): number {
  const { bytes, to, data } = scan;
  const isSection = bytes[from] === DOT;
  const end = isSection ? sectionNameEnd(bytes, from, to) : wordEnd(bytes, from, to);
  if (end < 0) return -1;
  const text = scannedText(scan, from, end);
  let at = end;
  const sign = pastBlanks(bytes, at, to);
  let minus = -1;
  let offset: bigint | undefined;
  if (sign < to && bytes[sign] === PLUS) {
    const digits = pastBlanks(bytes, sign + 1, to);
    at = decimalsEnd(bytes, digits, to);
    if (at === digits || at - digits > MAX_DECIMALS || !isWhole(bytes, digits, at)) return -1;
    offset = BigInt(decimal(bytes, digits, at));
  } else if (sign < to && bytes[sign] === MINUS && !isSection) {
    const other = pastBlanks(bytes, sign + 1, to);
    at = wordEnd(bytes, other, to);
    if (at < 0) return -1;
    minus = scannedText(scan, other, at);
  }
  addReference(data, type, text, minus, offset, start, at);
  return at;
}

/** Reads integers separated by commas. Returns their end, or -1. */
function scanIntegers({ data, bytes, to, firstRow }: SectionScan, type: number, start: number, from: number): number {
  let at = from;
  let each = 0;
  let hasNegative = false;
  let isSigned = true;
  let misfit: number | undefined;
  for (;;) {
    const isNegative = bytes[at] === MINUS;
    if (isNegative) at = pastBlanks(bytes, at + 1, to);
    let end = at;
    let value = 0;
    if (bytes[at] === ZERO && (bytes[at + 1]! | LOWER_BIT) === LOWER_X) {
      end = hexadecimalsEnd(bytes, at + 2, to);
      if (end === at + 2 || end - at - 2 > MAX_HEXADECIMALS || follows[bytes[end]!] !== 0) return -1;
      for (let i = at + 2; i < end; i++) value = value * 16 + hexadecimal(bytes[i]!);
    } else {
      while (end < to && classes[bytes[end]!] === DIGIT) value = value * 10 + bytes[end++]! - ZERO;
      if (end === at || end - at > MAX_DECIMALS || !isWhole(bytes, at, end)) return -1;
    }
    if (isNegative) {
      value = 0 - value;
      hasNegative = value < 0 || hasNegative;
    }
    if (type === 0 && value >= 0) {
      if (data.size === data.bytes.length) reserve(data, 1);
      data.bytes[data.size++] = value;
      if (value > 127) isSigned = false;
      if (value > 255) misfit ??= value;
    } else {
      addInteger(data, type, value);
      if (!isBelowHalf(value, type)) isSigned = false;
      if (!fitsType(value, type)) misfit ??= value;
    }
    each++;
    at = end;
    const comma = pastBlanks(bytes, at, to);
    if (comma >= to || bytes[comma] !== COMMA) break;
    at = pastBlanks(bytes, comma + 1, to);
  }
  addIntegers(data, firstRow, type, each, 1, hasNegative && isSigned);
  if (misfit !== undefined) addMisfit(data, { start, end: at, value: BigInt(misfit), type });
  return at;
}

/** Skips white space and comments; the result is beyond `to` if a comment does not end before it. */
function pastBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (;;) {
    while (at < to && classes[bytes[at]!] === SPACE) at++;
    if (at >= to || bytes[at] !== SLASH) return at;
    if (bytes[at + 1] !== SLASH) return to + 1;
    at = bytes.indexOf(LINE_FEED, at);
    if (at < 0 || at >= to) return to + 1;
  }
}

/** Log2 of the size in bytes of the type name at an offset, after its dot; -1 if there is none. */
function typeAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== LOWER_B) return -1;
  switch ((bytes[at + 1]! << 8) | bytes[at + 2]!) {
    case 0x3136:
      return 1;
    case 0x3332:
      return 2;
    case 0x3634:
      return 3;
    default:
      return bytes[at + 1] === 0x38 ? 0 : -1;
  }
}

/** End of the identifier at an offset; -1 if there is none, if it continues with a dot or `::`, or is the reserved word. */
function wordEnd(bytes: TextBytes, at: number, to: number): number {
  const first = at < to ? classes[bytes[at]!] : undefined;
  if (first !== LETTER && first !== PREFIX) return -1;
  let end = at + 1;
  while (end < to && follows[bytes[end]!] === 1) end++;
  if (first === PREFIX && end === at + 1) return -1;
  if (bytes[end] === DOT || isDoubleColon(bytes, end)) return -1;
  if (end - at === RESERVED.length && bytes.toString("latin1", at, end) === RESERVED) return -1;
  return end;
}

/** End of a section name such as `.debug_info`; -1 for other words after a dot. */
function sectionNameEnd(bytes: TextBytes, at: number, to: number): number {
  if (bytes.toString("latin1", at, at + 7) !== ".debug_") return -1;
  let end = at + 7;
  while (end < to && follows[bytes[end]!] === 1) end++;
  return isDoubleColon(bytes, end) || bytes[end] === DOT ? -1 : end;
}

const isDoubleColon = (bytes: Uint8Array, at: number): boolean => bytes[at] === COLON && bytes[at + 1] === COLON;

function decimalsEnd(bytes: Uint8Array, at: number, to: number): number {
  let end = at;
  while (end < to && classes[bytes[end]!] === DIGIT) end++;
  return end;
}

/** Whether digits are a complete number: not octal, without suffix or fraction. */
const isWhole = (bytes: Uint8Array, start: number, end: number): boolean =>
  (bytes[start] !== ZERO || end === start + 1) && follows[bytes[end]!] === 0 && bytes[end] !== DOT;

function decimal(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + bytes[at]! - ZERO;
  return value;
}

function hexadecimalsEnd(bytes: Uint8Array, at: number, to: number): number {
  let end = at;
  while (end < to && hexadecimal(bytes[end]!) < 16) end++;
  return end;
}

/** The digit's value; 16 or more for other bytes. */
function hexadecimal(byte: number): number {
  const digit = byte - ZERO;
  if (digit >= 0 && digit < 10) return digit;
  const letter = (byte | LOWER_BIT) - 0x61;
  return letter >= 0 && letter < 6 ? 10 + letter : 16;
}
