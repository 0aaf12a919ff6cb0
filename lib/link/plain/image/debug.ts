// Debug sections of the image of a plain link (../link.ts): debug-layout.ts joins them and asks here what names stand for.

import { SHF, SHT } from "../../../../formats/elf/constants.table.js";
import { debugRelocation, type FoundSymbol } from "../../../object/dwarf/debug-layout.js";
import type { DebugSection } from "../../../object/dwarf/debug-sections.js";
import { putDebug } from "../../../object/file/declaration-rows.js";
import { layOutPlainDebug, type FindDebugText, type PlainDebugLayout } from "./debug-layout.js";
import { debugText, namesInModules, parameterFinder } from "./debug-names.js";
import { declareText, type Declaring } from "./declare.js";
import { SYMBOLS } from "./heads.js";
import type { PlainLayout } from "../layout/layout.js";
import type { PlainOutput } from "./output.js";
import { isSharedVariable, type MergedRow, type PlainResolution } from "../names/resolve.js";
import { isFunction, RELA_WORDS, SPACE, spaceOf, type SymbolRow, type Tables } from "../tables/tables.js";
import { textOf } from "../tables/texts.js";

/** Relocations name symbols by their merged rows. */
export const plainDebug = (
  tables: Tables,
  resolution: PlainResolution,
  layout: PlainLayout,
  kernels: readonly SymbolRow[],
  sm: number,
): PlainDebugLayout => layOutPlainDebug(tables, () => nameFinder(tables, resolution, layout, kernels, sm));

/** Each module's part of each debug section. */
export const debugParts = ({ debug, texts }: Tables): readonly DebugSection[] =>
  debug.map(({ name, module, data, shape }) => ({ name: textOf(texts, name), module, data, shape }));

/** Of places in code and data that debug sections name. `indices`: ELF sections of those of the layout. */
export function putDebugRelocations(
  output: PlainOutput,
  { sections }: PlainDebugLayout,
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

/** Which part of a debug section is whose, in `.ptxkit.decl`. */
export function declareDebug(
  { debug }: Tables,
  { sectionOf, startOf }: PlainDebugLayout,
  indices: readonly number[],
  declaring: Declaring,
): void {
  debug.forEach(({ name, module, data, shape }, i) => {
    const text = declareText(declaring, name);
    putDebug(declaring.rows, [text, module, indices[sectionOf[i]!]!, startOf[i]!, data.length], shape);
  });
}

function nameFinder(
  tables: Tables,
  { chosen, mergedOf, count, byName }: PlainResolution,
  layout: PlainLayout,
  kernels: readonly SymbolRow[],
  sm: number,
): FindDebugText {
  // Whose a common one is, the first module that has it says.
  const moduleOf = (row: MergedRow): number => tables.module[layout.commons.get(row)?.first ?? chosen[row]!]!;
  const own = namesInModules(tables, count, {
    moduleOf: (row) => (layout.isThere[row] !== 0 ? moduleOf(row) : -1),
    nameOf: (row) => debugText(tables, chosen[row]!),
  });
  const there = kernels.filter((kernel) => layout.isThere[mergedOf[kernel]!] !== 0);
  const parameter = parameterFinder(
    tables,
    there.sort((a, b) => mergedOf[a]! - mergedOf[b]!),
    sm,
  );
  return (module, name) => {
    const row = own(module, name);
    if (row >= 0) return foundSymbol(tables, layout, row, chosen[row]!, moduleOf(row) === module);
    // What names that modules share stand for, where it is in the image; a text that is new is none of them.
    const shared = byName[name] ?? -1;
    if (shared < 0 || layout.isThere[shared] === 0) return parameter(module, name);
    return foundSymbol(tables, layout, shared, chosen[shared]!, moduleOf(shared) === module);
  };
}

function foundSymbol(
  tables: Tables,
  layout: PlainLayout,
  index: MergedRow,
  symbol: SymbolRow,
  isOfModule: boolean,
): FoundSymbol {
  const place = tables.place[symbol]!;
  const isVariable = !isFunction(tables, symbol);
  const isConst = isVariable && spaceOf(tables, symbol) === SPACE.const;
  const isShared = isSharedVariable(tables, symbol);
  const common = layout.commonAt.get(index);
  const isPlaced = place >= 0 || common !== undefined;
  const offset = common ?? (isShared ? layout.known[index]! : layout.offset[place]! + tables.offset[symbol]!);
  return {
    index,
    offset: isPlaced && isVariable ? offset : 0,
    isOwn: isOfModule && isPlaced,
    relocation: debugRelocation("executable", isConst ? "const" : isShared ? "shared" : undefined),
  };
}
