// Use-list orders: the order in which LLVM keeps a value's uses, which nothing here depends on.

import { failExpected } from "./fault.js";
import { accept, expect, isWord, skipNested } from "./read.js";
import { advance } from "./scanner.js";
import type { Parser } from "./state.js";
import { kind } from "./token.js";
import { readBlockName, readTypedValue } from "./values.js";

/** `uselistorder i32 %x, { 1, 0 }`, `uselistorder_bb @f, %b, { 1, 0 }`. */
export function skipUseList(p: Parser): void {
  const s = p.scanner;
  const isBlock = isWord(p, "uselistorder_bb");
  advance(s);
  if (isBlock) {
    if (s.kind !== kind.GLOBAL && s.kind !== kind.GLOBAL_NUMBER) failExpected(p, "a function");
    advance(s);
    expect(p, kind.COMMA);
    if (p.body !== undefined) readBlockName(p);
    else if (s.kind === kind.LOCAL || s.kind === kind.LOCAL_NUMBER) advance(s);
    else failExpected(p, "a block");
  } else if (isWord(p, "label")) {
    advance(s);
    readBlockName(p);
  } else readTypedValue(p, {}, "value");
  expect(p, kind.COMMA);
  if (!accept(p, kind.LEFT_BRACE)) failExpected(p, "'{'");
  skipNested(p, 1);
}
