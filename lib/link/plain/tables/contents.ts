// The bytes of the sections of a plain link (../link.ts), wherever they are.

import { codeIn, type SectionRow, type Tables } from "./tables.js";

/** The bytes of a section, which are those of its file where they stand as they do there. */
export function contentsOf(tables: Tables, file: number, section: SectionRow): Uint8Array {
  if (tables.made !== undefined && tables.made.at[section]! >= 0) {
    const [from, start, size] = codeIn(tables, file, section);
    return from.subarray(start, start + size);
  }
  const { bytes } = tables.files[file]!;
  const at = tables.at[section]!;
  const size = tables.size[section]!;
  const pieces = tables.moved.get(section);
  if (pieces === undefined) return bytes.subarray(at, at + size);
  const contents = new Uint8Array(size);
  for (let i = 0; i < pieces.length; i += 3)
    contents.set(bytes.subarray(at + pieces[i]!, at + pieces[i + 1]!), pieces[i + 2]);
  return contents;
}
