// Whether the words of a shape are what a symbol of some kind is declared as (tables/shapes.ts): looked at once for each shape and kind.

import { opaqueFields } from "../../../isa/opaque-fields.table.js";
import { dataTypes } from "../../../isa/types.table.js";
import { WIDE, WIDE_WORDS } from "../../../object/file/declaration-rows.js";
import { HAS_SCOPE, IS_UNIFIED } from "../tables/codes.js";
import { notPlain } from "../tables/cursor.js";
import { typeIndex } from "../tables/shapes.js";
import type { Reading } from "./reading.js";

/** First bit of each kind. Its flags add 1 for a scope, and 2 for the numbers of `.unified`. */
export const VARIABLE = 0;
export const FUNCTION = 4;
export const REFERENCE = 7;

/** `bit`: of that kind and those flags, which reading.kinds has once it was found to be one. */
export function checkShape(reading: Reading, shape: number, kind: number, flags: number, bit: number): void {
  if (shape >= reading.kinds.length) {
    const larger = new Uint8Array(2 * shape);
    larger.set(reading.kinds);
    reading.kinds = larger;
  }
  checkWords(reading, shape, kind, kind === VARIABLE && (flags & HAS_SCOPE) !== 0, (flags & IS_UNIFIED) !== 0);
  reading.kinds[shape]! |= bit;
}

function checkWords({ tables }: Reading, shape: number, kind: number, hasScope: boolean, isUnified: boolean): void {
  const { shapes } = tables;
  const { words } = shapes;
  const end = shapes.start[shape + 1]!;
  let at = shapes.start[shape]!;
  const next = (): number => (at < end ? words[at++]! : notPlain("a short type"));
  const number = (): number => {
    const word = next();
    return word >= 0 ? word : notPlain("no number");
  };
  const text = (): number => {
    const word = next();
    return word < 0 && word !== WIDE ? -word - 1 : notPlain("no text");
  };
  const wide = (): void => {
    if (next() !== WIDE) notPlain("no large number");
    at += WIDE_WORDS - 1;
  };
  const layout = (): void => {
    const type = dataTypes[typeIndex(shapes, text())]!;
    const packed = number();
    if (packed >= 0x80) notPlain("alignment");
    let size = (type.bits / 8) * 2 ** (packed & 3);
    for (let count = number(); count > 0; count--) size *= Math.max(0, number() - 1);
    const isSized = type.class !== "opaque" && type.class !== "predicate";
    if (number() !== size && isSized) notPlain("size of a type");
  };
  const parameters = (): void => {
    for (let count = number(); count > 0; count--) {
      const flags = number();
      // What points says so.
      if (flags > 15 || ((flags & (HAS_SPACE | HAS_ALIGN)) !== 0 && (flags & IS_POINTER) === 0))
        notPlain("a parameter");
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
    if (number() > 1) notPlain("noreturn");
    parameters();
    parameters();
    directives();
  } else
    for (let fields = number(); fields > 0; fields--) {
      if (number() >= opaqueFields.length) notPlain("a field");
      wide();
    }
  if (isUnified) {
    wide();
    wide();
  }
  if (at !== end) notPlain("a long type");
}

const IS_POINTER = 2;
const HAS_SPACE = 4;
const HAS_ALIGN = 8;
