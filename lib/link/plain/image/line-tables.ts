// --debug-line: line tables made from .loc positions, one module after another; modules that name no files have none.

import { encodeDebugSection } from "../../../object/dwarf/debug-sections.js";
import { LINE_SECTION, lineProgram } from "../../../object/dwarf/debug-line.js";
import { placedFunctions } from "../../../object/dwarf/debug-places.js";
import { listIn } from "../../shared/shared-reach.js";
import { codeIn, rowFinder, type PlainDebug, type SectionRow, type Tables } from "../tables/tables.js";
import { internText, textOf } from "../tables/texts.js";

/** The tables with a `.debug_line` of each module that has lines and none. `texts`: the code of the image. */
export function withPlainLineTables(tables: Tables, texts: readonly SectionRow[]): Tables {
  const { debug, firstModule, firstSection, moduleStart, module, owner, name: names } = tables;
  const lineSection = internText(tables.texts, LINE_SECTION);
  const isThere = new Set(debug.flatMap(({ name, module }) => (name === lineSection ? [module] : [])));
  const [fileOf, fileOfModule] = [rowFinder(firstSection), rowFinder(firstModule)];
  const wanted = new Map<number, SectionRow[]>();
  for (const section of texts) {
    const own = module[owner[section]!]!;
    if (!isThere.has(own) && filesOf(tables, own).length > 0) listIn(wanted, own).push(section);
  }
  const made = new Map<number, PlainDebug>();
  for (const [own, sections] of wanted) {
    const functions = sections.map((section) => {
      const [from, start, size] = codeIn(tables, fileOf(section), section);
      return { name: textOf(tables.texts, names[owner[section]!]!), bytes: from.subarray(start, start + size) };
    });
    const program = lineProgram(filesOf(tables, own), placedFunctions(functions));
    if (program === undefined) continue;
    const placeOf = (name: string) => ({ function: name, offset: 0 });
    const { data, shape } = encodeDebugSection(program, own, { placeOf, isMade: true });
    made.set(own, { file: fileOfModule(own), name: lineSection, module: own, data, shape });
  }
  if (made.size === 0) return tables;
  const before = new Map<number, PlainDebug[]>();
  for (const part of debug) listIn(before, part.module).push(part);
  const all = moduleStart.flatMap((_, own) => [...(made.has(own) ? [made.get(own)!] : []), ...(before.get(own) ?? [])]);
  return { ...tables, debug: all };
}

/** The .file entries of a module. */
function filesOf({ modules, moduleStart, texts }: Tables, module: number) {
  const files = moduleStart[module]! + 5 + modules[moduleStart[module]! + 3]!;
  return Array.from({ length: modules[files]! }, (_, i) => ({
    index: modules[files + 1 + 2 * i]!,
    path: textOf(texts, -modules[files + 2 + 2 * i]! - 1),
  }));
}
