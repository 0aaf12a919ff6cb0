// Whether what was declared is what PTX has: rules of object/declared.ts, each text and shape once, however many symbols have it. Those
// of functions, of which there are few kinds, are for who calls (../declared-rules.ts).

import { HAS_SCOPE, IS_ENTRY, IS_UNIFIED, KIND_FUNCTION, KIND_VARIABLE, LINKAGE_EXTERN, SPACE_GLOBAL } from "./constants"; // prettier-ignore
import { flagsOf, kindOf, linkageOf, name, place, shape, spaceOf, wordOf } from "./file";
import { notPlain } from "./leave";
import { List, push, reserve } from "./memory";
import { isOpenArray, scopeOfShape, shapeCount, sizeOfShape } from "./shapes";
import { startOf, textBytes, textCount } from "./texts";

/** Of each byte: what a name begins with alone, or with another behind it, and what it goes on with. */
export let characters: usize = 0;
export const LETTER: u32 = 1;
export const SIGN: u32 = 2;
export const INSIDE: u32 = 4;

/** Shapes of functions, twice each, and 1 more for kernels: each kind of function once. */
export const functions = changetype<List>(memory.data(12));

/** Of each text whether it was found to be a name; of each shape which kinds of functions had it. */
let names: usize = 0;
let known: usize = 0;

/** Of rows up to `end`. */
export function checkDeclared(end: u32): void {
  names = reserve(textCount);
  known = reserve(shapeCount);
  for (let row: u32 = 0; row < end; row++) {
    checkName(wordOf(name, row));
    const kind = kindOf(row);
    if (linkageOf(row) == LINKAGE_EXTERN && <i32>wordOf(place, row) >= 0) notPlain();
    if (kind == KIND_FUNCTION) noteFunction(wordOf(shape, row), (flagsOf(row) & IS_ENTRY) != 0);
    else if (kind == KIND_VARIABLE) checkVariable(row);
  }
}

function noteFunction(itsShape: u32, isEntry: bool): void {
  const kind: u32 = isEntry ? 1 : 2;
  const kinds = load<u8>(known + itsShape);
  if ((kinds & kind) != 0) return;
  store<u8>(known + itsShape, <u8>(kinds | kind));
  push(functions, 2 * itsShape + (isEntry ? 1 : 0));
}

function checkVariable(row: u32): void {
  const flags = flagsOf(row);
  const own = wordOf(shape, row);
  // Managed, or unified.
  if (spaceOf(row) != SPACE_GLOBAL && (flags & (IS_MANAGED | IS_UNIFIED)) != 0) notPlain();
  if ((flags & HAS_SCOPE) != 0) checkName(scopeOfShape(own));
  if (<i32>wordOf(place, row) != -1 && sizeOfShape(own) == 0 && isOpenArray(own)) notPlain();
}

const IS_MANAGED: u32 = 1;

function checkName(text: u32): void {
  if (load<u8>(names + text) != 0) return;
  const from = textBytes + startOf(text);
  const end = textBytes + startOf(text + 1);
  if (end == from) notPlain();
  const first = load<u8>(characters + load<u8>(from));
  if ((first & (LETTER | SIGN)) == 0 || ((first & SIGN) != 0 && end == from + 1)) notPlain();
  for (let at = from + 1; at < end; at++) if ((load<u8>(characters + load<u8>(at)) & INSIDE) == 0) notPlain();
  store<u8>(names + text, 1);
}
