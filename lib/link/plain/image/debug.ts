// Debug sections of a plain link (../link.ts): object/dwarf/debug-layout.ts joins them, and looks names up in the columns here, as it
// does in symbols elsewhere. Only modules with debug sections have their names made into strings.

import { written } from "../../../../formats/bytes/writer.js";
import {
  debugName,
  debugRelocation,
  joinDebug,
  type DebugLayout,
  type FindDebugName,
} from "../../../object/dwarf/debug-layout.js";
import type { FoundParameter, FoundSymbol } from "../../../object/dwarf/debug-layout.js";
import type { DebugSection } from "../../../object/dwarf/debug-sections.js";
import { parameterBlock } from "../../../object/parameters.js";
import { tableShape, writeTable } from "../../../object/file/relocation-tables.js";
import { putBytes, putVarU } from "../tables/bytes.js";
import { notPlain } from "../tables/cursor.js";
import { declareText, type Declaring } from "./declare.js";
import { SYMBOLS } from "./heads.js";
import { parameterBase } from "./kernels.js";
import type { PlainLayout } from "../layout/layout.js";
import type { PlainOutput } from "./output.js";
import { HAS_SCOPE } from "../tables/codes.js";
import { isSharedVariable, type MergedRow, type PlainResolution } from "../names/resolve.js";
import {
  isEntry,
  isFunction,
  LINKAGE,
  linkageOf,
  SPACE,
  spaceOf,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";
import { internText, textOf } from "../tables/texts.js";
import { declaredFunction } from "../tables/values.js";

/** Relocations name symbols by their merged rows. */
export const plainDebug = (tables: Tables, resolution: PlainResolution, layout: PlainLayout, sm: number): DebugLayout =>
  joinDebug(debugParts(tables), () => nameFinder(tables, resolution, layout, sm));

/** Each module's part of each debug section. */
export const debugParts = ({ debug, texts }: Tables): readonly DebugSection[] =>
  debug.map(({ name, module, data, shape }) => ({ name: textOf(texts, name), module, data, shape }));

/** Of places in code and data that debug sections name. `indices`: ELF sections of those of the layout. */
export function putDebugRelocations(
  output: PlainOutput,
  { sections }: DebugLayout,
  indices: readonly number[],
  elfOf: Int32Array,
): void {
  sections.forEach(({ name, relocations }, i) => {
    if (relocations.length === 0) return;
    const table = { of: 0, rela: true, applied: false, relocations };
    const { name: own, type, flags, addralign: align, entsize } = tableShape(table, name);
    const how = { type, flags, align, entsize, link: SYMBOLS, info: indices[i]! };
    output.bytes(
      own,
      how,
      written((into) => writeTable(into, table, elfOf)),
    );
  });
}

/** Which part of a debug section is whose, in `.ptxkit.decl`. */
export function declareDebug(
  { debug }: Tables,
  { parts }: DebugLayout,
  indices: readonly number[],
  declaring: Declaring,
): void {
  const { body } = declaring;
  putVarU(body, debug.length);
  debug.forEach(({ name, module, data, shape }, i) => {
    const { section, offset } = parts[i]!;
    declareText(declaring, name);
    for (const number of [module, indices[section]!, offset, data.length, shape.length]) putVarU(body, number);
    putBytes(body, shape, 0, shape.length);
  });
}

interface ModuleNames {
  readonly symbols: ReadonlyMap<string, MergedRow>;
  readonly parameters: ReadonlyMap<string, FoundParameter>;
}

function nameFinder(tables: Tables, resolution: PlainResolution, layout: PlainLayout, sm: number): FindDebugName {
  const { chosen } = resolution;
  const rowsOf = chosenRows(tables, resolution, layout);
  const known = new Map<number, ModuleNames>();
  const fileOf = new Map(tables.debug.map(({ module, file }) => [module, file]));
  // Whose a common one is, the first module that has it says.
  if (layout.commons.size > 0) notPlain("common variables beside debug sections");
  const namesOf = (module: number): ModuleNames => {
    const seen = known.get(module);
    if (seen !== undefined) return seen;
    const made = moduleNames(tables, resolution, rowsOf(fileOf.get(module)!, module), sm);
    known.set(module, made);
    return made;
  };
  return (module, name) => {
    const { symbols, parameters } = namesOf(module);
    const row = symbols.get(name) ?? sharedName(tables, resolution, layout, name);
    return row === undefined ? parameters.get(name) : foundSymbol(tables, layout, module, row, chosen[row]!);
  };
}

function foundSymbol(
  tables: Tables,
  layout: PlainLayout,
  module: number,
  index: MergedRow,
  symbol: SymbolRow,
): FoundSymbol {
  const place = tables.place[symbol]!;
  const isVariable = !isFunction(tables, symbol);
  const isConst = isVariable && spaceOf(tables, symbol) === SPACE.const;
  const isShared = isSharedVariable(tables, symbol);
  const offset = isShared ? layout.known[index]! : layout.offset[place]! + tables.offset[symbol]!;
  return {
    index,
    offset: place < 0 || !isVariable ? 0 : offset,
    isOwn: place >= 0 && tables.module[symbol] === module,
    relocation: debugRelocation("executable", isConst ? "const" : isShared ? "shared" : undefined),
  };
}

/** What a name that modules share stands for, where it is in the image. */
function sharedName({ texts }: Tables, { byName }: PlainResolution, { isThere }: PlainLayout, name: string) {
  // A text that is new is none of theirs.
  const row = byName[internText(texts, name)] ?? -1;
  return row >= 0 && isThere[row] !== 0 ? row : undefined;
}

/** Of a file's module, what of its symbols was chosen and is there. A file that -r made has thousands of modules. */
function chosenRows(
  tables: Tables,
  { chosen, mergedOf }: PlainResolution,
  { isThere }: PlainLayout,
): (file: number, module: number) => MergedRow[] {
  const known = new Map<number, ReadonlyMap<number, MergedRow[]>>();
  const read = (file: number): ReadonlyMap<number, MergedRow[]> => {
    const byModule = new Map<number, MergedRow[]>();
    for (let row = tables.firstSymbol[file]!; row < tables.firstSymbol[file + 1]!; row++) {
      const merged = mergedOf[row]!;
      if (chosen[merged] !== row || isThere[merged] === 0) continue;
      const own = byModule.get(tables.module[row]!);
      if (own === undefined) byModule.set(tables.module[row]!, [merged]);
      else own.push(merged);
    }
    known.set(file, byModule);
    return byModule;
  };
  return (file, module) => (known.get(file) ?? read(file)).get(module) ?? [];
}

/** What a module calls its own: the first of one name counts. */
function moduleNames(tables: Tables, { chosen }: PlainResolution, own: MergedRow[], sm: number): ModuleNames {
  const symbols = new Map<string, MergedRow>();
  const parameters = new Map<string, FoundParameter>();
  for (const merged of own.sort((a, b) => a - b)) {
    const row = chosen[merged]!;
    const isScoped = !isFunction(tables, row) && (tables.flags[row]! & HAS_SCOPE) !== 0;
    if (isScoped && linkageOf(tables, row) !== LINKAGE.static) notPlain("a function's variable that others see");
    const name = debugName(textOf(tables.texts, tables.name[row]!), isScoped);
    if (!symbols.has(name)) symbols.set(name, merged);
    if (!isFunction(tables, row) || !isEntry(tables, row) || tables.place[row]! < 0) continue;
    const { prototype } = declaredFunction(tables.shapes, tables.shape[row]!, true);
    const { offsets } = parameterBlock(prototype);
    const base = parameterBase(tables.shapes, tables.shape[row]!, sm);
    prototype.parameters.forEach(({ name: own }, i) =>
      parameters.set(own, { offset: base + offsets[i]!, isOwn: true }),
    );
  }
  return { symbols, parameters };
}
