// The symbol table of the image, in the order of ../../object/columns/write/symbol-table.ts. Symbols that nothing can refer to
// any more are omitted: shared variables that no code names, and declarations without a definition that no kept code uses.

import { STB, STT } from "../../../formats/elf/constants.table.js";
import type { ImageAlias } from "./aliases.js";
import { before, behind, type Plan } from "./section-plan.js";
import type { NameTable } from "../../object/columns/growable-bytes.js";
import { sectionShape } from "../../object/section-shape.js";
import { roleNames, ROLE, type DataRole } from "../../object/columns/codes.js";
import type { ImageLayout } from "../layout/layout.js";
import { isDynamic, type MergedRow, type Resolution } from "../resolve/resolve.js";
import {
  isFunction,
  isReference,
  isFunctionAlias,
  type SymbolRow,
  type Columns,
  isSharedVariable,
} from "../../object/columns/columns.js";
import { sizeOfType } from "../../object/columns/types.js";
import type { StringId } from "../../object/columns/strings.js";
import {
  FIRST_ORDER,
  LAST_ORDER,
  bindingOf,
  createSymbolRecords,
  globalOrder,
  orderOf,
  otherOf,
  referenceTypeOf,
  type SymbolRecords,
} from "../../object/columns/elf-symbols.js";

export interface SymbolTable {
  /** Elf64_Sym records. */
  readonly records: Uint32Array;
  /** Words of SHT_SYMTAB_SHNDX, if a section index needs it. */
  readonly extended: Uint32Array | undefined;
  readonly firstGlobal: number;
  /** ELF symbol of each merged symbol; 0 for omitted ones. */
  readonly elfOf: Int32Array;
  readonly elfOfAlias: Int32Array;
  /** Index of the section symbol of the first kernel's parameters; those of other kernels follow in the order of kernels. */
  readonly firstParameterSymbol: number;
  /** Adds a string to the names, if necessary; returns its offset. */
  readonly nameOf: (text: StringId) => number;
}

/** Names of joined sections, before and after the code. */
const joinedNames = (roles: readonly DataRole[]): readonly (readonly [DataRole, string])[] =>
  roles.map((role) => [role, sectionShape(roleNames[role], "executable").name]);
const beforeCode = joinedNames(before);
const namesAfterCode = joinedNames(behind);

/** A table to which symbols are added in order. */
interface Table {
  readonly plan: Plan;
  readonly names: NameTable;
  /** Adds a string to the names, if necessary; returns its offset. */
  readonly nameOf: (text: StringId) => number;
  readonly records: SymbolRecords;
  /** Index of the next symbol. */
  next: number;
}

function put(
  table: Table,
  name: number,
  bindingAndType: number,
  other: number,
  section: number,
  value: number,
  size: number,
): void {
  table.records.put(table.next++, name, bindingAndType, other, section, value, size);
}

const putSection = (table: Table, name: number, section: number): void =>
  put(table, name, STT.SECTION, 0, section, 0, 0);

export function imageSymbols(plan: Plan, names: NameTable): SymbolTable {
  const { columns, resolution, layout, kernels, aliases, indices } = plan;
  const { count, chosen } = resolution;
  const orders = ordersOf(columns, chosen, layout);
  const joined = [...before, ...behind].filter((role) => indices.outputSections[role] !== 0).length;
  const sections = joined + layout.textSections.length + plan.shared.length + 1 + kernels.length;
  const total = 1 + sections + orders.kept + aliases.length;
  const records = createSymbolRecords(total, indices.firstParameters + kernels.length);
  const table: Table = { plan, names, nameOf: names.prefixed(""), records, next: 1 };
  const firstParameterSymbol = putSectionSymbols(table);

  const elfOf = new Int32Array(count);
  const elfOfAlias = new Int32Array(aliases.length);
  putOrder(table, orders, FIRST_ORDER, elfOf, elfOfAlias);
  const firstGlobal = table.next;
  for (let order = FIRST_ORDER + 1; order <= LAST_ORDER; order++) putOrder(table, orders, order, elfOf, elfOfAlias);
  return {
    records: records.records,
    extended: records.extended(),
    firstGlobal,
    elfOf,
    elfOfAlias,
    firstParameterSymbol,
    nameOf: table.nameOf,
  };
}

/** Adds the symbols of sections, in this order. Returns the index of the section symbol of the first kernel's parameters. */
function putSectionSymbols(table: Table): number {
  const { plan, names } = table;
  const { columns, resolution, kernels, indices, shared } = plan;
  const putJoined = ([role, name]: (typeof beforeCode)[number]): void => {
    if (indices.outputSections[role] !== 0) putSection(table, names.fixed(name), indices.outputSections[role]!);
  };
  beforeCode.forEach(putJoined);
  putCodeSections(table);
  namesAfterCode.forEach(putJoined);
  const ofShared = names.prefixed(".nv.shared.");
  shared.forEach(({ kernel }, i) => {
    const isCommon = kernel === undefined;
    const name = isCommon ? names.fixed(".nv_debug.shared") : ofShared(columns.name[resolution.chosen[kernel]!]!);
    putSection(table, name, indices.firstShared + i);
  });
  putSection(table, names.fixed(".nv.callgraph"), indices.graph);
  const firstParameterSymbol = table.next;
  const ofParameters = names.prefixed(".nv.constant0.");
  kernels.forEach((kernel, i) => {
    putSection(table, ofParameters(columns.name[kernel]!), indices.firstParameters + i);
  });
  return firstParameterSymbol;
}

function putCodeSections(table: Table): void {
  const { columns, layout, indices } = table.plan;
  const { textSections } = layout;
  const ofText = table.names.prefixed(".text.");
  for (let i = 0; i < textSections.length; i++)
    putSection(table, ofText(columns.name[columns.owner[textSections[i]!]!]!), indices.firstText + i);
}

/** Adds the symbols of one order, and its aliases. */
function putOrder(
  table: Table,
  { starts, rows }: Orders,
  order: number,
  elfOf: Int32Array,
  elfOfAlias: Int32Array,
): void {
  const { columns, resolution, aliases } = table.plan;
  const { chosen } = resolution;
  const end = starts[order + 1]!;
  for (let i = starts[order]!; i < end; i++) {
    const row = rows[i]!;
    elfOf[row] = table.next;
    putSymbol(table, row, order > FIRST_ORDER ? STB.GLOBAL : bindingOf(columns, chosen[row]!));
  }
  for (let i = 0; i < aliases.length; i++) {
    const alias = aliases[i]!;
    if (globalOrder(columns, chosen[alias.base]!, alias.typeId) !== order) continue;
    elfOfAlias[i] = table.next;
    putSymbol(table, alias.base, STB.GLOBAL, alias);
  }
}

function putSymbol(table: Table, row: MergedRow, binding: number, alias?: ImageAlias): void {
  const { columns, resolution, indices } = table.plan;
  const symbol = resolution.chosen[row]!;
  const name = table.nameOf(alias === undefined ? columns.name[symbol]! : alias.name);
  if (isReference(columns, symbol)) {
    put(table, name, (binding << 4) | referenceTypeOf(columns, symbol), 0, 0, 0, 0);
    return;
  }
  if (!isFunction(columns, symbol)) {
    putVariable(table, row, symbol, name, binding, alias);
    return;
  }
  const place = columns.sectionOf[symbol]!;
  const other = otherOf(columns, symbol);
  if (place < 0) {
    put(table, name, (binding << 4) | STT.FUNC, other, 0, 0, 0);
    return;
  }
  const size = alias !== undefined || isFunctionAlias(columns, symbol) ? 0 : columns.size[place]!;
  put(table, name, (binding << 4) | STT.FUNC, other, indices.textIndexOf[place]!, 0, size);
}

function putVariable(
  table: Table,
  row: MergedRow,
  symbol: SymbolRow,
  name: number,
  binding: number,
  alias: ImageAlias | undefined,
): void {
  const { columns, layout, indices } = table.plan;
  const size = sizeOfType(columns.types, alias?.typeId ?? columns.typeId[symbol]!);
  const behindBase = alias?.offset ?? 0;
  const other = otherOf(columns, symbol);
  const type = (binding << 4) | STT.OBJECT;
  if (columns.featureCounts.shared > 0 && isSharedVariable(columns, symbol)) {
    const isElsewhere = isDynamic(columns, symbol);
    const section = isElsewhere ? 0 : (indices.sharedOf.get(row) ?? 0);
    const offset = isElsewhere ? 0 : layout.linkTimeOffset[row]!;
    put(table, name, type, other, section, offset + behindBase, size);
    return;
  }
  const place = columns.sectionOf[symbol]!;
  const common = place < 0 ? layout.commonAt.get(row) : undefined;
  const isUndefined = common === undefined && place < 0;
  const section = isUndefined ? 0 : indices.outputSections[common === undefined ? columns.role[place]! : ROLE.global]!;
  const value = common ?? (isUndefined ? 0 : layout.offset[place]! + columns.offset[symbol]!);
  put(table, name, type, other, section, value + behindBase, size);
}

interface Orders {
  /** The symbols in the image: local and weak ones in the order of names, then global ones. */
  readonly rows: Int32Array;
  /** First index in `rows` of each order, and the end. */
  readonly starts: Int32Array;
  /** Number of symbols. */
  readonly kept: number;
}

function ordersOf(columns: Columns, chosen: Resolution["chosen"], { isInImage }: ImageLayout): Orders {
  const orders = new Uint8Array(isInImage.length);
  const starts = new Int32Array(LAST_ORDER + 2);
  for (let row = 0; row < orders.length; row++) {
    if (isInImage[row] === 0) continue;
    const order = orderOf(columns, chosen[row]!);
    orders[row] = order;
    starts[order + 1]!++;
  }
  for (let order = 1; order < starts.length; order++) starts[order]! += starts[order - 1]!;
  const kept = starts[LAST_ORDER + 1]!;
  return { rows: sorted(orders, starts, kept), starts, kept };
}

/** The rows grouped by order; order 0 means omitted. */
function sorted(orders: Uint8Array, starts: Int32Array, kept: number): Int32Array {
  const rows = new Int32Array(kept);
  const next = starts.slice();
  for (let row = 0; row < orders.length; row++) {
    const order = orders[row]!;
    if (order > 0) rows[next[order]!++] = row;
  }
  return rows;
}
