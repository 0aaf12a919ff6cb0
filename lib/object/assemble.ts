// One checked module -> one relocatable object, as `ptxas -c` would lay it out (docs/format.md; every rule observed in its
// output): which section a variable stands in, in which order, with which bytes and relocations. Nothing can fail here:
// whatever is wrong with a module, the checker has said.
// What is not kept: declarations of functions that nothing refers to (ptxas drops them too).

import { R_CUDA } from "../../formats/cuda/index.js";
import { assert, assertNever } from "../base/assert.js";
import { checkSource, type CheckOptions, type OnCode } from "../check/check.js";
import { isWhole } from "../check/function.js";
import type { CheckedModule, Fixup, FunctionSymbol, ModuleSymbol, Variable, VariableSpace } from "../check/module.js";
import type { DiagnosticSink } from "../diag/sink.js";
import type { Code, Layout } from "../isa/code.js";
import type { Source } from "../ptx/tree.js";
import { codeFacts, forTarget, renumbered } from "./code-facts.js";
import { referencesOf, type CodeReferences } from "./references.js";
import { withDebugResolved } from "./debug-layout.js";
import { debugSectionsOf } from "./debug-places.js";
import { createFunctionEncoder, type EncodedFunction, type EncodeOptions, type FunctionEncoder } from "./encode.js";
import { fixupType } from "./fixup-type.js";
import type {
  CodeFacts,
  CodeSymbol,
  ObjectSymbol,
  Placement,
  ReferenceSymbol,
  Relocation,
  RelocObject,
  Section,
  SectionRole,
  VariableSymbol,
} from "./object.js";
import { kernelInfo } from "./parameters.js";
import { place } from "./place.js";
import type { SlotSpace } from "./slots.js";

/** A variable (or array of references) on its way into a section, with its index among the module's symbols. */
interface Item {
  readonly index: number;
  readonly variable: Variable;
  readonly align: number;
  readonly size: number;
}

/** Sections by role, in the order of NVIDIA's files. */
const sectionOrder = ["constant", "text", "global-init", "shared-module", "global", "shared", "local"] as const;

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
  const errorsBefore = sink.errorCount;
  const parts = new Map<number, Part>();
  const encode = createFunctionEncoder(options);
  const onCode: OnCode = (symbol, code, symbols) => {
    if (sink.errorCount === errorsBefore && isWhole(code)) parts.set(symbol, encodePart(code, symbol, symbols, encode));
  };
  const module = checkSource(source, sink, { ...options, onCode });
  return sink.errorCount > errorsBefore ? undefined : putTogether(module, parts);
}

function encodePart(code: Code, symbol: number, symbols: readonly ModuleSymbol[], encode: FunctionEncoder): Part {
  const { bytes, slots } = encode(code, (s) => spaceOf(asVariable(symbols[s]!)));
  const references = referencesOf(code);
  const addressUses = references.named.filter((s) => symbols[s]!.kind === "function");
  return { bytes, slots, references, facts: codeFacts(code, symbol, addressUses) };
}

function putTogether(module: CheckedModule, parts: Parts): RelocObject {
  const symbols = module.symbols.map(asVariable);
  const kept = keptSymbols(symbols, parts);
  // Arrays by symbol, not maps: a module may have a million variables.
  const indexOf = new Int32Array(symbols.length).fill(-1);
  kept.forEach((symbol, i) => (indexOf[symbol] = i));
  const at = (symbol: number): number => {
    const index = indexOf[symbol] ?? -1;
    assert(index >= 0, `symbol ${symbol} of ${module.name} is referred to, but not kept`);
    return index;
  };

  const sections: Section[] = [];
  const placements: (Placement | undefined)[] = new Array<undefined>(symbols.length).fill(undefined);
  const put = (role: SectionRole, section: Omit<Section, "role">): number => sections.push({ role, ...section }) - 1;

  const groups = groupVariables(symbols, kept, at);
  for (const kind of sectionOrder) {
    if (kind === "text") {
      for (const symbol of kept) {
        const part = parts.get(symbol);
        if (part === undefined) continue;
        const { bytes, slots } = part;
        const relocations = slots.map((slot): Relocation => ({
          offset: slot.offset,
          type: R_CUDA["64"],
          symbol: at(slot.symbol),
          addend: 0n,
          width: 8,
        }));
        const role = { kind: "text", symbol: at(symbol) } as const;
        const section = put(role, { align: 128, size: bytes.length, data: bytes, relocations });
        placements[symbol] = { kind: "section", section, offset: 0 };
      }
      continue;
    }
    for (const { role, items } of groups.filter((group) => group.role.kind === kind)) {
      const { offsets, size, align } = place(items);
      const isShared = role.kind === "shared" || role.kind === "shared-module";
      const hasBytes = role.kind === "global-init" || role.kind === "constant";
      const data = hasBytes ? initialBytes(items, offsets, size) : undefined;
      const relocations = fixups(module, symbols, items, offsets, at);
      const section = put(role, { align, size, ...(data === undefined ? {} : { data }), relocations });
      items.forEach((item, i) => {
        placements[item.index] = { kind: "section", section, offset: isShared ? 0 : offsets[i]! };
      });
    }
  }

  const placementOf = (index: number): Placement => {
    const symbol = symbols[index]!;
    if (symbol.kind === "function" && symbol.alias !== undefined && symbol.alias !== index)
      return placements[symbol.alias] ?? { kind: "undefined" };
    const isCommon = symbol.kind === "variable" && symbol.linkage === "common";
    return placements[index] ?? { kind: isCommon ? "common" : "undefined" };
  };
  const made = kept.map((index) => objectSymbol(symbols[index]!, placementOf(index)));
  const facts = inOrder(parts).flatMap(([, part]) => part.facts ?? []);
  const taken = new Set([...facts.flatMap(({ addressUses }) => addressUses), ...takenByData(symbols)]);
  const functions = inOrder(parts).map(([symbol, { bytes }]) => ({ name: symbols[symbol]!.name, bytes }));
  const debugSections = debugSectionsOf(module, functions);
  return withDebugResolved({
    type: "relocatable",
    name: module.name,
    target: module.target,
    version: module.version,
    modules: [
      {
        name: module.name,
        version: module.version,
        target: module.target,
        targetOptions: module.targetOptions,
        targetLine: module.targetLine,
        files: module.files,
      },
    ],
    sections,
    symbols: made,
    kernels: made.flatMap((symbol, i) =>
      symbol.kind === "function" && symbol.entry && symbol.placement.kind === "section" ? [kernelInfo(symbol, i)] : [],
    ),
    calls: inOrder(parts).flatMap(([caller, { references }]) =>
      references.called.map((callee) => ({ caller: at(caller), callee: at(callee) })),
    ),
    addressTaken: [...taken].map(at).sort((a, b) => a - b),
    codeFacts: forTarget(renumbered(facts, at), module.target.sm),
    ...(debugSections.length === 0 ? {} : { debugSections }),
  });
}

// -------------------------------------------------------------------------------------------------------------- symbols

/** Bytes of one element of an array of references, which ptxas keeps in global memory. */
const REFERENCE_SIZE = 52;

/** References are names that the driver binds, but arrays of them are ordinary variables. */
function asVariable(symbol: ModuleSymbol): ModuleSymbol {
  if (symbol.kind !== "reference" || symbol.layout.dimensions.length === 0) return symbol;
  const { name, linkage, place: where } = symbol;
  const elements = symbol.layout.dimensions.reduce<number>((product, n) => product * (n ?? 0), 1);
  const layout: Layout = { ...symbol.layout, align: 4, size: REFERENCE_SIZE * elements };
  return { kind: "variable", space: "global", name, linkage, place: where, layout, managed: false };
}

/** All but declarations of functions that nothing refers to. */
function keptSymbols(symbols: readonly ModuleSymbol[], parts: Parts): readonly number[] {
  const referred = new Set(
    [...parts.values()].flatMap(({ references }) => references.all).concat(takenByData(symbols)),
  );
  return symbols.flatMap((symbol, i) => {
    const isDeclaration = symbol.kind === "function" && symbol.code === undefined && symbol.alias === undefined;
    return isDeclaration && !referred.has(i) ? [] : [i];
  });
}

/** By symbol: a function declared before another may be defined after it. */
function inOrder(parts: Parts): readonly (readonly [symbol: number, part: Part])[] {
  return [...parts].sort(([a], [b]) => a - b);
}

/** Functions and kernels in initialisers. */
function takenByData(symbols: readonly ModuleSymbol[]): readonly number[] {
  return symbols.flatMap((symbol) =>
    symbol.kind === "variable"
      ? (symbol.initial?.fixups ?? []).map((f) => f.symbol).filter((s) => symbols[s]!.kind === "function")
      : [],
  );
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
  const common = { name, linkage, placement, origin };
  switch (symbol.kind) {
    case "variable": {
      const { space, layout, managed, unified, scope } = symbol;
      const initialised = symbol.initial !== undefined;
      const plain = { kind: symbol.kind, name, linkage, placement, origin, space, layout, managed, initialised };
      if (unified === undefined && scope === undefined) return plain;
      return { ...plain, ...(unified === undefined ? {} : { unified }), ...(scope === undefined ? {} : { scope }) };
    }
    case "function":
      return {
        kind: "function",
        ...common,
        entry: symbol.entry,
        prototype: symbol.prototype,
        directives: symbol.directives,
        ...(symbol.unified === undefined ? {} : { unified: symbol.unified }),
      };
    case "reference":
      return {
        kind: "reference",
        ...common,
        type: symbol.type,
        ...(symbol.fields === undefined ? {} : { fields: symbol.fields }),
      };
    default:
      return assertNever(symbol);
  }
}

// ----------------------------------------------------------------------------------------------------- variables and data

interface Group {
  readonly role: SectionRole;
  readonly items: readonly Item[];
}

/** The variables of each section in the order that placement takes: non-static ones as declared, then static ones. */
function groupVariables(
  symbols: readonly ModuleSymbol[],
  kept: readonly number[],
  at: (index: number) => number,
): readonly Group[] {
  const kernels = new Map<string, FunctionSymbol & { readonly index: number }>();
  for (const index of kept) {
    const symbol = symbols[index]!;
    if (symbol.kind === "function" && symbol.entry) kernels.set(symbol.name, { ...symbol, index });
  }
  const groups = new Map<string, { readonly role: SectionRole; readonly items: Item[] }>();
  const defined = kept.flatMap((index) => {
    const variable = symbols[index]!;
    return variable.kind === "variable" && isPlaced(variable) ? [{ index, variable }] : [];
  });
  const isStatic = (variable: Variable) => variable.linkage === "static";
  for (const { index, variable } of [
    ...defined.filter(({ variable }) => !isStatic(variable)),
    ...defined.filter(({ variable }) => isStatic(variable)),
  ]) {
    const kernel = variable.scope === undefined ? undefined : kernels.get(variable.scope);
    const role = roleOf(variable, kernel && at(kernel.index));
    const key = role.kind === "shared" ? `shared ${role.symbol}` : role.kind;
    const group = groups.get(key) ?? { role, items: [] };
    groups.set(key, group);
    group.items.push({ index, variable, align: variable.layout.align, size: variable.layout.size });
  }
  return [...groups.values()];
}

/** Whether the variable has a place in a section: not .extern, and not a tentative definition. */
function isPlaced({ linkage, initial }: Variable): boolean {
  return linkage !== "extern" && (linkage !== "common" || initial !== undefined);
}

/** A kernel's own shared variables have a section of their own; those of device functions stand with the module's. */
function roleOf(variable: Variable, kernel: number | undefined): SectionRole {
  switch (variable.space) {
    case "global":
      return { kind: variable.initial === undefined ? "global" : "global-init" };
    case "local":
    case "reg":
      return { kind: "local" };
    case "shared":
      return kernel === undefined ? { kind: "shared-module" } : { kind: "shared", symbol: kernel };
    default:
      return { kind: "constant" };
  }
}

function initialBytes(items: readonly Item[], offsets: readonly number[], size: number): Uint8Array {
  const data = new Uint8Array(size);
  items.forEach(({ variable }, i) => {
    if (variable.initial !== undefined) data.set(variable.initial.bytes, offsets[i]!);
  });
  return data;
}

const noFixups: readonly Fixup[] = [];

/** Variables in order of declaration, the fix-ups of each last to first. */
function fixups(
  module: CheckedModule,
  symbols: readonly ModuleSymbol[],
  items: readonly Item[],
  offsets: readonly number[],
  at: (index: number) => number,
): readonly Relocation[] {
  return items.flatMap((item, i) =>
    (item.variable.initial?.fixups ?? noFixups).toReversed().map((fixup) => ({
      offset: offsets[i]! + fixup.offset,
      type: fixupType(fixup, symbols[fixup.symbol]!, module.target.sm),
      symbol: at(fixup.symbol),
      addend: fixup.addend,
      width: fixup.width,
    })),
  );
}
