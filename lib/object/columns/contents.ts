// Returns the bytes of sections: from their files, or from rewritten code.

import { codeIn, type SectionRow, type Columns } from "./columns.js";

/** The bytes of a section; a copy only if some of them were discarded or moved. */
export function contentsOf(columns: Columns, file: number, section: SectionRow): Uint8Array {
  if (columns.rewritten !== undefined && columns.rewritten.at[section]! >= 0) {
    const [from, start, size] = codeIn(columns, file, section);
    return from.subarray(start, start + size);
  }
  const { bytes } = columns.files[file]!;
  const at = columns.contentsAt[section]!;
  const size = columns.size[section]!;
  const ranges = columns.keptRanges.get(section);
  if (ranges === undefined) return bytes.subarray(at, at + size);
  const contents = new Uint8Array(size);
  for (let i = 0; i < ranges.length; i += 3)
    contents.set(bytes.subarray(at + ranges[i]!, at + ranges[i + 1]!), ranges[i + 2]);
  return contents;
}
