// The PTX text that a module becomes, line by line, each with the place in the NVVM IR that it came from.

import type { Copy, Source } from "../ptx/tree.js";
import type { VariableAlias } from "../ptx/variable-alias.js";

/** One line, or several with line feeds between them. */
export interface MadeLine {
  readonly text: string;
  /** Byte offset in the NVVM IR. */
  readonly at: number;
  /** Parts of `text` that the NVVM IR has byte for byte: offsets in `text`, and where they begin there. */
  readonly copies?: readonly Copy[];
}

/** Puts lines together; the source's places are those of `origin`. */
export function madeSource(
  lines: readonly MadeLine[],
  origin: Source,
  isText: boolean,
  aliases: readonly VariableAlias[],
): Source {
  const offsets: number[] = [];
  const copies: Copy[] = [];
  const texts: string[] = [];
  let end = 0;
  for (const { text, at, copies: own } of lines) {
    for (const { start, end: last, from } of own ?? []) copies.push({ start: end + start, end: end + last, from });
    texts.push(text);
    end += Buffer.byteLength(text) + 1;
    offsets.push(at);
    for (let feed = text.indexOf("\n"); feed >= 0; feed = text.indexOf("\n", feed + 1)) offsets.push(at);
  }
  const bytes = Buffer.from(`${texts.join("\n")}\n`);
  const made = { source: origin, isText, offsets, copies, ...(aliases.length === 0 ? {} : { aliases }) };
  return { name: origin.name, bytes, origin: made };
}
