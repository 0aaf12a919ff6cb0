// `.debug_line` for the modules of an image that have `.loc` lines and no debug sections (nvcc -lineinfo), for tools that know
// DWARF and not our encoding (link --debug-line). Modules with debug sections have theirs from the assembler (debug-places.ts).
// Rejected: making it whenever a module is assembled or linked. Code has its lines, so nothing of ours needs it, and a link
// that has debug sections to join cannot be done on columns (link/plain).

import { lineProgram, LINE_SECTION } from "./debug-line.js";
import { placedFunctions } from "./debug-places.js";
import { encodeDebugSection, type CodePlace, type DebugSection } from "./debug-sections.js";
import { withDebugResolved } from "./debug-layout.js";
import type { ObjectFile } from "../object.js";

export function withLineTables<T extends ObjectFile>(object: T): T {
  const { debugSections = [], modules, sections, symbols } = object;
  const isThere = new Set(debugSections.filter(({ name }) => name === LINE_SECTION).map(({ module }) => module));
  const functions = modules.map((): { readonly name: string; readonly bytes: Uint8Array }[] => []);
  for (const { role, data } of sections) {
    if (role.kind !== "text" || data === undefined) continue;
    const { name, origin } = symbols[role.symbol]!;
    if (!isThere.has(origin.module)) functions[origin.module]?.push({ name, bytes: data });
  }
  const placeOf = (name: string): CodePlace => ({ function: name, offset: 0 });
  const tables = functions.map((own, module): readonly DebugSection[] => {
    const { files } = modules[module]!;
    // Only where lines have a file to be lines of.
    const made = files.length === 0 ? undefined : lineProgram(files, placedFunctions(own));
    return made === undefined ? [] : [encodeDebugSection(made, module, { placeOf, isMade: true })];
  });
  if (tables.every(({ length }) => length === 0)) return object;
  const all = modules.flatMap((_, module) => [
    ...tables[module]!,
    ...debugSections.filter((section) => section.module === module),
  ]);
  return withDebugResolved({ ...object, debugSections: all });
}
