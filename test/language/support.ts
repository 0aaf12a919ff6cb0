// Documents with a position, marked by `|`.

import { openDocument, type LanguageDocument } from "../../lib/language/document.js";

export function at(text: string, name = "a.ptx"): { readonly document: LanguageDocument; readonly offset: number } {
  const offset = text.indexOf("|");
  return { document: openDocument(name, text.slice(0, offset) + text.slice(offset + 1)), offset };
}

export const head = ".version 8.5\n.target sm_90\n.address_size 64\n";

/** A kernel with that body. */
export const kernel = (body: string, name = "k"): string =>
  `.visible .entry ${name}(.param .u64 p, .param .u32 n)\n{\n${body}\n}\n`;

/** The text of a range. */
export const textAt = ({ text }: LanguageDocument, { start, end }: { start: number; end: number }): string =>
  text.slice(start, end);
