// Checks that the words of a type (../types.ts) declare a symbol of some kind: once for each type and kind.

import { opaqueFields } from "../../../isa/opaque-fields.table.js";
import { dataTypes } from "../../../isa/types.table.js";
import { WIDE, WIDE_WORDS } from "../../file/declaration-rows.js";
import { HAS_SCOPE, IS_UNIFIED } from "../codes.js";
import { unsupported } from "../cursor.js";
import { typeRow } from "../types.js";
import type { ReaderState } from "./reader-state.js";

/** First bit of each kind. Its flags add 1 for a scope, and 2 for the numbers of `.unified`. */
export const VARIABLE = 0;
export const FUNCTION = 4;
export const REFERENCE = 7;

/** `bit`: of that kind and those flags, which reading.kinds has once it was found to be one. */
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
  const { words } = types;
  const end = types.start[typeId + 1]!;
  let at = types.start[typeId]!;
  const next = (): number => (at < end ? words[at++]! : unsupported("a short type"));
  const number = (): number => {
    const word = next();
    return word >= 0 ? word : unsupported("no number");
  };
  const text = (): number => {
    const word = next();
    return word < 0 && word !== WIDE ? -word - 1 : unsupported("no text");
  };
  const wide = (): void => {
    if (next() !== WIDE) unsupported("no large number");
    at += WIDE_WORDS - 1;
  };
  const layout = (): void => {
    const type = dataTypes[typeRow(types, text())]!;
    const packed = number();
    if (packed >= 0x80) unsupported("alignment");
    let size = (type.bits / 8) * 2 ** (packed & 3);
    for (let count = number(); count > 0; count--) size *= Math.max(0, number() - 1);
    const isSized = type.class !== "opaque" && type.class !== "predicate";
    if (number() !== size && isSized) unsupported("size of a type");
  };
  const parameters = (): void => {
    for (let count = number(); count > 0; count--) {
      const flags = number();
      // What points says so.
      if (flags > 15 || ((flags & (HAS_SPACE | HAS_ALIGN)) !== 0 && (flags & IS_POINTER) === 0))
        unsupported("a parameter");
      text();
      layout();
      if ((flags & HAS_SPACE) !== 0) text();
      if ((flags & HAS_ALIGN) !== 0) number();
    }
  };
  const directives = (): void => {
    for (let count = number(); count > 0; count--) {
      text();
      for (let values = number(); values > 0; values--) number();
      for (let strings = number(); strings > 0; strings--) text();
    }
  };
  if (kind === VARIABLE) {
    layout();
    if (hasScope) text();
  } else if (kind === FUNCTION) {
    if (number() > 1) unsupported("noreturn");
    parameters();
    parameters();
    directives();
  } else
    for (let fields = number(); fields > 0; fields--) {
      if (number() >= opaqueFields.length) unsupported("a field");
      wide();
    }
  if (isUnified) {
    wide();
    wide();
  }
  if (at !== end) unsupported("a long type");
}

const IS_POINTER = 2;
const HAS_SPACE = 4;
const HAS_ALIGN = 8;
