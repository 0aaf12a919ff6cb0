// --strip-debug over columns (object/strip.ts does the same to an object). Debug sections and modules' .file entries are removed
// as if they had never existed. Code is encoded again once it is known which code is kept; symbol slots keep their offsets, so
// that nothing else moves.

import { createCodeStripper, type CodeStripper } from "../../object/strip.js";
import type { OutputObject } from "../../object/columns/write/output-object.js";
import { ROLE } from "../../object/columns/codes.js";
import { codeIn, type SectionRow, type Columns, fileFinder } from "../../object/columns/columns.js";
import { stringOf } from "../../object/columns/strings.js";

/** The columns without debug sections, `debug` in .target, and .file entries. */
export function withoutDebug(columns: Columns): Columns {
  const { strings } = columns;
  const modules: number[] = [];
  const moduleStart = columns.moduleStart.map((start) => {
    const [from, words] = [modules.length, columns.modules];
    const behind = start + 4 + words[start + 3]!;
    const options = words.slice(start + 4, behind).filter((word) => stringOf(strings, -word - 1) !== "debug");
    // Copies name, version, target and options; then writes the line of .target, and no files.
    modules.push(...words.slice(start, start + 3), options.length, ...options, words[behind]!, 0);
    return from;
  });
  return { ...columns, modules, moduleStart, debug: [] };
}

/** Code without lines, whose slots keep their offsets; undefined if it cannot be decoded or slots would move. */
function strippedInPlace(strip: CodeStripper, code: Uint8Array): Uint8Array | undefined {
  const stripped = strip(code);
  for (const [before, now] of stripped?.offsets ?? []) if (before !== now) return undefined;
  return stripped?.bytes;
}

/** The columns after stripping lines and unreferenced labels from the code of these sections, which ascend. */
export function withStrippedCode(columns: Columns, sections: readonly SectionRow[]): Columns {
  const fileOf = fileFinder(columns);
  const strip = createCodeStripper();
  const size = columns.size.slice();
  const at = new Int32Array(size.length).fill(-1);
  // Unused capacity takes no memory.
  const bytes = new Uint8Array(sections.reduce((total, section) => total + size[section]!, 0));
  let end = 0;
  for (const section of sections) {
    const [from, start, length] = codeIn(columns, fileOf(section), section);
    const stripped = strippedInPlace(strip, from.subarray(start, start + length));
    if (stripped === undefined || stripped.length > length) continue;
    bytes.set(stripped, end);
    at[section] = end;
    size[section] = stripped.length;
    end += stripped.length;
  }
  return { ...columns, size, rewritten: { bytes, at } };
}

/** A partial link without debug information. */
export function stripObject(object: OutputObject): OutputObject {
  const { columns } = object;
  const textSections = object.sections.flatMap(({ row }) => (columns.role[row] === ROLE.text ? [row] : []));
  const stripped = withStrippedCode(withoutDebug(columns), textSections);
  const sections = object.sections.map((section) =>
    columns.role[section.row] === ROLE.text ? { ...section, size: stripped.size[section.row]! } : section,
  );
  return { ...object, columns: stripped, sections };
}
