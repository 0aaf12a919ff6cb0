// Debug sections of an output: their values, relocations and declarations, and for an object the targets of their names.
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
import type { ElfWriter } from "./elf-writer.js";
import { SYMBOLS } from "./header-sections.js";
import { fileTypeOf, wholeObject, type OutputObject } from "./output-object.js";

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
  const layout = objectDebug(wholeObject(columns), columns.kernels, object.target.sm);
  return { ...object, debugSections: debugSections.map(resolvedBy(layout)) };
}

/** Returns a function that gives a part, by number, its bytes in a layout. */
export const resolvedBy =
  ({ sections, sectionOf, startOf }: DebugLayout) =>
  (part: DebugSection, i: number): DebugSection =>
    hasTexts(part)
      ? { ...part, data: sections[sectionOf[i]!]!.bytes.subarray(startOf[i], startOf[i]! + part.data.length) }
      : part;

// ---------------------------------------------------------------------------------------------------- names in an object

/** The layout for an object. Relocations refer to symbols by the object's numbers. */
export const objectDebug = (object: OutputObject, kernels: readonly SymbolRow[], sm: number): DebugLayout =>
  layOutDebug(object.columns, () => nameFinder(object, kernels, sm));

function nameFinder(object: OutputObject, kernels: readonly SymbolRow[], sm: number): FindDebugText {
  const { columns, symbols } = object;
  const moduleOf = (number: number): number => columns.module[object.commons.get(number)?.first ?? symbols[number]!]!;
  /** For each string, the first symbol of that name that other modules see. */
  const seen = new Int32Array(columns.strings.count).fill(-1);
  symbols.forEach((row, number) => {
    if (linkageOf(columns, row) === LINKAGE.static) return;
    const name = debugText(columns, row);
    if (name < seen.length && seen[name]! < 0) seen[name] = number;
  });
  const own = namesInModules(columns, symbols.length, {
    moduleOf,
    nameOf: (number) => debugText(columns, symbols[number]!),
  });
  const parameter = parameterFinder(columns, kernels, sm);
  return (module, name) => {
    const mine = own(module, name);
    // Strings that were added later are not names of these symbols.
    const number = mine >= 0 ? mine : (seen[name] ?? -1);
    return number < 0 ? parameter(module, name) : foundSymbol(object, number, moduleOf(number) === module);
  };
}

function foundSymbol(
  { columns, symbols, outputSectionOf, image }: OutputObject,
  number: number,
  isOfModule: boolean,
): FoundSymbol {
  const row = symbols[number]!;
  const isPlaced = outputSectionOf[number]! >= 0;
  const isShared = isSharedVariable(columns, row);
  const isUnplaced = isShared && image === undefined;
  return {
    index: number,
    offset: isPlaced && !isUnplaced && isVariable(columns, row) ? columns.offset[row]! : 0,
    isOwn: isOfModule && isPlaced,
    relocation: debugRelocation(
      fileTypeOf(image),
      isConstant(columns, row) ? "const" : isShared ? "shared" : undefined,
    ),
  };
}
