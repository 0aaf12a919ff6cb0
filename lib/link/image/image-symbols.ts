// The symbols of the image, in the order of merged symbols, and then aliases. Symbols that nothing can refer to any more are
// omitted: shared variables that no code names, and declarations without a definition that no kept code uses.

import { IS_ALIAS } from "../../object/file/declaration-codes.js";
import { createOutputSymbols, type OutputSymbols } from "../../object/columns/write/output-rows.js";
import { ROLE, type DataRole } from "../../object/columns/codes.js";
import { COMMON, isFunction, isSharedVariable, KIND, LINKAGE, type Columns } from "../../object/columns/columns.js";
import { sizeOfType } from "../../object/columns/types.js";
import type { ImageLayout } from "../layout/layout.js";
import { isDynamic, type MergedRow, type Resolution } from "../resolve/resolve.js";
import type { ImageAlias } from "./aliases.js";
import type { SectionPlan } from "./section-plan.js";

/** The image's number of each merged symbol; -1 for omitted ones. */
export function imageNumbers({ isInImage }: ImageLayout, count: number): Int32Array {
  const numbers = new Int32Array(count).fill(-1);
  let next = 0;
  for (let row = 0; row < count; row++) if (isInImage[row] !== 0) numbers[row] = next++;
  return numbers;
}

/** `numbers`: the image's number of each merged symbol. */
export function imageSymbols(
  columns: Columns,
  resolution: Resolution,
  layout: ImageLayout,
  plan: SectionPlan,
  numbers: Int32Array,
  aliases: readonly ImageAlias[],
): OutputSymbols {
  const { count, chosen } = resolution;
  const rows = new Int32Array(count);
  let kept = 0;
  for (let row = 0; row < count; row++) {
    if (numbers[row]! < 0) continue;
    rows[kept++] = chosen[row]!;
  }
  const symbols = createOutputSymbols(columns, rows.subarray(0, kept), aliases.length);
  for (let row = 0; row < count; row++)
    if (numbers[row]! >= 0) placeSymbol(columns, layout, plan, symbols, numbers[row]!, row);
  aliases.forEach((alias, i) => {
    const number = kept + i;
    // The base may itself be omitted.
    symbols.row[number] = chosen[alias.base]!;
    symbols.declaredBy[number] = symbols.row[number]!;
    symbols.code[number] = columns.code[symbols.row[number]!]!;
    placeSymbol(columns, layout, plan, symbols, number, alias.base);
    makeAlias(columns, symbols, number, alias);
  });
  return symbols;
}

/** Sets the section of a symbol, and the value of a variable. */
function placeSymbol(
  columns: Columns,
  layout: ImageLayout,
  { joined, textOf, sharedOf }: SectionPlan,
  symbols: OutputSymbols,
  number: number,
  merged: MergedRow,
): void {
  const { row, section, value } = symbols;
  const symbol = row[number]!;
  const place = columns.sectionOf[symbol]!;
  if (place < 0) declare(columns, layout, symbols, number, merged);
  if (symbols.code[number]! >> 4 === KIND.function) {
    if (place >= 0) section[number] = textOf[place]!;
  } else if (columns.featureCounts.shared > 0 && isSharedVariable(columns, symbol)) {
    if (isDynamic(columns, symbol)) return;
    section[number] = sharedOf.get(merged) ?? -1;
    value[number] = layout.linkTimeOffset[merged]!;
  } else if (place >= 0) {
    section[number] = joined[columns.role[place] as DataRole];
    value[number] = layout.offset[place]! + columns.offset[symbol]!;
  } else {
    const common = layout.commonAt.get(merged);
    if (common === undefined) return;
    section[number] = joined[ROLE.global];
    value[number] = common;
  }
}

/** Sets the type, and the declaration, of a symbol that is undefined or common. */
function declare(
  { sectionOf }: Columns,
  { commons, undefinedTypes }: ImageLayout,
  { row, typeId, declaredBy }: OutputSymbols,
  number: number,
  merged: MergedRow,
): void {
  const common = sectionOf[row[number]!] === COMMON ? commons.get(merged) : undefined;
  const type = common?.typeId ?? undefinedTypes.get(merged);
  if (type !== undefined) typeId[number] = type;
  if (common !== undefined) declaredBy[number] = common.first;
}

/** Turns a symbol with the row and the place of its base into an alias of it. */
function makeAlias(
  columns: Columns,
  { row, name, code, typeId, value, size }: OutputSymbols,
  number: number,
  alias: ImageAlias,
): void {
  const isOfFunction = isFunction(columns, row[number]!);
  name[number] = alias.name;
  code[number] = LINKAGE.visible + (isOfFunction ? 16 * KIND.function : IS_ALIAS);
  typeId[number] = alias.typeId;
  value[number]! += alias.offset;
  size[number] = isOfFunction ? 0 : sizeOfType(columns.types, alias.typeId);
}
