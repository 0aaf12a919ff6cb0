// Data computed before an object is printed as PTX (disassemble.ts): names, the variables declared in functions, and the symbols
// that must precede each. Stored as numbers and bits by symbol index, because symbol objects may be created at each use
// (printed.ts).

import { need } from "../../../formats/bytes/malformed.js";
import type { Declarations } from "./declaration-order.js";
import { NO_DEBUG_TEXT, type DebugText } from "../dwarf/debug-text.js";
import { decodeFunction, type DecodedFunction } from "../code/decode.js";
import { mergeFiles, type MergedFiles } from "../dwarf/merged-files.js";
import type { ObjectSymbol, Relocation, VariableSymbol } from "../object.js";
import type { PrintedObject } from "./printed.js";
import { symbolNames } from "./symbol-names.js";

export interface Context {
  readonly object: PrintedObject;
  /** The functions with code, in the order of their sections. `textOf`: the section of each symbol's code, or -1. */
  readonly functions: readonly number[];
  readonly textOf: Int32Array;
  /** Bits of TRAIT for each symbol. */
  readonly traits: Uint8Array;
  /** The function of each alias. */
  readonly aliases: ReadonlyMap<number, number>;
  /** Symbols of variables declared inside a function, by the function's symbol. */
  readonly scoped: ReadonlyMap<number, readonly number[]>;
  readonly nameOf: (symbol: number) => string;
  /** Names of the module's symbols, which a function's own variables must not use. */
  readonly taken: ReadonlySet<string>;
  /** Relocations of a section by the offset that they patch. */
  readonly tableOf: (section: number) => ReadonlyMap<number, Relocation>;
  readonly files: MergedFiles;
  /** Variables with an .extern declaration before their definition. */
  readonly announced: ReadonlySet<number>;
  readonly debug: DebugText;
}

/** Properties of symbols that are read again and again. */
const TRAIT = { static: 1, function: 2, undefined: 4, scoped: 8, initialised: 16, kernel: 32 } as const;

/** Inside a decoder: the code of a function. */
export const decodedCode = ({ object, textOf }: Context, symbol: number): DecodedFunction =>
  decodedSection(object, textOf[symbol]!);

function decodedSection({ sections }: PrintedObject, section: number): DecodedFunction {
  const { data, fileOffset } = sections.at(section)!;
  return need(decodeFunction(data!, fileOffset));
}

export function makeContext(object: PrintedObject): Context {
  const { symbols } = object;
  const nameOf = symbolNames(object);
  const functions: number[] = [];
  const textOf = new Int32Array(symbols.length).fill(-1);
  for (let i = 0; i < object.sections.length; i++) {
    const { role } = object.sections.at(i)!;
    if (role.kind !== "text" || !object.hasBytes(i)) continue;
    if (textOf[role.symbol]! < 0) functions.push(role.symbol);
    textOf[role.symbol] = i;
  }
  const traits = new Uint8Array(symbols.length);
  const aliases = new Map<number, number>();
  const taken = new Set<string>();
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols.at(i)!;
    traits[i] = traitsOf(symbol);
    if ((traits[i]! & TRAIT.scoped) === 0) taken.add(nameOf(i));
    const aliased = aliasOf(object, symbol, i);
    if (aliased !== undefined) aliases.set(i, aliased);
  }
  return {
    object,
    functions,
    textOf,
    traits,
    aliases,
    scoped: scopedVariables(object, traits, textOf),
    nameOf,
    taken,
    tableOf: relocationTables(object),
    files: mergeFiles(object.modules),
    announced: new Set(),
    debug: NO_DEBUG_TEXT,
  };
}

function traitsOf(symbol: ObjectSymbol): number {
  const { kind, linkage, placement } = symbol;
  let traits = linkage === "static" ? TRAIT.static : 0;
  if (kind === "function") traits |= symbol.entry ? TRAIT.function | TRAIT.kernel : TRAIT.function;
  if (placement.kind === "undefined") traits |= TRAIT.undefined;
  if (kind === "variable" && symbol.scope !== undefined) traits |= TRAIT.scoped;
  if (kind === "variable" && symbol.initialised && placement.kind === "section") traits |= TRAIT.initialised;
  return traits;
}

/** Limit of the cached tables: they are looked up often, mostly those of one module. */
const MAX_TABLES = 16;

function relocationTables(object: PrintedObject): Context["tableOf"] {
  const known = new Map<number, ReadonlyMap<number, Relocation>>();
  return (section) => {
    const before = known.get(section);
    if (before !== undefined) return before;
    const table = new Map(object.relocationsOf(section).map((relocation) => [relocation.offset, relocation]));
    if (known.size === MAX_TABLES) known.clear();
    known.set(section, table);
    return table;
  };
}

/**
 * The variables declared in each function. Only a function with a body is a scope: an alias of the function may have the scope's
 * name.
 */
function scopedVariables(
  { symbols }: PrintedObject,
  traits: Uint8Array,
  textOf: Int32Array,
): ReadonlyMap<number, readonly number[]> {
  const scoped = new Map<number, number[]>();
  if (traits.every((trait) => (trait & TRAIT.scoped) === 0)) return scoped;
  const functions = new Map<string, number>();
  for (let i = 0; i < symbols.length; i++) {
    if (textOf[i]! < 0) continue;
    const { origin, name } = symbols.at(i)!;
    functions.set(`${origin.module} ${name}`, i);
  }
  for (let i = 0; i < symbols.length; i++) {
    if ((traits[i]! & TRAIT.scoped) === 0) continue;
    const symbol = symbols.at(i) as VariableSymbol;
    const owner = functions.get(`${symbol.origin.module} ${symbol.scope}`);
    if (owner === undefined) continue;
    const list = scoped.get(owner) ?? [];
    scoped.set(owner, list);
    list.push(i);
  }
  return scoped;
}

/** The function of which a symbol is an alias. */
function aliasOf(object: PrintedObject, symbol: ObjectSymbol, index: number): number | undefined {
  if (symbol.kind !== "function" || symbol.placement.kind !== "section") return undefined;
  const { role } = object.sections.at(symbol.placement.section)!;
  return role.kind === "text" && role.symbol !== index ? role.symbol : undefined;
}

/** The symbols in the initial value of a variable. */
function initialReferences({ object, traits, tableOf }: Context, index: number): readonly number[] {
  if ((traits[index]! & TRAIT.initialised) === 0) return NONE;
  const symbol = object.symbols.at(index)!;
  if (symbol.kind !== "variable" || symbol.placement.kind !== "section") return NONE;
  const { section, offset } = symbol.placement;
  const inside: number[] = [];
  const table = tableOf(section);
  if (table.size === 0) return NONE;
  const width = Math.max(1, symbol.layout.type.bits / 8);
  for (let at = offset; at < offset + symbol.layout.size; at += width) {
    const relocation = table.get(at);
    if (relocation !== undefined && relocation.symbol !== index) inside.push(relocation.symbol);
  }
  return inside;
}

export function declarationsOf(context: Context, settled: ReadonlySet<string>): Declarations {
  const { object, textOf, traits, scoped } = context;
  const owners = new Map<number, number>();
  for (const [owner, variables] of scoped) for (const variable of variables) owners.set(variable, owner);
  const isSettled = (index: number): boolean =>
    settled.size > 0 && (traits[index]! & TRAIT.undefined) !== 0 && settled.has(object.symbols.at(index)!.name);
  const needs = needsOf(context);
  return {
    count: object.symbols.length,
    isVariable: (symbol) => (traits[symbol]! & TRAIT.function) === 0,
    isStatic: (symbol) => (traits[symbol]! & TRAIT.static) !== 0,
    isKernel: (symbol) => (traits[symbol]! & TRAIT.kernel) !== 0,
    hasBody: (symbol) => textOf[symbol]! >= 0,
    isIdle: (index) => {
      if (isSettled(index)) return true;
      // Variables of a function that lost to another definition were dropped with it.
      if ((traits[index]! & TRAIT.scoped) !== 0) return !owners.has(index);
      return (traits[index]! & (TRAIT.function | TRAIT.undefined)) === (TRAIT.function | TRAIT.undefined);
    },
    needs,
    inside: (symbol) => scoped.get(symbol) ?? NONE,
    ownerOf: (symbol) => owners.get(symbol),
  };
}

const NONE: readonly number[] = [];

/** The symbols in each symbol's initial value or body. */
function needsOf(context: Context): Declarations["needs"] {
  const { object, textOf, traits, scoped } = context;
  // In an object, code refers by relocations alone; in an image some slots are resolved, so the code must be read.
  const inCode = (section: number): readonly number[] =>
    object.type === "relocatable"
      ? object.relocationsOf(section).map(({ symbol }) => symbol)
      : object.targetsOf(section, decodedSection(object, section).slots).flatMap(({ symbol }) => symbol ?? []);
  const named: number[] = [];
  const starts = new Int32Array(traits.length + 1);
  const add = (symbols: readonly number[]): void => {
    for (const symbol of symbols) named.push(symbol);
  };
  for (let index = 0; index < traits.length; index++) {
    if ((traits[index]! & TRAIT.function) === 0) add(initialReferences(context, index));
    else if (textOf[index]! >= 0) {
      add(inCode(textOf[index]!));
      for (const variable of scoped.get(index) ?? NONE) add(initialReferences(context, variable));
    }
    starts[index + 1] = named.length;
  }
  const all = Int32Array.from(named);
  return (symbol) => all.subarray(starts[symbol], starts[symbol + 1]);
}
