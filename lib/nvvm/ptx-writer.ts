// The PTX text of a module: each of its lines has the location in the NVVM IR that it was made from.

import { append } from "../base/lists.js";
import type { Copy, Source, VariableAlias } from "../ptx/source-text.js";

/** One line, or several with line feeds between them. */
export interface MadeText {
  readonly text: string;
  /** Byte offset in the NVVM IR. */
  readonly at: number;
  /** Offset of each line, if they differ. */
  readonly places?: readonly number[];
  /** Parts of `text` copied from the NVVM IR byte for byte: offsets in `text`, and in the NVVM IR. */
  readonly copies?: readonly Copy[];
}

/** Joins texts with a line feed after each; the source's locations are those of `origin`. */
export function madeSource(
  parts: readonly MadeText[],
  origin: Source,
  isText: boolean,
  aliases: readonly VariableAlias[],
): Source {
  const offsets: number[] = [];
  const copies: Copy[] = [];
  const texts: string[] = [];
  let end = 0;
  for (const { text, at, places, copies: own } of parts) {
    for (const { start, end: last, from } of own ?? []) copies.push({ start: end + start, end: end + last, from });
    texts.push(text);
    end += Buffer.byteLength(text) + 1;
    if (places === undefined) addPlaces(offsets, text, at);
    else append(offsets, places);
  }
  const bytes = Buffer.from(`${texts.join("\n")}\n`);
  const made = { source: origin, isText, offsets, copies, ...(aliases.length === 0 ? {} : { aliases }) };
  return { name: origin.name, bytes, origin: made };
}

/** Adds the same place for each line of a text. */
export function addPlaces(places: number[], text: string, at: number): void {
  places.push(at);
  for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) places.push(at);
}
