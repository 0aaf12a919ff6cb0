// Shared memory in a plain link (link.ts): callgraph.ts and shared.ts, given of each object no more than they look at:
// its functions and shared variables, and of relocations those to such variables. Where no object has any, nothing is done.

import type { Linkage } from "../../check/module.js";
import type { CodeSymbol, ObjectSymbol, Placement, SectionRole } from "../../object/object.js";
import { findSharedUses, type SharedInput, type SharedName } from "../callgraph.js";
import { readVarU } from "./cursor.js";
import { HAS_SCOPE, ROLE } from "./read-declared.js";
import { isSharedVariable, type MergedRow, type PlainResolution } from "./resolve.js";
import { isEntry, isFunction, LINKAGE, linkageOf, sectionAt, type SectionRow, type SymbolRow, type Tables } from "./tables.js"; // prettier-ignore
import { textOf } from "./texts.js";
import { declaredVariable } from "./values.js";
import { layOutShared, type KernelShared } from "../shared.js";
import type { KeptText } from "../texts.js";

export interface PlainShared {
  /** Offset of every static variable that code names; bytes. */
  readonly offsets: ReadonlyMap<MergedRow, number>;
  /** Variables of the section of all kernels. */
  readonly common: readonly MergedRow[];
  readonly commonSize: number;
  readonly commonAlign: number;
  /** By kernel; `own` are merged rows. */
  readonly kernels: ReadonlyMap<MergedRow, KernelShared>;
  /** Where dynamic memory begins, for the code of each function that names it. */
  readonly dynamicOffsetIn: ReadonlyMap<MergedRow, number>;
}

const NONE: PlainShared = {
  offsets: new Map(),
  common: [],
  commonSize: 0,
  commonAlign: 1,
  kernels: new Map(),
  dynamicOffsetIn: new Map(),
};

/** `texts`: the sections of functions that are kept, in link order. */
export function layOutPlainShared(
  tables: Tables,
  resolution: PlainResolution,
  texts: readonly SectionRow[],
): PlainShared {
  if (!hasShared(tables)) return NONE;
  const { mergedOf, chosen, count } = resolution;
  const views = createViews(tables);
  const numberOf = new Int32Array(count).fill(-1);
  const rows: MergedRow[] = [];
  const merged: SharedName[] = [];
  for (let row = 0; row < count; row++) {
    const symbol = chosen[row]!;
    const index = views.indexOf[symbol]!;
    if (index < 0) continue;
    const object = views.fileOf(symbol);
    const view = views.inputs[object]!.symbols[index]!;
    numberOf[row] = rows.push(row) - 1;
    merged.push({ chosen: { object, index, symbol: view }, align: view.kind === "variable" ? view.layout.align : 1 });
  }
  const mergedOfViews = views.rows.map((symbols) => Int32Array.from(symbols, (symbol) => numberOf[mergedOf[symbol]!]!));
  const names = { merged, mergedOf: mergedOfViews };
  const kept = texts.map((section): KeptText => {
    const owner = tables.owner[section]!;
    return { object: views.fileOf(owner), section: views.sectionOf[section]!, symbol: numberOf[mergedOf[owner]!]! };
  });
  const layout = layOutShared(views.inputs, names, findSharedUses(views.inputs, names, kept));
  const byRow = <T>(map: ReadonlyMap<number, T>): ReadonlyMap<MergedRow, T> =>
    new Map([...map].map(([number, value]) => [rows[number]!, value]));
  const rowsOf = (numbers: readonly number[]): readonly MergedRow[] => numbers.map((number) => rows[number]!);
  const kernels = [...layout.kernels].map(
    ([kernel, shared]) => [rows[kernel]!, { ...shared, own: rowsOf(shared.own) }] as const,
  );
  return {
    offsets: byRow(layout.offsets),
    common: rowsOf(layout.common),
    commonSize: layout.commonSize,
    commonAlign: layout.commonAlign,
    kernels: new Map(kernels),
    dynamicOffsetIn: byRow(layout.dynamicOffsetIn),
  };
}

function hasShared(tables: Tables): boolean {
  for (let row = tables.firstSymbol.at(-1)! - 1; row >= 0; row--) if (isSharedVariable(tables, row)) return true;
  return false;
}

// ---------------------------------------------------------------------------------------------------------------- views

interface Views {
  readonly inputs: readonly SharedInput[];
  /** The symbols of each view, and where each symbol and section is in its file's; -1 for those that are in none. */
  readonly rows: readonly (readonly SymbolRow[])[];
  readonly indexOf: Int32Array;
  readonly sectionOf: Int32Array;
  /** Of symbols that are asked for in ascending order, quickly. */
  fileOf(symbol: SymbolRow): number;
}

function createViews(tables: Tables): Views {
  const indexOf = new Int32Array(tables.firstSymbol.at(-1)!).fill(-1);
  const sectionOf = new Int32Array(tables.firstSection.at(-1)!).fill(-1);
  const rows = tables.files.map((_, file) => {
    const own: SymbolRow[] = [];
    for (let row = tables.firstSymbol[file]!; row < tables.firstSymbol[file + 1]!; row++)
      if (isFunction(tables, row) || isSharedVariable(tables, row)) indexOf[row] = own.push(row) - 1;
    return own;
  });
  const calls: { caller: number; callee: number }[][] = rows.map(() => []);
  const fileOf = rowFinder(tables.firstSymbol);
  for (let i = 0; i < tables.calls.length; i += 2) {
    const [caller, callee] = [tables.calls[i]!, tables.calls[i + 1]!];
    calls[fileOf(caller)]!.push({ caller: indexOf[caller]!, callee: indexOf[callee]! });
  }
  // Places are alike in all files: each is made once.
  const places: Placement[] = [];
  const placementOf = (place: SectionRow): Placement => {
    const section = sectionOf[place]!;
    return (places[section] ??= { kind: "section", section, offset: 0 });
  };
  const inputs = rows.map((own, file): SharedInput => {
    const roles: SectionRole[] = [];
    const firstOf: SectionRow[] = [];
    for (let section = tables.firstSection[file]!; section < tables.firstSection[file + 1]!; section++) {
      const role = roleOf(tables, section, indexOf);
      if (role === undefined) continue;
      sectionOf[section] = roles.push(role) - 1;
      firstOf.push(section);
    }
    const hasAny = own.some((row) => isSharedVariable(tables, row));
    return {
      symbols: own.map((row) => viewOf(tables, row, placementOf, tables.firstModule[file]!)),
      sections: roles.map((role, i) => ({
        role,
        relocations: hasAny && role.kind === "text" ? namedShared(tables, file, firstOf[i]!, indexOf) : NO_RELOCATIONS,
      })),
      modules: { length: tables.firstModule[file + 1]! - tables.firstModule[file]! },
      calls: calls[file]!,
      addressTaken: [],
      codeFacts: [],
    };
  });
  return { inputs, rows, indexOf, sectionOf, fileOf };
}

const NO_RELOCATIONS: readonly { readonly symbol: number }[] = [];

/** The index of the range that a row is in. */
function rowFinder(first: Int32Array): (row: number) => number {
  let at = 0;
  return (row) => {
    if (row < first[at]! || row >= first[at + 1]!) {
      let [low, high] = [0, first.length - 1];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (first[middle]! <= row) low = middle;
        else high = middle;
      }
      at = low;
    }
    return at;
  };
}

/** Undefined for sections of data. */
function roleOf({ role, owner }: Tables, section: SectionRow, indexOf: Int32Array): SectionRole | undefined {
  if (role[section] === ROLE.moduleShared) return { kind: "shared-module" };
  if (role[section] === ROLE.text) return { kind: "text", symbol: indexOf[owner[section]!]! };
  return role[section] === ROLE.shared ? { kind: "shared", symbol: indexOf[owner[section]!]! } : undefined;
}

const linkages = ["static", "visible", "weak", "common", "extern"] as const;
const PROTOTYPE = { returns: [], parameters: [], noreturn: false } as const;
const NOWHERE: Placement = { kind: "undefined" };
const ORIGIN = { module: 0, line: 0 } as const;

/** A function as far as shared memory is concerned. */
const functionView = (name: string, linkage: Linkage, placement: Placement, entry: boolean): CodeSymbol => ({
  kind: "function",
  name,
  linkage,
  placement,
  origin: ORIGIN,
  entry,
  prototype: PROTOTYPE,
  directives: [],
});
const DECLARED = functionView("", "extern", NOWHERE, false);

/** `first`: the file's first module. */
function viewOf(
  tables: Tables,
  row: SymbolRow,
  placementOf: (place: SectionRow) => Placement,
  first: number,
): ObjectSymbol {
  const place = tables.place[row]!;
  if (place < 0 && isFunction(tables, row)) return DECLARED;
  const name = textOf(tables.texts, tables.name[row]!);
  const placement = place < 0 ? NOWHERE : placementOf(place);
  const linkage = linkages[linkageOf(tables, row)] ?? linkages[LINKAGE.extern];
  if (isFunction(tables, row)) return functionView(name, linkage, placement, isEntry(tables, row));
  const { layout, scope } = declaredVariable(tables.shapes, tables.shape[row]!, (tables.flags[row]! & HAS_SCOPE) !== 0);
  return {
    kind: "variable",
    name,
    linkage,
    placement,
    origin: { module: tables.module[row]! - first, line: 0 },
    space: "shared",
    layout,
    managed: false,
    initialised: false,
    ...(scope === undefined ? {} : { scope }),
  };
}

/** The shared variables that a section's relocations name, in the order of its runs. */
function namedShared(tables: Tables, file: number, section: SectionRow, indexOf: Int32Array) {
  const found: { readonly symbol: number }[] = [];
  const plain = tables.files[file]!;
  const first = tables.firstElf[file]!;
  const startOf = (table: number): number => (table === 0 ? 0 : sectionAt(plain, table) / 4);
  let relAt = startOf(tables.rel[section]!);
  let relaAt = startOf(tables.rela[section]!);
  const cursor = { bytes: plain.bytes, at: tables.runs[section]!, end: plain.bytes.length };
  for (let left = readVarU(cursor); left > 0; left--) {
    const count = readVarU(cursor);
    const isRela = (readVarU(cursor) & 1) !== 0;
    for (let i = 0; i < count; i++) {
      const symbol = tables.symbolOf[first + plain.words[(isRela ? relaAt : relAt) + 3]!]!;
      if (isRela) relaAt += 6;
      else relAt += 4;
      if (isSharedVariable(tables, symbol)) found.push({ symbol: indexOf[symbol]! });
    }
  }
  return found;
}
