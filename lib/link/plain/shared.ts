// Shared memory in a plain link (link.ts): callgraph.ts and shared.ts, given of each object no more than they look at:
// its functions and shared variables, and of relocations those to such variables; all of it where an address of a function
// is taken, because the order of functions depends on who deals with those. Where no object has shared memory, nothing is done.

import type { Linkage } from "../../check/module.js";
import { inSymbolOrder, NO_FACTS } from "../../object/code-facts.js";
import type { CodeFacts, CodeSymbol, ObjectSymbol, Placement, SectionRole } from "../../object/object.js";
import { findSharedUses, type SharedInput, type SharedName } from "../callgraph.js";
import { readVarU } from "./cursor.js";
import { HAS_SCOPE, ROLE } from "./read-declared.js";
import { isConstant, isSharedVariable, type MergedRow, type PlainResolution } from "./resolve.js";
import { isEntry, isFunction, LINKAGE, linkageOf, sectionAt, type SectionRow, type SymbolRow, type Tables } from "./tables.js"; // prettier-ignore
import { textOf } from "./texts.js";
import { declaredFunction, declaredVariable } from "./values.js";
import { layOutShared, type KernelShared } from "../shared.js";
import type { Contribution } from "../inputs.js";
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
  const { mergedOf, chosen, replaced, count } = resolution;
  const views = createViews(tables);
  const numberOf = new Int32Array(count).fill(-1);
  const rows: MergedRow[] = [];
  const merged: SharedName[] = [];
  const contribution = (symbol: SymbolRow): Contribution => {
    const [object, index] = [views.fileOf(symbol), views.indexOf[symbol]!];
    return { object, index, symbol: views.inputs[object]!.symbols[index]! };
  };
  for (let row = 0; row < count; row++) {
    if (views.indexOf[chosen[row]!]! < 0) continue;
    const own = contribution(chosen[row]!);
    const before = replaced.get(row);
    numberOf[row] = rows.push(row) - 1;
    merged.push({
      chosen: own,
      align: own.symbol.kind === "variable" ? own.symbol.layout.align : 1,
      ...(before === undefined ? {} : { replaced: contribution(before) }),
    });
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
  const isWhole = tables.taken.length > 0;
  const rows = tables.files.map((_, file) => {
    const own: SymbolRow[] = [];
    for (let row = tables.firstSymbol[file]!; row < tables.firstSymbol[file + 1]!; row++)
      if (isWhole || isFunction(tables, row) || isSharedVariable(tables, row)) indexOf[row] = own.push(row) - 1;
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
  const placementOf = (place: SectionRow, offset: number): Placement => {
    const section = sectionOf[place]!;
    return offset === 0
      ? (places[section] ??= { kind: "section", section, offset })
      : { kind: "section", section, offset };
  };
  const facts = addressFacts(tables, indexOf, fileOf);
  const inputs = rows.map((own, file): SharedInput => {
    const roles: SectionRole[] = [];
    const firstOf: SectionRow[] = [];
    for (let section = tables.firstSection[file]!; section < tables.firstSection[file + 1]!; section++) {
      const role = roleOf(tables, section, indexOf, isWhole);
      if (role === undefined) continue;
      sectionOf[section] = roles.push(role) - 1;
      firstOf.push(section);
    }
    const hasAny = own.some((row) => isSharedVariable(tables, row));
    return {
      symbols: own.map((row) => viewOf(tables, row, placementOf, tables.firstModule[file]!, isWhole)),
      sections: roles.map((role, i) => ({
        role,
        relocations:
          isWhole || (hasAny && role.kind === "text")
            ? namedIn(tables, file, firstOf[i]!, indexOf, isWhole)
            : NO_RELOCATIONS,
        ...(isWhole && role.kind === "text" ? { data: bytesOf(tables, file, firstOf[i]!) } : {}),
      })),
      modules: { length: tables.firstModule[file + 1]! - tables.firstModule[file]! },
      calls: calls[file]!,
      ...facts(file),
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

/** What objects say of functions' addresses, by file. */
function addressFacts(
  { taken, addressUses, indirectCalls, texts }: Tables,
  indexOf: Int32Array,
  fileOf: (symbol: SymbolRow) => number,
): (file: number) => Pick<SharedInput, "addressTaken" | "codeFacts"> {
  const files = new Map<number, { addressTaken: number[]; codeFacts: Map<number, Draft> }>();
  const of = (symbol: SymbolRow) => {
    const file = fileOf(symbol);
    const known = files.get(file) ?? { addressTaken: [], codeFacts: new Map<number, Draft>() };
    files.set(file, known);
    return known;
  };
  const factsOf = (row: SymbolRow): Draft => {
    const { codeFacts } = of(row);
    const symbol = indexOf[row]!;
    const known = codeFacts.get(symbol) ?? { ...NO_FACTS, symbol, indirectCalls: [], addressUses: [] };
    codeFacts.set(symbol, known);
    return known;
  };
  for (const function_ of taken) of(function_).addressTaken.push(indexOf[function_]!);
  for (let i = 0; i < indirectCalls.length; i += 2)
    factsOf(indirectCalls[i]!).indirectCalls.push(textOf(texts, indirectCalls[i + 1]!));
  for (let i = 0; i < addressUses.length; i += 2)
    factsOf(addressUses[i]!).addressUses.push(indexOf[addressUses[i + 1]!]!);
  return (file) => {
    const { addressTaken = [], codeFacts } = files.get(file) ?? {};
    return { addressTaken, codeFacts: inSymbolOrder([...(codeFacts?.values() ?? [])]) };
  };
}

interface Draft extends CodeFacts {
  readonly indirectCalls: string[];
  readonly addressUses: number[];
}

function bytesOf({ files, elf, size }: Tables, file: number, section: SectionRow): Uint8Array {
  const at = sectionAt(files[file]!, elf[section]!);
  return files[file]!.bytes.subarray(at, at + size[section]!);
}

const dataRoles = { [ROLE.global]: "global", [ROLE.globalInit]: "global-init", [ROLE.constant]: "constant" } as const;

/** Undefined for sections of data, unless those are wanted. */
function roleOf(
  { role, owner }: Tables,
  section: SectionRow,
  indexOf: Int32Array,
  wantsData: boolean,
): SectionRole | undefined {
  const data = dataRoles[role[section] as keyof typeof dataRoles];
  if (data !== undefined) return wantsData ? { kind: data } : undefined;
  if (role[section] === ROLE.moduleShared) return { kind: "shared-module" };
  if (role[section] === ROLE.text) return { kind: "text", symbol: indexOf[owner[section]!]! };
  return role[section] === ROLE.shared ? { kind: "shared", symbol: indexOf[owner[section]!]! } : undefined;
}

const linkages = ["static", "visible", "weak", "common", "extern"] as const;
const PROTOTYPE = { returns: [], parameters: [], noreturn: false } as const;
const NOWHERE: Placement = { kind: "undefined" };
const ORIGIN = { module: 0, line: 0 } as const;

/** A function as far as shared memory is concerned. */
const functionView = (
  name: string,
  linkage: Linkage,
  placement: Placement,
  entry: boolean,
  prototype: CodeSymbol["prototype"] = PROTOTYPE,
): CodeSymbol => ({
  kind: "function",
  name,
  linkage,
  placement,
  origin: ORIGIN,
  entry,
  prototype,
  directives: [],
});
const DECLARED = functionView("", "extern", NOWHERE, false);

/** `first`: the file's first module; `isWhole`: with offsets and prototypes. */
function viewOf(
  tables: Tables,
  row: SymbolRow,
  placementOf: (place: SectionRow, offset: number) => Placement,
  first: number,
  isWhole: boolean,
): ObjectSymbol {
  const place = tables.place[row]!;
  if (place < 0 && isFunction(tables, row)) return DECLARED;
  const name = textOf(tables.texts, tables.name[row]!);
  const isShared = isSharedVariable(tables, row);
  const placement = place < 0 ? NOWHERE : placementOf(place, isShared ? 0 : tables.offset[row]!);
  const linkage = linkages[linkageOf(tables, row)] ?? linkages[LINKAGE.extern];
  if (isFunction(tables, row)) {
    const entry = isEntry(tables, row);
    const prototype = isWhole ? declaredFunction(tables.shapes, tables.shape[row]!, entry).prototype : undefined;
    return functionView(name, linkage, placement, entry, prototype);
  }
  const { layout, scope } = declaredVariable(tables.shapes, tables.shape[row]!, (tables.flags[row]! & HAS_SCOPE) !== 0);
  return {
    kind: "variable",
    name,
    linkage,
    placement,
    origin: { module: tables.module[row]! - first, line: 0 },
    space: isShared ? "shared" : isConstant(tables, row) ? "const" : "global",
    layout,
    managed: false,
    initialised: false,
    ...(scope === undefined ? {} : { scope }),
  };
}

/** The symbols of the views that a section's relocations name, in the order of its runs. */
function namedIn(tables: Tables, file: number, section: SectionRow, indexOf: Int32Array, wantsAll: boolean) {
  const found: { readonly symbol: number; readonly offset: number }[] = [];
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
      const at = isRela ? relaAt : relAt;
      if (isRela) relaAt += 6;
      else relAt += 4;
      const row = tables.symbolOf[first + plain.words[at + 3]!]!;
      const symbol = indexOf[row]!;
      if (wantsAll || isSharedVariable(tables, row)) found.push({ symbol, offset: plain.words[at]! });
    }
  }
  return found;
}
