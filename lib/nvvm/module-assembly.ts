// Module-level inline assembly (NVVM IR 1.0 section 3.12): PTX that is copied after the header unchanged.

import type { Copy } from "../ptx/source-text.js";
import type { Module } from "./ir/module.js";
import type { MadeText } from "./ptx-writer.js";

/** The PTX version of a module with assembly: the assembly's requirements are unknown before it is checked. */
export const ASSEMBLY_VERSION = 90;

export function assemblyLines(
  { source, form, moduleAssembly }: Module,
  needVersion: (version: number) => void,
): readonly MadeText[] {
  if (moduleAssembly.length > 0) needVersion(ASSEMBLY_VERSION);
  return moduleAssembly.flatMap(({ text, start, end }) => {
    const copies = form === "text" ? copiesOf(text, Buffer.from(source.bytes.subarray(start, end)), start) : [];
    return [{ text, at: start, copies }];
  });
}

/** The ranges of the text in its string: the whole string if nothing is escaped, otherwise line by line. */
function copiesOf(text: string, written: Buffer, at: number): readonly Copy[] {
  const copies: Copy[] = [];
  let from = 0;
  let start = 0;
  for (const line of text.split("\n")) {
    const bytes = Buffer.from(line);
    const found = bytes.length === 0 ? -1 : written.indexOf(bytes, from);
    if (found >= 0) {
      copies.push({ start, end: start + bytes.length, from: at + found });
      from = found + bytes.length;
    }
    start += bytes.length + 1;
  }
  return copies;
}
