// --debug-line: makes line tables from .loc positions, one module after another; modules without .file entries have none.

import { listIn } from "../../base/lists.js";
import { encodeDebugSection } from "../../object/dwarf/debug-sections.js";
import { LINE_SECTION, lineProgram } from "../../object/dwarf/debug-line.js";
import { placedFunctions } from "../../object/dwarf/debug-places.js";
import { codeIn, rowFinder, type DebugPart, type SectionRow, type Columns } from "../../object/columns/columns.js";
import { internString, stringOf } from "../../object/columns/strings.js";

/** Adds a `.debug_line` for each module that has lines but no line table. `textSections`: the code of the image. */
export function withLineTables(columns: Columns, textSections: readonly SectionRow[]): Columns {
  const { debug, firstModule, firstSection, moduleStart, module, owner, name: names } = columns;
  const lineSection = internString(columns.strings, LINE_SECTION);
  const isThere = new Set(debug.flatMap(({ name, module }) => (name === lineSection ? [module] : [])));
  const [fileOf, fileOfModule] = [rowFinder(firstSection), rowFinder(firstModule)];
  const wanted = new Map<number, SectionRow[]>();
  for (const section of textSections) {
    const own = module[owner[section]!]!;
    if (!isThere.has(own) && filesOf(columns, own).length > 0) listIn(wanted, own).push(section);
  }
  const made = new Map<number, DebugPart>();
  for (const [own, sections] of wanted) {
    const functions = sections.map((section) => {
      const [from, start, size] = codeIn(columns, fileOf(section), section);
      return { name: stringOf(columns.strings, names[owner[section]!]!), bytes: from.subarray(start, start + size) };
    });
    const program = lineProgram(filesOf(columns, own), placedFunctions(functions));
    if (program === undefined) continue;
    const placeOf = (name: string) => ({ function: name, offset: 0 });
    const { data, record } = encodeDebugSection(program, own, { placeOf, isGenerated: true });
    made.set(own, { file: fileOfModule(own), name: lineSection, module: own, data, record });
  }
  if (made.size === 0) return columns;
  const before = new Map<number, DebugPart[]>();
  for (const part of debug) listIn(before, part.module).push(part);
  const all = moduleStart.flatMap((_, own) => [...(made.has(own) ? [made.get(own)!] : []), ...(before.get(own) ?? [])]);
  return { ...columns, debug: all };
}

/** The .file entries of a module. */
function filesOf({ modules, moduleStart, strings }: Columns, module: number) {
  const files = moduleStart[module]! + 5 + modules[moduleStart[module]! + 3]!;
  return Array.from({ length: modules[files]! }, (_, i) => ({
    index: modules[files + 1 + 2 * i]!,
    path: stringOf(strings, -modules[files + 2 + 2 * i]! - 1),
  }));
}
