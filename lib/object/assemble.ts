// Assembles one checked module to one relocatable object, as `ptxas -c` would make it (docs/format.md; sections.ts lays it out).
// Nothing can fail here, because the checker has reported all errors. Declarations of functions that nothing refers to are
// dropped, as in ptxas.

import { assertNever, InternalError } from "../base/assert.js";
import { checkSource, type CheckOptions, type OnCode } from "../check/check.js";
import { isWhole } from "../check/function.js";
import { createCrossModuleCache } from "../check/cross-module-cache.js";
import type { CheckedModule, ModuleAlias, ModuleSymbol, VariableSpace } from "../check/module.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { Code, Layout } from "../isa/code.js";
import { dataType } from "../isa/types.table.js";
import type { NvvmOptions } from "../nvvm/options.js";
import type { Source } from "../ptx/source-text.js";
import { codeProperties, forTarget, renumbered } from "./attributes/code-properties.js";
import type { CodePlaces } from "./code/code-places.js";
import type { CodeReferences } from "./code/references.js";
import { withDebugResolved } from "./columns/write/debug-sections.js";
import { debugSectionsOf } from "./dwarf/debug-places.js";
import {
  createFunctionEncoder,
  type EncodedFunction,
  type EncodeOptions,
  type FunctionEncoder,
} from "./code/encode.js";
import type {
  CodeProperties,
  CodeSymbol,
  KernelInfo,
  ObjectSymbol,
  Placement,
  ReferenceSymbol,
  RelocObject,
  VariableSymbol,
} from "./object.js";
import { kernelInfo } from "./parameters.js";
import { layOut, type Renumber } from "./sections.js";
import type { SlotSpace } from "./code/slots.js";

/** A function's encoded code, and its references. */
interface Part extends EncodedFunction {
  /** The function's symbol in the module. */
  readonly symbol: number;
  readonly references: CodeReferences;
  readonly facts: CodeProperties | undefined;
  readonly places: CodePlaces | undefined;
}

/** Makes the object. `names: false` omits the names of registers and labels. */
export function assemble(module: CheckedModule, options: EncodeOptions = {}): RelocObject {
  const { symbols } = module;
  const parts: Part[] = [];
  const encode = createFunctionEncoder(options);
  symbols.forEach((symbol, i) => {
    if (symbol.kind === "function" && symbol.code !== undefined)
      parts.push(encodePart(symbol.code, i, symbols, encode));
  });
  return putTogether(module, parts);
}

/**
 * Checks a module's text and makes the object, function by function, so that only one function's code is in memory at a time.
 * Undefined if errors were reported.
 */
export function assembleSource(
  source: Source,
  sink: DiagnosticSink,
  options: CheckOptions & EncodeOptions = {},
): RelocObject | undefined {
  return createAssembler(options)(source, sink);
}

/** `nvvm`: options for compiling NVVM IR, if they differ from the assembler's. */
export type Assembler = (source: Source, sink: DiagnosticSink, nvvm?: NvvmOptions) => RelocObject | undefined;

/** Creates an assembler that processes text after text in the same working memory. */
export function createAssembler(options: CheckOptions & EncodeOptions): Assembler {
  const encode = createFunctionEncoder(options);
  const memory = createCrossModuleCache();
  return (source, sink, nvvm) => {
    const errorsBefore = sink.errorCount;
    const parts: Part[] = [];
    const onCode: OnCode = (symbol, code, symbols) => {
      if (sink.errorCount === errorsBefore && isWhole(code)) parts.push(encodePart(code, symbol, symbols, encode));
    };
    const onRestart = (): void => void (parts.length = 0);
    const module = checkSource(source, sink, {
      ...options,
      ...(nvvm === undefined ? {} : { nvvm }),
      onCode,
      onRestart,
      memory,
    });
    return sink.errorCount > errorsBefore ? undefined : putTogether(module, parts);
  };
}

function encodePart(code: Code, symbol: number, symbols: readonly ModuleSymbol[], encode: FunctionEncoder): Part {
  const { bytes, slots, references, hasProperties, places } = encode(code, (s) => spaceOf(asVariable(symbols[s]!)));
  const addressUses = references.named.filter((s) => symbols[s]!.kind === "function");
  const facts = hasProperties || addressUses.length > 0 ? codeProperties(code, symbol, addressUses) : undefined;
  return { symbol, bytes, slots, references, facts, places };
}

/** `parts`: the functions with code. */
function putTogether(module: CheckedModule, parts: readonly Part[]): RelocObject {
  const symbols = asVariables(module.symbols);
  const ordered = inOrder(parts);
  const taken = addressTakenByData(symbols);
  const kept = keptSymbols(symbols, module.order, ordered, taken);
  const at = numbering(module.name, symbols.length, kept);
  const { sections, placements } = layOut(module, symbols, kept, ordered, at);
  const own = objectSymbols(symbols, kept, placements);
  const made = module.aliases === undefined ? own : [...own, ...aliasSymbols(module.aliases, own)];
  const facts = factsOf(ordered);
  const functionsOf = () =>
    ordered.map(({ symbol, bytes, places }) => ({ name: symbols[symbol]!.name, bytes, places }));
  const debugSections = module.debugSections.length === 0 ? [] : debugSectionsOf(module, functionsOf());
  const { name, version, target, targetOptions, addressSize, targetLine, files } = module;
  const size = addressSize === undefined ? {} : { addressSize };
  return withDebugResolved({
    type: "relocatable",
    name,
    target,
    version,
    modules: [{ name, version, target, targetOptions, ...size, targetLine, files }],
    sections,
    symbols: made,
    kernels: kernelsOf(made),
    calls: callsOf(ordered, at),
    addressTaken: addressTakenOf(taken, facts, at),
    codeProperties: facts.length === 0 ? NONE : forTarget(renumbered(facts, at), target.sm),
    ...(debugSections.length === 0 ? {} : { debugSections }),
  });
}

// Each module runs through these once. Small functions, because the engine then seldom has to optimise them.

const NONE: readonly CodeProperties[] = [];
const NO_SYMBOLS: readonly number[] = [];

/** Sorts by symbol: a function declared before another may be defined after it. */
function inOrder(parts: readonly Part[]): readonly Part[] {
  for (let i = 1; i < parts.length; i++)
    if (parts[i]!.symbol < parts[i - 1]!.symbol) return parts.toSorted((a, b) => a.symbol - b.symbol);
  return parts;
}

/** Returns a function that gives the object's number for each symbol of the module. */
function numbering(module: string, symbols: number, kept: readonly number[]): Renumber {
  // An array by symbol instead of a map: a module may have a million variables.
  const indexOf = new Int32Array(symbols).fill(-1);
  for (let i = 0; i < kept.length; i++) indexOf[kept[i]!] = i;
  return (symbol) => {
    const index = indexOf[symbol];
    if (index === undefined || index < 0)
      throw new InternalError(`symbol ${symbol} of ${module} is referred to, but not kept`);
    return index;
  };
}

function objectSymbols(
  symbols: readonly ModuleSymbol[],
  kept: readonly number[],
  placements: readonly (Placement | undefined)[],
): readonly ObjectSymbol[] {
  const made: ObjectSymbol[] = [];
  for (let i = 0; i < kept.length; i++)
    made.push(objectSymbol(symbols[kept[i]!]!, placementOf(symbols, kept[i]!, placements)));
  return made;
}

/** Symbols for aliases. An alias has the declaration of its variable, except the layout. */
function aliasSymbols(aliases: readonly ModuleAlias[], symbols: readonly ObjectSymbol[]): readonly VariableSymbol[] {
  const byName = new Map(symbols.map((symbol) => [symbol.name, symbol]));
  return aliases.flatMap(({ name, base, offset, size, align, isWeak, place: { line, column } }) => {
    const variable = byName.get(base);
    if (variable?.kind !== "variable") return [];
    return {
      kind: "variable",
      name,
      linkage: isWeak ? "weak" : "visible",
      placement: undefinedPlacement,
      origin: { module: 0, line, column },
      space: variable.space,
      layout: { type: bytes, vector: 1, dimensions: [size], align, size },
      managed: variable.managed,
      initialised: false,
      aliasOf: { base, offset },
    };
  });
}

const bytes = dataType("b8")!;

function factsOf(parts: readonly Part[]): readonly CodeProperties[] {
  const facts: CodeProperties[] = [];
  for (let i = 0; i < parts.length; i++) {
    const own = parts[i]!.facts;
    if (own !== undefined) facts.push(own);
  }
  return facts;
}

function callsOf(parts: readonly Part[], at: Renumber): RelocObject["calls"] {
  const calls: { readonly caller: number; readonly callee: number }[] = [];
  for (let i = 0; i < parts.length; i++) {
    const { called } = parts[i]!.references;
    for (let j = 0; j < called.length; j++) calls.push({ caller: at(parts[i]!.symbol), callee: at(called[j]!) });
  }
  return calls;
}

function addressTakenOf(taken: readonly number[], facts: readonly CodeProperties[], at: Renumber): readonly number[] {
  if (taken.length === 0 && facts.length === 0) return NO_SYMBOLS;
  const all = new Set([...taken, ...facts.flatMap(({ addressUses }) => addressUses)]);
  return [...all].map(at).sort((a, b) => a - b);
}

/** The kernels that are defined in the module. */
function kernelsOf(symbols: readonly ObjectSymbol[]): readonly KernelInfo[] {
  const kernels: KernelInfo[] = [];
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i]!;
    if (symbol.kind === "function" && symbol.entry && symbol.placement.kind === "section")
      kernels.push(kernelInfo(symbol, i));
  }
  return kernels;
}

function placementOf(
  symbols: readonly ModuleSymbol[],
  index: number,
  placements: readonly (Placement | undefined)[],
): Placement {
  const symbol = symbols[index]!;
  if (symbol.kind === "function" && symbol.alias !== undefined && symbol.alias !== index)
    return placements[symbol.alias] ?? undefinedPlacement;
  const isCommon = symbol.kind === "variable" && symbol.linkage === "common";
  return placements[index] ?? (isCommon ? commonPlacement : undefinedPlacement);
}

const undefinedPlacement: Placement = { kind: "undefined" };
const commonPlacement: Placement = { kind: "common" };

// -------------------------------------------------------------------------------------------------------------- symbols

/** Bytes per element of an array of references, which ptxas stores in global memory. */
const REFERENCE_SIZE = 52;

type ReferenceArray = ModuleSymbol & { readonly kind: "reference" };

const isArrayOfReferences = (symbol: ModuleSymbol): symbol is ReferenceArray =>
  symbol.kind === "reference" && symbol.layout.dimensions.length > 0;

const asVariables = (symbols: readonly ModuleSymbol[]): readonly ModuleSymbol[] =>
  symbols.some(isArrayOfReferences) ? symbols.map(asVariable) : symbols;

/** References are names that the driver binds, but arrays of references are ordinary variables. */
function asVariable(symbol: ModuleSymbol): ModuleSymbol {
  if (!isArrayOfReferences(symbol)) return symbol;
  const { name, linkage, place: where } = symbol;
  const elements = symbol.layout.dimensions.reduce<number>((product, n) => product * (n ?? 0), 1);
  const layout: Layout = { ...symbol.layout, align: 4, size: REFERENCE_SIZE * elements };
  return { kind: "variable", space: "global", name, linkage, place: where, layout, managed: false };
}

/** All symbols, except declarations of functions that nothing refers to; `taken`: functions in initialisers. */
function keptSymbols(
  symbols: readonly ModuleSymbol[],
  order: readonly number[] | undefined,
  parts: readonly Part[],
  taken: readonly number[],
): readonly number[] {
  const isReferred = new Uint8Array(symbols.length);
  for (let i = 0; i < taken.length; i++) isReferred[taken[i]!] = 1;
  for (let i = 0; i < parts.length; i++) mark(isReferred, parts[i]!.references.all);
  const kept: number[] = [];
  for (let i = 0; i < symbols.length; i++) {
    const symbol = order === undefined ? i : order[i]!;
    if (isReferred[symbol] === 1 || !isDeclaration(symbols[symbol]!)) kept.push(symbol);
  }
  return kept;
}

function mark(isReferred: Uint8Array, symbols: readonly number[]): void {
  for (let i = 0; i < symbols.length; i++) isReferred[symbols[i]!] = 1;
}

const isDeclaration = (symbol: ModuleSymbol): boolean =>
  symbol.kind === "function" && symbol.code === undefined && symbol.alias === undefined;

/** The functions and kernels in initialisers. */
function addressTakenByData(symbols: readonly ModuleSymbol[]): readonly number[] {
  const taken: number[] = [];
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i]!;
    if (symbol.kind !== "variable" || symbol.initial === undefined) continue;
    const { fixups } = symbol.initial;
    for (let j = 0; j < fixups.length; j++)
      if (symbols[fixups[j]!.symbol]!.kind === "function") taken.push(fixups[j]!.symbol);
  }
  return taken;
}

export function spaceOf(
  symbol: Pick<VariableSymbol, "kind" | "space"> | Pick<CodeSymbol, "kind" | "entry"> | Pick<ReferenceSymbol, "kind">,
): SlotSpace {
  switch (symbol.kind) {
    case "variable":
      return slotSpaceOf(symbol.space);
    case "function":
      return symbol.entry ? "kernel" : "function";
    case "reference":
      return "reference";
  }
}

function slotSpaceOf(space: VariableSpace): SlotSpace {
  switch (space) {
    case "global":
    case "const":
    case "shared":
    case "local":
      return space;
    case "reg":
      return "local";
    default:
      return "const";
  }
}

function objectSymbol(symbol: ModuleSymbol, placement: Placement): ObjectSymbol {
  const { name, linkage } = symbol;
  const origin = { module: 0, line: symbol.place.line, column: symbol.place.column };
  switch (symbol.kind) {
    case "variable": {
      const { kind, space, layout, managed, unified, scope } = symbol;
      const initialised = symbol.initial !== undefined;
      const plain = { kind, name, linkage, placement, origin, space, layout, managed, initialised };
      if (unified === undefined && scope === undefined) return plain;
      return { ...plain, ...(unified === undefined ? {} : { unified }), ...(scope === undefined ? {} : { scope }) };
    }
    case "function": {
      const { kind, entry, prototype, directives, unified } = symbol;
      const plain = { kind, name, linkage, placement, origin, entry, prototype, directives };
      return unified === undefined ? plain : { ...plain, unified };
    }
    case "reference": {
      const { kind, type, fields } = symbol;
      const plain = { kind, name, linkage, placement, origin, type };
      return fields === undefined ? plain : { ...plain, fields };
    }
    default:
      return assertNever(symbol);
  }
}
