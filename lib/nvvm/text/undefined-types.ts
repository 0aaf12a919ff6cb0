// Stops early at a text that uses many undefined types. A type may be defined after its uses, so missing definitions are known
// only at the end: a large text would be read in full, with all its declarations, to report the first errors.

import { isFull, MAX_ERRORS } from "../error-limit.js";
import { report } from "./fault.js";
import { typeName } from "./names.js";
import type { Parser } from "./state.js";

/** Number of undefined types at which the rest of the text is searched; texts in ordinary order never reach it. */
const MANY = 2 * MAX_ERRORS;

/** Whether so many types are undefined that the rest of the text should be searched for their definitions; once per module. */
export const hasManyUndefined = ({ module }: Parser): boolean =>
  module.undefinedTypes >= MANY && !module.searchedForTypes;

/**
 * Reports the types that the rest of the text cannot define, if they are as many as the limit of errors: the sink is then full.
 */
export function reportUndefinable(p: Parser): void {
  p.module.searchedForTypes = true;
  const later = definedAfter(p.scanner.bytes, p.scanner.start);
  if (later === undefined) return;
  const missing = [...p.module.structs.entries()].filter(
    ([key, { defined }]) => !defined && !later.has(typeName(p, key)),
  );
  if (p.sink.errorCount + missing.length < MAX_ERRORS) return;
  for (const [key, { firstUse }] of missing) {
    if (isFull(p.sink)) return;
    if (firstUse !== undefined)
      report(p, "nvvm-undefined", `type %${typeName(p, key)} is used, but defined nowhere`, firstUse);
  }
}

const [TAB, SPACE, PERCENT, SLASH, EQUAL] = [..."\t %/="].map((byte) => byte.charCodeAt(0));
/** Blanks that end a line, and NUL. */
const lineEnds: ReadonlySet<number> = new Set([0, 10, 13]);
const isNameByte = (byte: number): boolean => /[-\w$.]/.test(String.fromCharCode(byte));

/**
 * The names that the text after `from` may define with `=` and `type` on one line; undefined if anything but spaces and tabs is
 * in between. Leading zeros are dropped: `%007` is `%7`. Bytes are searched, not tokens: after a fault the reader continues at
 * the next statement that it finds.
 */
function definedAfter(bytes: Uint8Array, from: number): ReadonlySet<string> | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const found = new Set<string>();
  const skipBlanks = (end: number): number => {
    let at = end;
    while (at > from && (text[at - 1] === SPACE || text[at - 1] === TAB)) at--;
    return at;
  };
  for (let word = text.indexOf("type", from); word >= 0; word = text.indexOf("type", word + 4)) {
    const blank = skipBlanks(word);
    const before = text[blank - 1]!;
    if (before === EQUAL) {
      const end = skipBlanks(blank - 1);
      let start = end;
      while (start > from && isNameByte(text[start - 1]!)) start--;
      if (start <= from || start === end || text[start - 1] !== PERCENT) return undefined;
      found.add(text.toString("latin1", start, end).replace(/^0+(?=\d+$)/, ""));
    } else if (blank <= from || before === SLASH || lineEnds.has(before)) return undefined;
  }
  return found;
}
