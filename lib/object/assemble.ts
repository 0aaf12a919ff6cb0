// One checked module -> one relocatable object, as `ptxas -c` would make it (docs/format.md; sections.ts lays it out). Nothing
// can fail here: whatever is wrong with a module, the checker has said.
// What is not kept: declarations of functions that nothing refers to (ptxas drops them too).

import { assertNever, InternalError } from "../base/assert.js";
import { checkSource, type CheckOptions, type OnCode } from "../check/check.js";
import { isWhole } from "../check/function.js";
import type { CheckedModule, ModuleSymbol, VariableSpace } from "../check/module.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { Code, Layout } from "../isa/code.js";
import { createReadingMemory } from "../ptx/outline.js";
import type { Source } from "../ptx/tree.js";
import { codeFacts, forTarget, renumbered } from "./code-facts.js";
import type { CodeReferences } from "./references.js";
import { withDebugResolved } from "./debug-layout.js";
import { debugSectionsOf } from "./debug-places.js";
import { createFunctionEncoder, type EncodedFunction, type EncodeOptions, type FunctionEncoder } from "./encode.js";
import type {
  CodeFacts,
  CodeSymbol,
  KernelInfo,
  ObjectSymbol,
  Placement,
  ReferenceSymbol,
  RelocObject,
  VariableSymbol,
} from "./object.js";
import { kernelInfo } from "./parameters.js";
import { layOut } from "./sections.js";
import type { SlotSpace } from "./slots.js";

/** A function's code in its encoded form, and what it refers to. */
interface Part extends EncodedFunction {
  readonly references: CodeReferences;
  readonly facts: CodeFacts | undefined;
}

/** By symbol of the module. */
type Parts = ReadonlyMap<number, Part>;

/** Makes the object. `names: false` leaves out the names of registers and labels. */
export function assemble(module: CheckedModule, options: EncodeOptions = {}): RelocObject {
  const { symbols } = module;
  const parts = new Map<number, Part>();
  const encode = createFunctionEncoder(options);
  symbols.forEach((symbol, i) => {
    if (symbol.kind === "function" && symbol.code !== undefined)
      parts.set(i, encodePart(symbol.code, i, symbols, encode));
  });
  return putTogether(module, parts);
}

/**
 * Checks a module's text and makes the object, function by function, so that never more than one function's code is held;
 * undefined when the sink's error count grew.
 */
export function assembleSource(
  source: Source,
  sink: DiagnosticSink,
  options: CheckOptions & EncodeOptions = {},
): RelocObject | undefined {
  return createAssembler(options)(source, sink);
}

export type Assembler = (source: Source, sink: DiagnosticSink) => RelocObject | undefined;

/** Assembles text after text, all in the same working memory. */
export function createAssembler(options: CheckOptions & EncodeOptions): Assembler {
  const encode = createFunctionEncoder(options);
  const memory = createReadingMemory();
  return (source, sink) => {
    const errorsBefore = sink.errorCount;
    const parts = new Map<number, Part>();
    const onCode: OnCode = (symbol, code, symbols) => {
      if (sink.errorCount === errorsBefore && isWhole(code))
        parts.set(symbol, encodePart(code, symbol, symbols, encode));
    };
    const module = checkSource(source, sink, { ...options, onCode, memory });
    return sink.errorCount > errorsBefore ? undefined : putTogether(module, parts);
  };
}

function encodePart(code: Code, symbol: number, symbols: readonly ModuleSymbol[], encode: FunctionEncoder): Part {
  const { bytes, slots, references, isTelling } = encode(code, (s) => spaceOf(asVariable(symbols[s]!)));
  const addressUses = references.named.filter((s) => symbols[s]!.kind === "function");
  const facts = isTelling || addressUses.length > 0 ? codeFacts(code, symbol, addressUses) : undefined;
  return { bytes, slots, references, facts };
}

function putTogether(module: CheckedModule, parts: Parts): RelocObject {
  const symbols = module.symbols.some(isArrayOfReferences) ? module.symbols.map(asVariable) : module.symbols;
  const ordered = inOrder(parts);
  const taken = takenByData(symbols);
  const kept = keptSymbols(symbols, ordered, taken);
  // Arrays by symbol, not maps: a module may have a million variables.
  const indexOf = new Int32Array(symbols.length).fill(-1);
  for (let i = 0; i < kept.length; i++) indexOf[kept[i]!] = i;
  const at = (symbol: number): number => {
    const index = indexOf[symbol];
    if (index === undefined || index < 0)
      throw new InternalError(`symbol ${symbol} of ${module.name} is referred to, but not kept`);
    return index;
  };
  const { sections, placements } = layOut(module, symbols, kept, parts, at);
  const made: ObjectSymbol[] = [];
  for (const index of kept) made.push(objectSymbol(symbols[index]!, placementOf(symbols, index, placements)));
  const facts: CodeFacts[] = [];
  const calls: { readonly caller: number; readonly callee: number }[] = [];
  for (const [caller, part] of ordered) {
    if (part.facts !== undefined) facts.push(part.facts);
    for (const callee of part.references.called) calls.push({ caller: at(caller), callee: at(callee) });
  }
  const addressTaken = new Set(taken);
  for (const { addressUses } of facts) for (const symbol of addressUses) addressTaken.add(symbol);
  const functionsOf = () => ordered.map(([symbol, { bytes }]) => ({ name: symbols[symbol]!.name, bytes }));
  const debugSections = module.debugSections.length === 0 ? [] : debugSectionsOf(module, functionsOf());
  const { name, version, target, targetOptions, targetLine, files } = module;
  return withDebugResolved({
    type: "relocatable",
    name,
    target,
    version,
    modules: [{ name, version, target, targetOptions, targetLine, files }],
    sections,
    symbols: made,
    kernels: kernelsOf(made),
    calls,
    addressTaken: [...addressTaken].map(at).sort((a, b) => a - b),
    codeFacts: forTarget(renumbered(facts, at), target.sm),
    ...(debugSections.length === 0 ? {} : { debugSections }),
  });
}

/** Those that are defined here. */
function kernelsOf(symbols: readonly ObjectSymbol[]): readonly KernelInfo[] {
  const kernels: KernelInfo[] = [];
  symbols.forEach((symbol, i) => {
    if (symbol.kind === "function" && symbol.entry && symbol.placement.kind === "section")
      kernels.push(kernelInfo(symbol, i));
  });
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

/** Bytes of one element of an array of references, which ptxas keeps in global memory. */
const REFERENCE_SIZE = 52;

type ReferenceArray = ModuleSymbol & { readonly kind: "reference" };

const isArrayOfReferences = (symbol: ModuleSymbol): symbol is ReferenceArray =>
  symbol.kind === "reference" && symbol.layout.dimensions.length > 0;

/** References are names that the driver binds, but arrays of them are ordinary variables. */
function asVariable(symbol: ModuleSymbol): ModuleSymbol {
  if (!isArrayOfReferences(symbol)) return symbol;
  const { name, linkage, place: where } = symbol;
  const elements = symbol.layout.dimensions.reduce<number>((product, n) => product * (n ?? 0), 1);
  const layout: Layout = { ...symbol.layout, align: 4, size: REFERENCE_SIZE * elements };
  return { kind: "variable", space: "global", name, linkage, place: where, layout, managed: false };
}

/** All but declarations of functions that nothing refers to; `taken` are those in initialisers. */
function keptSymbols(
  symbols: readonly ModuleSymbol[],
  parts: readonly NumberedPart[],
  taken: readonly number[],
): readonly number[] {
  const isReferred = new Uint8Array(symbols.length);
  for (const symbol of taken) isReferred[symbol] = 1;
  for (const [, { references }] of parts) for (const symbol of references.all) isReferred[symbol] = 1;
  const kept: number[] = [];
  for (let i = 0; i < symbols.length; i++) {
    const symbol = symbols[i]!;
    const isDeclaration = symbol.kind === "function" && symbol.code === undefined && symbol.alias === undefined;
    if (!isDeclaration || isReferred[i] === 1) kept.push(i);
  }
  return kept;
}

type NumberedPart = readonly [symbol: number, part: Part];

/** By symbol: a function declared before another may be defined after it. */
function inOrder(parts: Parts): readonly NumberedPart[] {
  return [...parts].sort((a, b) => a[0] - b[0]);
}

/** Functions and kernels in initialisers. */
function takenByData(symbols: readonly ModuleSymbol[]): readonly number[] {
  const taken: number[] = [];
  for (const symbol of symbols) {
    if (symbol.kind !== "variable" || symbol.initial === undefined) continue;
    for (const fixup of symbol.initial.fixups) if (symbols[fixup.symbol]!.kind === "function") taken.push(fixup.symbol);
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
