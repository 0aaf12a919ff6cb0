// Locations of words that the tree does not record: a type, a linkage, an opcode. They are searched in the text when something
// is reported.

import type { Ranged, Source } from "../../ptx/source-text.js";
import type { Module } from "../ir/module.js";
import type { Instruction } from "../ir/instruction.js";

const wordBytes = /[A-Za-z0-9_.$-]/;

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined && wordBytes.test(String.fromCharCode(byte));

/** Longest text that is searched. */
const MAX_SEARCHED = 4096;

const textOf = ({ bytes }: Source, { start, end }: Ranged): string =>
  Buffer.from(
    bytes.buffer,
    bytes.byteOffset + start,
    Math.max(0, Math.min(end, start + MAX_SEARCHED) - start),
  ).toString("latin1");

/** The first occurrence of a whole word in a range of the text; the range if there is none. */
export function wordIn({ source, form }: Module, range: Ranged, word: string): Ranged {
  if (form !== "text") return range;
  const text = textOf(source, range);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const start = range.start + at;
    const end = start + word.length;
    const isBounded = (inside: number, outside: number): boolean =>
      !isWordByte(source.bytes[inside]) || !isWordByte(source.bytes[outside]);
    if (isBounded(start, start - 1) && isBounded(end - 1, end)) return { start, end };
  }
  return range;
}

/** The token at an offset: a name with its sign, a number, a word, or one character. */
export function tokenAt({ source, form }: Module, start: number): Ranged {
  const { bytes } = source;
  if (form !== "text") return { start, end: start + 1 };
  let end = start;
  if (bytes[end] === AT || bytes[end] === PERCENT || bytes[end] === BANG) end++;
  if (bytes[end] === QUOTE) {
    const close = bytes.indexOf(QUOTE, end + 1);
    return { start, end: close < 0 ? bytes.length : close + 1 };
  }
  while (end < bytes.length && isWordByte(bytes[end])) end++;
  return { start, end: Math.max(end, start + 1) };
}

const AT = 0x40;
const PERCENT = 0x25;
const BANG = 0x21;
const QUOTE = 0x22;

/** The opcode of an instruction, after its result. */
export function opcodeRange(module: Module, { start, end, opcode }: Instruction): Ranged {
  if (module.form !== "text") return { start, end };
  if (module.source.bytes[start] !== PERCENT) return wordIn(module, { start, end }, opcode);
  const equals = module.source.bytes.indexOf(EQUALS, tokenAt(module, start).end);
  return equals < 0 || equals >= end ? { start, end } : wordIn(module, { start: equals, end }, opcode);
}

const EQUALS = 0x3d;
const LINE_FEED = 0x0a;
const SPACE = 0x20;

/** The line that defines a named structure; the start of the file if none does. */
export function structRange(name: string | undefined, { source, form }: Module): Ranged {
  const { bytes } = source;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spelled = /^[-a-zA-Z$._0-9]+$/.test(name ?? "") ? `%${name}` : `%"${name}"`;
  for (let at = form === "text" ? text.indexOf(spelled) : -1; at >= 0; at = text.indexOf(spelled, at + 1)) {
    let behind = at + spelled.length;
    while (bytes[behind] === SPACE) behind++;
    if (bytes[behind] !== EQUALS) continue;
    const end = bytes.indexOf(LINE_FEED, behind);
    return { start: at, end: end < 0 ? bytes.length : end };
  }
  return { start: 0, end: 0 };
}

/** The token of an operand; the instruction if its location is unknown. */
export function operandRange(module: Module, instruction: Instruction, index: number): Ranged {
  const start = instruction.operandStarts[index];
  return start === undefined ? opcodeRange(module, instruction) : tokenAt(module, start);
}
