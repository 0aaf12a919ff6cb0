// Keeps the texts inside other files by name, for the source lines that diagnostics show.

import type { ShownText } from "./excerpt.js";

/** Texts by name; undefined if several different texts have the name. */
export type InnerTexts = Map<string, ShownText | undefined>;

/**
 * Keeps a text. Members of an archive may share a name; diagnostics about them then show no line, because it could be another
 * member's.
 */
export function keepInner(texts: InnerTexts, name: string, text: ShownText): void {
  const isOther = texts.has(name) && !isSame(texts.get(name) ?? none, text);
  texts.set(name, isOther ? undefined : text);
}

const none = new Uint8Array();

/** Bytes that are compared in one step. */
const CHUNK = 2 ** 20;

function isSame(a: ShownText, b: ShownText): boolean {
  if (a === b || a.length !== b.length) return a === b;
  for (let start = 0; start < a.length; start += CHUNK) {
    const end = Math.min(a.length, start + CHUNK);
    if (Buffer.compare(a.subarray(start, end), b.subarray(start, end)) !== 0) return false;
  }
  return true;
}
