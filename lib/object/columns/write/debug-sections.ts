// Debug sections of an output: their values, relocations and declarations, and the targets of their names.
// debug-layout.ts joins them.

import { SHF, SHT } from "../../../../formats/elf/constants.table.js";
import { debugRelocation, type FoundSymbol } from "../../dwarf/debug-layout.js";
import { hasTexts, type DebugSection } from "../../dwarf/debug-sections.js";
import { putDebug } from "../../file/declaration-rows.js";
import {
  isConstant,
  isSharedVariable,
  isVariable,
  LINKAGE,
  linkageOf,
  RELA_WORDS,
  type Columns,
  type SymbolRow,
} from "../columns.js";
import type { ObjectFile } from "../../object.js";
import { createPacker } from "../packed/pack.js";
import { columnsOfPacked } from "../packed/unpack.js";
import { createStrings, stringOf } from "../strings.js";
import { createTypes } from "../types.js";
import { layOutDebug, type DebugLayout, type FindDebugText } from "./debug-layout.js";
import { debugText, namesInModules, parameterFinder } from "./debug-names.js";
import { declareText, type Declarations } from "./declarations.js";
import type { ElfWriter, FileType } from "./elf-writer.js";
import { SYMBOLS } from "./header-sections.js";
import { outputSymbols, wholeObject } from "./output-object.js";
import type { OutputSymbols } from "./output-rows.js";

/** The parts of all modules. */
export const debugParts = ({ debug, strings }: Columns): readonly DebugSection[] =>
  debug.map(({ name, module, data, record }) => ({ name: stringOf(strings, name), module, data, record }));

/** Writes relocations for places in code and data. `indices`: ELF sections of the layout's sections. */
export function putDebugRelocations(
  output: ElfWriter,
  { sections }: DebugLayout,
  indices: readonly number[],
  elfOf: Int32Array,
): void {
  sections.forEach(({ name, records }, i) => {
    if (records.length === 0) return;
    const words = records.slice();
    for (let at = 3; at < words.length; at += RELA_WORDS) words[at] = elfOf[words[at]!]!;
    const how = { type: SHT.RELA, flags: SHF.INFO_LINK, align: 8, entsize: 24, link: SYMBOLS, info: indices[i]! };
    output.bytes(`.rela${name}`, how, new Uint8Array(words.buffer));
  });
}

/** Declares, in `.ptxkit.decl`, the module of each part of a debug section. */
export function declareDebug(
  { debug }: Columns,
  { sectionOf, startOf }: DebugLayout,
  indices: readonly number[],
  declarations: Declarations,
): void {
  debug.forEach(({ name, module, data, record }, i) => {
    const text = declareText(declarations, name);
    putDebug(declarations.rows, [text, module, indices[sectionOf[i]!]!, startOf[i]!, data.length], record);
  });
}

const NO_BYTES = new Uint8Array(0);

/** The object after resolving references in its debug sections. */
export function withDebugResolved<T extends ObjectFile>(object: T): T {
  const { debugSections = [] } = object;
  if (!debugSections.some(hasTexts)) return object;
  const types = createTypes(createStrings());
  const sections = object.sections.map((section) =>
    section.data === undefined ? section : { ...section, data: NO_BYTES },
  );
  const columns = columnsOfPacked(createPacker()({ ...object, sections }, types), types);
  const symbols = outputSymbols(wholeObject(columns));
  const layout = debugOf(columns, symbols, () => columns.kernels, { type: "relocatable", sm: object.target.sm });
  return { ...object, debugSections: debugSections.map(resolvedBy(layout)) };
}

/** Returns a function that gives a part, by number, its bytes in a layout. */
export const resolvedBy =
  ({ sections, sectionOf, startOf }: DebugLayout) =>
  (part: DebugSection, i: number): DebugSection =>
    hasTexts(part)
      ? { ...part, data: sections[sectionOf[i]!]!.bytes.subarray(startOf[i], startOf[i]! + part.data.length) }
      : part;

// ------------------------------------------------------------------------------------------------------- targets of names

/** The file to which debug sections belong. */
interface DebugContext {
  readonly type: FileType;
  readonly sm: number;
}

/**
 * The layout for a file with these symbols and kernels, which are asked for only if debug sections name something. Relocations
 * refer to symbols by their numbers.
 */
export const debugOf = (
  columns: Columns,
  symbols: OutputSymbols,
  kernels: () => readonly SymbolRow[],
  context: DebugContext,
): DebugLayout => layOutDebug(columns, () => nameFinder(columns, symbols, kernels(), context));

function nameFinder(
  columns: Columns,
  symbols: OutputSymbols,
  kernels: readonly SymbolRow[],
  { type, sm }: DebugContext,
): FindDebugText {
  const { row, declaredBy, firstAlias: count } = symbols;
  const moduleOf = (number: number): number => columns.module[declaredBy[number]!]!;
  /** For each string, the first symbol of that name that other modules see. */
  const seen = new Int32Array(columns.strings.count).fill(-1);
  for (let number = 0; number < count; number++) {
    if (linkageOf(columns, row[number]!) === LINKAGE.static) continue;
    const name = debugText(columns, row[number]!);
    if (name < seen.length && seen[name]! < 0) seen[name] = number;
  }
  const own = namesInModules(columns, count, { moduleOf, nameOf: (number) => debugText(columns, row[number]!) });
  const parameter = parameterFinder(columns, kernels, sm);
  return (module, name) => {
    const mine = own(module, name);
    // Strings that were added later are not names of these symbols.
    const number = mine >= 0 ? mine : (seen[name] ?? -1);
    if (number < 0) return parameter(module, name);
    return foundSymbol(columns, symbols, number, type, moduleOf(number) === module);
  };
}

function foundSymbol(
  columns: Columns,
  { row: rows, section, value }: OutputSymbols,
  number: number,
  type: FileType,
  isOfModule: boolean,
): FoundSymbol {
  const row = rows[number]!;
  const isPlaced = section[number]! >= 0;
  const isShared = isSharedVariable(columns, row);
  const isUnplaced = isShared && type === "relocatable";
  return {
    index: number,
    offset: isPlaced && !isUnplaced && isVariable(columns, row) ? value[number]! : 0,
    isOwn: isOfModule && isPlaced,
    relocation: debugRelocation(type, isConstant(columns, row) ? "const" : isShared ? "shared" : undefined),
  };
}
