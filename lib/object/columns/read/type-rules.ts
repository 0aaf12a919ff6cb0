// Checks that the words of a type (../types.ts) are valid for a kind of symbol, once for each type and kind.

import { HAS_SCOPE, IS_UNIFIED } from "../../file/declaration-codes.js";
import { opaqueFields } from "../../../isa/opaque-fields.table.js";
import { dataTypes } from "../../../isa/types.table.js";
import { WIDE, WIDE_WORDS } from "../../file/declaration-rows.js";
import { unsupported } from "../cursor.js";
import type { StringId } from "../strings.js";
import { typeRow, type TypeTable } from "../types.js";
import type { ReaderState } from "./reader-state.js";

/** First bit of each kind. Flags are added: 1 for a scope, and 2 for the numbers of `.unified`. */
export const VARIABLE = 0;
export const FUNCTION = 4;
export const REFERENCE = 7;

/** Checks a type. `bit`: the bit of that kind and those flags, which is set in state.kinds after the check. */
export function checkType(state: ReaderState, typeId: number, kind: number, flags: number, bit: number): void {
  if (typeId >= state.kinds.length) {
    const larger = new Uint8Array(2 * typeId);
    larger.set(state.kinds);
    state.kinds = larger;
  }
  checkWords(state, typeId, kind, kind === VARIABLE && (flags & HAS_SCOPE) !== 0, (flags & IS_UNIFIED) !== 0);
  state.kinds[typeId]! |= bit;
}

function checkWords(
  { columns }: ReaderState,
  typeId: number,
  kind: number,
  hasScope: boolean,
  isUnified: boolean,
): void {
  const { types } = columns;
  const type: TypeCursor = { types, at: types.start[typeId]!, end: types.start[typeId + 1]! };
  if (kind === VARIABLE) {
    checkLayout(type);
    if (hasScope) checkText(type);
  } else if (kind === FUNCTION) {
    if (readNumber(type) > 1) unsupported("noreturn");
    checkParameters(type);
    checkParameters(type);
    checkDirectives(type);
  } else checkFields(type);
  if (isUnified) {
    checkWide(type);
    checkWide(type);
  }
  if (type.at !== type.end) unsupported("a long type");
}

/** A type whose words are being read. */
interface TypeCursor {
  readonly types: TypeTable;
  at: number;
  readonly end: number;
}

const next = (type: TypeCursor): number =>
  type.at < type.end ? type.types.words[type.at++]! : unsupported("a short type");

function readNumber(type: TypeCursor): number {
  const word = next(type);
  return word >= 0 ? word : unsupported("no number");
}

function checkText(type: TypeCursor): StringId {
  const word = next(type);
  return word < 0 && word !== WIDE ? -word - 1 : unsupported("no text");
}

function checkWide(type: TypeCursor): void {
  if (next(type) !== WIDE) unsupported("no large number");
  type.at += WIDE_WORDS - 1;
}

function checkLayout(type: TypeCursor): void {
  const data = dataTypes[typeRow(type.types, checkText(type))]!;
  const packed = readNumber(type);
  if (packed >= 0x80) unsupported("alignment");
  let size = (data.bits / 8) * 2 ** (packed & 3);
  for (let count = readNumber(type); count > 0; count--) size *= Math.max(0, readNumber(type) - 1);
  const isSized = data.class !== "opaque" && data.class !== "predicate";
  if (readNumber(type) !== size && isSized) unsupported("size of a type");
}

function checkParameters(type: TypeCursor): void {
  for (let count = readNumber(type); count > 0; count--) {
    const flags = readNumber(type);
    // Only a pointer has a space or an alignment.
    if (flags > 15 || ((flags & (HAS_SPACE | HAS_ALIGN)) !== 0 && (flags & IS_POINTER) === 0))
      unsupported("a parameter");
    checkText(type);
    checkLayout(type);
    if ((flags & HAS_SPACE) !== 0) checkText(type);
    if ((flags & HAS_ALIGN) !== 0) readNumber(type);
  }
}

function checkDirectives(type: TypeCursor): void {
  for (let count = readNumber(type); count > 0; count--) {
    checkText(type);
    for (let values = readNumber(type); values > 0; values--) readNumber(type);
    for (let strings = readNumber(type); strings > 0; strings--) checkText(type);
  }
}

/** Checks the fields of a texture, sampler or surface. */
function checkFields(type: TypeCursor): void {
  for (let fields = readNumber(type); fields > 0; fields--) {
    if (readNumber(type) >= opaqueFields.length) unsupported("a field");
    checkWide(type);
  }
}

const IS_POINTER = 2;
const HAS_SPACE = 4;
const HAS_ALIGN = 8;
