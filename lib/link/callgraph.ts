// Pass: which kernel reaches which shared variable. A function reaches the variables that its code names and the functions
// that it calls; by a call through a register every function of the same prototype whose address is taken anywhere, as
// nvlink has it, because an address may come from memory that another kernel wrote. Recursion needs no care: a walk marks what it has seen.
// Linear in references, except for the walk from each kernel, which visits only what leads to shared memory.
// All numbers here are indices of merged symbols.

import { formatPrototype } from "../../formats/cuda/index.js";
import type { RelocObject, SectionRole } from "../object/object.js";
import { createCalls, spreadMost } from "../object/reached-facts.js";
import { prototypeSignature } from "../object/signature.js";
import { isDynamicShared } from "./inputs.js";
import { bodyOrder } from "./shared-order.js";
import type { Merged } from "./resolve.js";
import type { KeptTexts } from "./texts.js";

/** What the passes of shared memory read of an object. */
export interface SharedInput extends Pick<RelocObject, "symbols" | "calls" | "addressTaken" | "codeFacts"> {
  readonly modules: { readonly length: number };
  readonly sections: readonly SharedSection[];
}

export interface SharedSection {
  readonly role: SectionRole;
  /** Offsets, and the bytes of code, are asked for where the object takes the address of a function. */
  readonly relocations: readonly { readonly symbol: number; readonly offset?: number }[];
  readonly data?: Uint8Array;
}

/** What they read of the names. */
export interface SharedNames {
  readonly merged: readonly SharedName[];
  readonly mergedOf: readonly Int32Array[];
}

export type SharedName = Pick<Merged, "chosen" | "align" | "replaced">;

export interface SharedUses {
  /** For each kernel: the shared variables that it reaches, those of its own body always among them, ascending. */
  readonly byKernel: ReadonlyMap<number, readonly number[]>;
  /** The shared variables that code names; some may be in functions that no kernel reaches. */
  readonly named: ReadonlySet<number>;
  /** For each function whose code names dynamic shared memory: the kernels that reach the function. */
  readonly dynamicUsers: ReadonlyMap<number, readonly number[]>;
  /** For each kernel of which a definition declares shared variables in its body: these, used or not, in nvlink's order. */
  readonly bodies: ReadonlyMap<number, readonly number[]>;
}

/** What each function refers to. */
type References = Map<number, readonly number[]>;

export function isShared({ chosen: { symbol } }: Pick<Merged, "chosen">): boolean {
  return symbol.kind === "variable" && symbol.space === "shared";
}

export function findSharedUses(
  inputs: readonly SharedInput[],
  { merged, mergedOf }: SharedNames,
  texts: KeptTexts,
): SharedUses {
  const bodies = findBodies(inputs, mergedOf);
  const callers = findCallers(inputs, merged, texts);
  const references = findReferences(inputs, { merged, mergedOf }, callers, bodies);
  const taken = new Set(inputs.flatMap((input, object) => input.addressTaken.map((f) => mergedOf[object]![f]!)));
  let leading = leadingToShared(merged, references);
  // A function that is called through a register may lead to shared memory only by such a call of its own.
  for (let known = 0; ;) {
    const callable = callableByPrototype(merged, taken, leading);
    const count = [...callable.values()].reduce((sum, callees) => sum + callees.length, 0);
    if (count === known) break;
    known = count;
    for (const { object, index, symbol } of callers) {
      const prototypes = inputs[object]!.codeFacts.find((facts) => facts.symbol === index)?.indirectCalls ?? [];
      const callees = prototypes.flatMap((prototype) => callable.get(prototype) ?? []);
      if (callees.length > 0) references.set(symbol, withoutRepeats([...references.get(symbol)!, ...callees]));
    }
    leading = leadingToShared(merged, references);
  }

  const shared = Uint8Array.from(merged, (each) => (isShared(each) ? 1 : 0));
  const isDynamic = Uint8Array.from(merged, ({ chosen: { symbol } }) => (isDynamicShared(symbol) ? 1 : 0));
  const namesDynamic = new Uint8Array(merged.length);
  const named = new Set<number>();
  for (const [from, all] of references)
    for (const to of all) {
      if (shared[to] !== 0) named.add(to);
      if (isDynamic[to] !== 0) namesDynamic[from] = 1;
    }
  const byKernel = new Map<number, readonly number[]>();
  const dynamicUsers = new Map<number, number[]>();
  const walk = createWalk(references, leading);
  merged.forEach(({ chosen: { symbol } }, kernel) => {
    if (symbol.kind !== "function" || !symbol.entry || !references.has(kernel)) return;
    const variables: number[] = [];
    for (const at of walk(kernel)) {
      if (shared[at] !== 0) variables.push(at);
      if (namesDynamic[at] !== 0) listIn(dynamicUsers, at).push(kernel);
    }
    byKernel.set(
      kernel,
      variables.sort((a, b) => a - b),
    );
  });
  return { byKernel, named, dynamicUsers, bodies };
}

/** Code whose calls count. */
interface Caller {
  /** Index into the inputs, of the function there, and among the merged symbols. */
  readonly object: number;
  readonly index: number;
  readonly symbol: number;
  /** The code that is kept; undefined for that of a definition that was replaced. */
  readonly text?: SharedSection;
}

function findCallers(
  inputs: readonly SharedInput[],
  merged: readonly SharedName[],
  texts: KeptTexts,
): readonly Caller[] {
  const callers: Caller[] = texts.map(({ object, section, symbol }) => {
    const text = inputs[object]!.sections[section]!;
    return { object, index: ownerOf(text), symbol, text };
  });
  merged.forEach(({ replaced }, symbol) => {
    if (replaced?.symbol.kind !== "function" || replaced.symbol.placement.kind !== "section") return;
    const {
      object,
      symbol: { placement },
    } = replaced;
    callers.push({ object, index: ownerOf(inputs[object]!.sections[placement.section]!), symbol });
  });
  return callers;
}

/** What code names and calls, by whose code it is; a second name for a function leads to that function. */
function findReferences(
  inputs: readonly SharedInput[],
  { merged, mergedOf }: SharedNames,
  callers: readonly Caller[],
  bodies: ReadonlyMap<number, readonly number[]>,
): References {
  const calls = inputs.map((input, object) => {
    const of = new Map<number, number[]>();
    for (const { caller, callee } of input.calls) listIn(of, caller).push(mergedOf[object]![callee]!);
    return of;
  });
  const references: References = new Map();
  const symbolOf = new Map<SharedSection, number>();
  for (const { object, index, symbol, text } of callers) {
    if (text !== undefined) symbolOf.set(text, symbol);
    const named = (text?.relocations ?? []).map((r) => mergedOf[object]![r.symbol]!);
    const variables = named.filter((at) => isShared(merged[at]!));
    const called = calls[object]!.get(index) ?? [];
    references.set(
      symbol,
      withoutRepeats([...(references.get(symbol) ?? bodies.get(symbol) ?? []), ...variables, ...called]),
    );
  }
  merged.forEach(({ chosen: { object, symbol } }, at) => {
    if (symbol.kind !== "function" || symbol.placement.kind !== "section") return;
    const owner = symbolOf.get(inputs[object]!.sections[symbol.placement.section]!);
    if (owner !== undefined && owner !== at) references.set(at, [...(references.get(at) ?? []), owner]);
  });
  return references;
}

/** The function of its object that a section is the code of. */
const ownerOf = ({ role }: SharedSection): number => (role.kind === "text" ? role.symbol : -1);

/** The functions of `leading` whose address is taken, by what a call through a register must pass, in NVIDIA's letters. */
function callableByPrototype(
  merged: readonly SharedName[],
  taken: ReadonlySet<number>,
  leading: Uint8Array,
): ReadonlyMap<string, readonly number[]> {
  const callable = new Map<string, number[]>();
  for (const at of taken) {
    const { symbol } = merged[at]!.chosen;
    if (symbol.kind !== "function" || symbol.entry || leading[at] === 0) continue;
    listIn(callable, formatPrototype(prototypeSignature(symbol.prototype))).push(at);
  }
  return callable;
}

/** For each kernel whose body declares shared variables: these, in nvlink's order, those of definitions that lost too. */
function findBodies(
  inputs: readonly SharedInput[],
  mergedOf: SharedNames["mergedOf"],
): ReadonlyMap<number, readonly number[]> {
  const bodies = new Map<number, number[]>();
  inputs.forEach((input, object) => {
    for (const [kernel, own] of bodyOrder(input)) {
      const all = listIn(bodies, mergedOf[object]![kernel]!);
      for (const index of own) all.push(mergedOf[object]![index]!);
    }
  });
  return bodies;
}

/** What can be reached inside `leading` from somewhere, the near ones first. */
function createWalk(references: References, leading: Uint8Array): (start: number) => readonly number[] {
  const next = Array.from(leading, (_, from) => {
    const all = references.get(from) ?? NOTHING;
    return all.every((to) => leading[to] !== 0) ? all : all.filter((to) => leading[to] !== 0);
  });
  // The start of the last walk that came by.
  const seen = new Int32Array(leading.length).fill(-1);
  return (start) => {
    seen[start] = start;
    const reached = [start];
    for (const at of reached)
      for (const to of next[at]!) {
        if (seen[to] === start) continue;
        seen[to] = start;
        reached.push(to);
      }
    return reached;
  };
}

const NOTHING: readonly number[] = [];

/** Most functions refer to few things, for which a set takes more than it saves. */
const withoutRepeats = (all: readonly number[]): readonly number[] =>
  all.length < 16 ? all.filter((to, i) => all.indexOf(to) === i) : [...new Set(all)];

/** 1 for the shared variables, and every function from which one can be reached. */
function leadingToShared(merged: readonly SharedName[], references: References): Uint8Array {
  const edges: number[] = [];
  for (const [from, all] of references) for (const to of all) edges.push(from, to);
  const own = Uint8Array.from(merged, (each) => (isShared(each) ? 1 : 0));
  return spreadMost(createCalls(merged.length, Int32Array.from(edges)), own);
}

function listIn<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  lists.set(key, made);
  return made;
}
