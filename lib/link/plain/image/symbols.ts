// The symbol table of the image, in the order and with the values of object/file/elf-symbols.ts. What nothing can refer to any more
// is left out: shared variables that no code names, and declarations without a definition that no kept code uses.

import { putLong } from "../tables/long-words.js";
import { SHN, STB, STO_CUDA, STT } from "../../../../formats/elf/constants.table.js";
import type { ImageAlias } from "./aliases.js";
import type { NameTable } from "../tables/bytes.js";
import { sectionShape } from "../../../object/section-shape.js";
import { IS_UNIFIED, plainRoles, ROLE } from "../tables/codes.js";
import type { PlainLayout } from "../layout/layout.js";
import { isDynamic, isSharedVariable, type MergedRow, type PlainResolution } from "../names/resolve.js";
import {
  isCommon,
  isEntry,
  isFunction,
  isManaged,
  isReference,
  isSecondName,
  LINKAGE,
  linkageOf,
  type SymbolRow,
  type Tables,
} from "../tables/tables.js";
import { sizeOfShape, type ShapeId } from "../tables/shapes.js";
import type { TextId } from "../tables/texts.js";

/** The layout of the image's file: ELF section indices. */
export interface PlainIndices {
  /** Of the joined sections by role, 0 for those that are not there. */
  readonly joined: readonly number[];
  /** Of each function's code that is kept, by its section's row. */
  readonly textOf: Int32Array;
  readonly firstText: number;
  readonly graph: number;
  readonly firstShared: number;
  /** The section of each static shared variable that is there. */
  readonly sharedOf: ReadonlyMap<MergedRow, number>;
  readonly firstParameters: number;
}

/** By the flags of a reference. */
const REFERENCE_TYPES = [STT.CUDA_TEXTURE, STT.CUDA_SAMPLER, STT.CUDA_SURFACE] as const;

export interface PlainSymbols {
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
  readonly nameOf: (text: TextId) => number;
}

/** Joined sections with their names, in the order of the image. */
const joinedNames = ([ROLE.constant, ROLE.globalInit, ROLE.global, ROLE.local] as const).map(
  (role) => [role, sectionShape(plainRoles[role], "executable").name] as const,
);

export function plainSymbols(
  tables: Tables,
  { count, chosen }: PlainResolution,
  layout: PlainLayout,
  kernels: readonly SymbolRow[],
  indices: PlainIndices,
  shared: readonly { readonly kernel: MergedRow | undefined }[],
  names: NameTable,
  aliases: readonly ImageAlias[],
): PlainSymbols {
  const { texts } = layout;
  const sections =
    joinedNames.filter(([role]) => indices.joined[role] !== 0).length +
    texts.length +
    shared.length +
    1 +
    kernels.length;
  const orders = ordersOf(tables, chosen, layout);
  const total = 1 + sections + orders.kept + aliases.length;
  const records = new Uint32Array(6 * total);
  const isLarge = indices.firstParameters + kernels.length > SHN.LORESERVE;
  const extended = isLarge ? new Uint32Array(total) : undefined;
  let next = 1;
  let isExtended = false;
  const put = (name: number, bindingAndType: number, other: number, section: number, value: number, size: number) => {
    const at = 6 * next;
    const isBeyond = section >= SHN.LORESERVE;
    const index = isBeyond ? SHN.XINDEX : section;
    records[at] = name;
    records[at + 1] = bindingAndType | (other << 8) | (index << 16);
    putLong(records, at + 2, value);
    putLong(records, at + 4, size);
    if (isBeyond) {
      extended![next] = section;
      isExtended = true;
    }
    next++;
  };

  const ofText = names.prefixed(".text.");
  const putJoined = (roles: typeof joinedNames): void => {
    for (const [role, name] of roles)
      if (indices.joined[role] !== 0) put(names.fixed(name), STT.SECTION, 0, indices.joined[role]!, 0, 0);
  };
  putJoined(joinedNames.slice(0, 1));
  const putTexts = (): void => {
    for (let i = 0; i < texts.length; i++)
      put(ofText(tables.name[tables.owner[texts[i]!]!]!), STT.SECTION, 0, indices.firstText + i, 0, 0);
  };
  putTexts();
  putJoined(joinedNames.slice(1));
  const ofShared = names.prefixed(".nv.shared.");
  shared.forEach(({ kernel }, i) => {
    const name = kernel === undefined ? names.fixed(".nv_debug.shared") : ofShared(tables.name[chosen[kernel]!]!);
    put(name, STT.SECTION, 0, indices.firstShared + i, 0, 0);
  });
  put(names.fixed(".nv.callgraph"), STT.SECTION, 0, indices.graph, 0, 0);
  const ofParameters = names.prefixed(".nv.constant0.");
  const firstParameterSymbol = next;
  kernels.forEach((kernel, i) =>
    put(ofParameters(tables.name[kernel]!), STT.SECTION, 0, indices.firstParameters + i, 0, 0),
  );

  const elfOf = new Int32Array(count);
  const ofSymbol = names.prefixed("");
  const { name: nameOf, place: placeOf, flags } = tables;
  const mayBeShared = tables.rare.shared > 0;
  const putSymbol = (row: number, symbol: SymbolRow, binding: number, alias?: ImageAlias): void => {
    const name = ofSymbol(alias === undefined ? nameOf[symbol]! : alias.name);
    const place = placeOf[symbol]!;
    const isUnified = (flags[symbol]! & IS_UNIFIED) !== 0;
    if (isFunction(tables, symbol)) {
      const other = (isEntry(tables, symbol) ? STO_CUDA.ENTRY : 0) | (isUnified ? STO_CUDA.MANAGED : 0);
      if (place < 0) return put(name, (binding << 4) | STT.FUNC, other, 0, 0, 0);
      const size = alias !== undefined || isSecondName(tables, symbol) ? 0 : tables.size[place]!;
      return put(name, (binding << 4) | STT.FUNC, other, indices.textOf[place]!, 0, size);
    }
    if (isReference(tables, symbol)) {
      put(name, (binding << 4) | REFERENCE_TYPES[tables.flags[symbol]!]!, 0, 0, 0, 0);
      return;
    }
    const size = sizeOfShape(tables.shapes, alias?.shape ?? tables.shape[symbol]!);
    const behind = alias?.offset ?? 0;
    const other = (isManaged(tables, symbol) ? STO_CUDA.MANAGED : 0) | (isUnified ? STO_CUDA.ENTRY : 0);
    if (mayBeShared && isSharedVariable(tables, symbol)) {
      const isElsewhere = isDynamic(tables, symbol);
      const own = isElsewhere ? 0 : (indices.sharedOf.get(row) ?? 0);
      const offset = isElsewhere ? 0 : layout.known[row]!;
      put(name, (binding << 4) | STT.OBJECT, other, own, offset + behind, size);
      return;
    }
    const common = place < 0 ? layout.commonAt.get(row) : undefined;
    const isOpen = common === undefined && place < 0;
    const section = isOpen ? 0 : indices.joined[common === undefined ? tables.role[place]! : ROLE.global]!;
    const value = common ?? (isOpen ? 0 : layout.offset[place]! + tables.offset[symbol]!);
    put(name, (binding << 4) | STT.OBJECT, other, section, value + behind, size);
  };
  const elfOfAlias = new Int32Array(aliases.length);
  const putOrder = (order: number): void => {
    const end = orders.starts[order + 1]!;
    for (let i = orders.starts[order]!; i < end; i++) {
      const row = orders.rows[i]!;
      const symbol = chosen[row]!;
      elfOf[row] = next;
      putSymbol(row, symbol, order > 1 ? STB.GLOBAL : bindingOf(tables, symbol));
    }
    aliases.forEach((alias, i) => {
      if (globalOrder(tables, chosen[alias.base]!, alias.shape) !== order) return;
      elfOfAlias[i] = next;
      putSymbol(alias.base, chosen[alias.base]!, STB.GLOBAL, alias);
    });
  };
  putOrder(1);
  const firstGlobal = next;
  for (let order = 2; order <= LAST_ORDER; order++) putOrder(order);
  return {
    records,
    extended: isExtended ? extended : undefined,
    firstGlobal,
    elfOf,
    elfOfAlias,
    firstParameterSymbol,
    nameOf: ofSymbol,
  };
}

const LAST_ORDER = 5;

interface Orders {
  /** The symbols that are there: local and weak ones in the order of names, then global ones. */
  readonly rows: Int32Array;
  /** Where in `rows` those of each order begin, and behind the last one end. */
  readonly starts: Int32Array;
  /** How many symbols are there. */
  readonly kept: number;
}

function ordersOf(tables: Tables, chosen: PlainResolution["chosen"], { isThere }: PlainLayout): Orders {
  const orders = new Uint8Array(isThere.length);
  const starts = new Int32Array(LAST_ORDER + 2);
  for (let row = 0; row < orders.length; row++) {
    if (isThere[row] === 0) continue;
    const order = orderOf(tables, chosen[row]!);
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

/** 1 for local and weak symbols, 2 for variables, 3 for references, 4 for open arrays, 5 for functions. */
function orderOf(tables: Tables, symbol: SymbolRow): number {
  return bindingOf(tables, symbol) === STB.GLOBAL ? globalOrder(tables, symbol, tables.shape[symbol]!) : 1;
}

function globalOrder(tables: Tables, symbol: SymbolRow, shape: ShapeId): number {
  if (isFunction(tables, symbol)) return LAST_ORDER;
  if (isReference(tables, symbol)) return 3;
  return sizeOfShape(tables.shapes, shape) === 0 ? 4 : 2;
}

function bindingOf(tables: Tables, symbol: SymbolRow): number {
  if (tables.place[symbol]! < 0 && !isCommon(tables, symbol)) return STB.GLOBAL;
  const linkage = linkageOf(tables, symbol);
  return linkage === LINKAGE.static ? STB.LOCAL : linkage === LINKAGE.weak ? STB.WEAK : STB.GLOBAL;
}
