// The symbol table of the image, in the order of ../../object/columns/write/symbol-table.ts. What nothing can refer to any more
// is left out: shared variables that no code names, and declarations without a definition that no kept code uses.

import { STB, STT } from "../../../formats/elf/constants.table.js";
import type { ImageAlias } from "./aliases.js";
import type { NameTable } from "../../object/columns/growable-bytes.js";
import { sectionShape } from "../../object/section-shape.js";
import { roleNames, ROLE } from "../../object/columns/codes.js";
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
} from "../../object/columns/elf-symbols.js";

/** The layout of the image's file: ELF section indices. */
export interface SectionIndices {
  /** Of the joined sections by role, 0 for those that are not there. */
  readonly outputSections: readonly number[];
  /** Of each function's code that is kept, by its section's row. */
  readonly textIndexOf: Int32Array;
  readonly firstText: number;
  readonly graph: number;
  readonly firstShared: number;
  /** The section of each static shared variable that is there. */
  readonly sharedOf: ReadonlyMap<MergedRow, number>;
  readonly firstParameters: number;
}

export interface SymbolTable {
  /** Elf64_Sym records. */
  readonly records: Uint32Array;
  /** Words of SHT_SYMTAB_SHNDX where a section's index needs it. */
  readonly extended: Uint32Array | undefined;
  readonly firstGlobal: number;
  /** Of each merged symbol, 0 for those that are left out. */
  readonly elfOf: Int32Array;
  readonly elfOfAlias: Int32Array;
  /** Of the section of each kernel's parameters, in the order of kernels. */
  readonly firstParameterSymbol: number;
  /** Adds a text to the names, unless it is there. */
  readonly nameOf: (text: StringId) => number;
}

/** Joined sections with their names, in the order of the image. */
const joinedNames = ([ROLE.constant, ROLE.globalInit, ROLE.global, ROLE.local] as const).map(
  (role) => [role, sectionShape(roleNames[role], "executable").name] as const,
);

export function imageSymbols(
  columns: Columns,
  { count, chosen }: Resolution,
  layout: ImageLayout,
  kernels: readonly SymbolRow[],
  indices: SectionIndices,
  shared: readonly { readonly kernel: MergedRow | undefined }[],
  names: NameTable,
  aliases: readonly ImageAlias[],
): SymbolTable {
  const { textSections } = layout;
  const sections =
    joinedNames.filter(([role]) => indices.outputSections[role] !== 0).length +
    textSections.length +
    shared.length +
    1 +
    kernels.length;
  const orders = ordersOf(columns, chosen, layout);
  const total = 1 + sections + orders.kept + aliases.length;
  const table = createSymbolRecords(total, indices.firstParameters + kernels.length);
  let next = 1;
  const put = (name: number, bindingAndType: number, other: number, section: number, value: number, size: number) =>
    table.put(next++, name, bindingAndType, other, section, value, size);

  const ofText = names.prefixed(".text.");
  const putJoined = (roles: typeof joinedNames): void => {
    for (const [role, name] of roles)
      if (indices.outputSections[role] !== 0)
        put(names.fixed(name), STT.SECTION, 0, indices.outputSections[role]!, 0, 0);
  };
  putJoined(joinedNames.slice(0, 1));
  const putTexts = (): void => {
    for (let i = 0; i < textSections.length; i++)
      put(ofText(columns.name[columns.owner[textSections[i]!]!]!), STT.SECTION, 0, indices.firstText + i, 0, 0);
  };
  putTexts();
  putJoined(joinedNames.slice(1));
  const ofShared = names.prefixed(".nv.shared.");
  shared.forEach(({ kernel }, i) => {
    const name = kernel === undefined ? names.fixed(".nv_debug.shared") : ofShared(columns.name[chosen[kernel]!]!);
    put(name, STT.SECTION, 0, indices.firstShared + i, 0, 0);
  });
  put(names.fixed(".nv.callgraph"), STT.SECTION, 0, indices.graph, 0, 0);
  const ofParameters = names.prefixed(".nv.constant0.");
  const firstParameterSymbol = next;
  kernels.forEach((kernel, i) =>
    put(ofParameters(columns.name[kernel]!), STT.SECTION, 0, indices.firstParameters + i, 0, 0),
  );

  const elfOf = new Int32Array(count);
  const ofSymbol = names.prefixed("");
  const { name: nameOf, sectionOf } = columns;
  const mayBeShared = columns.featureCounts.shared > 0;
  const putSymbol = (row: number, symbol: SymbolRow, binding: number, alias?: ImageAlias): void => {
    const name = ofSymbol(alias === undefined ? nameOf[symbol]! : alias.name);
    const place = sectionOf[symbol]!;
    if (isFunction(columns, symbol)) {
      const other = otherOf(columns, symbol);
      if (place < 0) return put(name, (binding << 4) | STT.FUNC, other, 0, 0, 0);
      const size = alias !== undefined || isFunctionAlias(columns, symbol) ? 0 : columns.size[place]!;
      return put(name, (binding << 4) | STT.FUNC, other, indices.textIndexOf[place]!, 0, size);
    }
    if (isReference(columns, symbol)) {
      put(name, (binding << 4) | referenceTypeOf(columns, symbol), 0, 0, 0, 0);
      return;
    }
    const size = sizeOfType(columns.types, alias?.typeId ?? columns.typeId[symbol]!);
    const behind = alias?.offset ?? 0;
    const other = otherOf(columns, symbol);
    if (mayBeShared && isSharedVariable(columns, symbol)) {
      const isElsewhere = isDynamic(columns, symbol);
      const own = isElsewhere ? 0 : (indices.sharedOf.get(row) ?? 0);
      const offset = isElsewhere ? 0 : layout.linkTimeOffset[row]!;
      put(name, (binding << 4) | STT.OBJECT, other, own, offset + behind, size);
      return;
    }
    const common = place < 0 ? layout.commonAt.get(row) : undefined;
    const isOpen = common === undefined && place < 0;
    const section = isOpen ? 0 : indices.outputSections[common === undefined ? columns.role[place]! : ROLE.global]!;
    const value = common ?? (isOpen ? 0 : layout.offset[place]! + columns.offset[symbol]!);
    put(name, (binding << 4) | STT.OBJECT, other, section, value + behind, size);
  };
  const elfOfAlias = new Int32Array(aliases.length);
  const putOrder = (order: number): void => {
    const end = orders.starts[order + 1]!;
    for (let i = orders.starts[order]!; i < end; i++) {
      const row = orders.rows[i]!;
      const symbol = chosen[row]!;
      elfOf[row] = next;
      putSymbol(row, symbol, order > FIRST_ORDER ? STB.GLOBAL : bindingOf(columns, symbol));
    }
    aliases.forEach((alias, i) => {
      if (globalOrder(columns, chosen[alias.base]!, alias.typeId) !== order) return;
      elfOfAlias[i] = next;
      putSymbol(alias.base, chosen[alias.base]!, STB.GLOBAL, alias);
    });
  };
  putOrder(FIRST_ORDER);
  const firstGlobal = next;
  for (let order = FIRST_ORDER + 1; order <= LAST_ORDER; order++) putOrder(order);
  return {
    records: table.records,
    extended: table.extended(),
    firstGlobal,
    elfOf,
    elfOfAlias,
    firstParameterSymbol,
    nameOf: ofSymbol,
  };
}

interface Orders {
  /** The symbols that are there: local and weak ones in the order of names, then global ones. */
  readonly rows: Int32Array;
  /** Where in `rows` those of each order begin, and behind the last one end. */
  readonly starts: Int32Array;
  /** How many symbols are there. */
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

/** The rows of each order, 0 for none, one behind the other. */
function sorted(orders: Uint8Array, starts: Int32Array, kept: number): Int32Array {
  const rows = new Int32Array(kept);
  const next = starts.slice();
  for (let row = 0; row < orders.length; row++) {
    const order = orders[row]!;
    if (order > 0) rows[next[order]!++] = row;
  }
  return rows;
}
