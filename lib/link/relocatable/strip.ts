// --strip-debug: object/strip.ts over columns. Debug sections and what modules say of files go from the columns as if they had never
// been there; code is made anew when it is known which of it is kept, and symbol slots stay where they are, so that nothing else
// moves.

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
    // Name, version and target; then the line of .target and no files.
    modules.push(...words.slice(start, start + 3), options.length, ...options, words[behind]!, 0);
    return from;
  });
  return { ...columns, modules, moduleStart, debug: [] };
}

/** Code without all that, whose slots are where they were; undefined where it cannot be read or they would be elsewhere. */
function strippedInPlace(strip: CodeStripper, code: Uint8Array): Uint8Array | undefined {
  const stripped = strip(code);
  for (const [before, now] of stripped?.offsets ?? []) if (before !== now) return undefined;
  return stripped?.bytes;
}

/** The columns with the code of these sections without lines and labels that nothing names; sections ascend. */
export function withStrippedCode(columns: Columns, sections: readonly SectionRow[]): Columns {
  const fileOf = fileFinder(columns);
  const strip = createCodeStripper();
  const size = columns.size.slice();
  const at = new Int32Array(size.length).fill(-1);
  // What is not written takes no memory.
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

/** A partial link without all that. */
export function stripObject(object: OutputObject): OutputObject {
  const { columns } = object;
  const textSections = object.sections.flatMap(({ row }) => (columns.role[row] === ROLE.text ? [row] : []));
  const stripped = withStrippedCode(withoutDebug(columns), textSections);
  const sections = object.sections.map((section) =>
    columns.role[section.row] === ROLE.text ? { ...section, size: stripped.size[section.row]! } : section,
  );
  return { ...object, columns: stripped, sections };
}
