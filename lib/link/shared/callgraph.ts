// Pass: what code names and calls, of which shared-reach.ts makes which kernel reaches which shared variable. A function
// reaches the variables that its code names and the functions that it calls; by a call through a register every function of
// the same prototype whose address is taken anywhere, as nvlink has it, because an address may come from memory that another
// kernel wrote. All numbers here are indices of merged symbols.

import { formatPrototype } from "../../../formats/cuda/index.js";
import type { Section } from "../../object/object.js";
import { prototypeSignature } from "../../object/attributes/signature.js";
import { isDynamicShared, type Inputs } from "../inputs.js";
import type { Merged, Resolution } from "../names/resolve.js";
import { bodyOrder } from "./shared-order.js";
import { SHARED } from "./shared-graph.js";
import { listIn, reachShared, type SharedUses } from "./shared-reach.js";
import type { KeptTexts } from "../layout/texts.js";

export function isShared({ chosen: { symbol } }: Pick<Merged, "chosen">): boolean {
  return symbol.kind === "variable" && symbol.space === "shared";
}

export function findSharedUses(inputs: Inputs, { merged, mergedOf }: Resolution, texts: KeptTexts): SharedUses {
  const bodies = findBodies(inputs, mergedOf);
  const callers = findCallers(inputs, merged, texts);
  const { edges, hasCode } = findReferences(inputs, { merged, mergedOf }, callers, bodies);
  const taken = inputs.flatMap((input, object) => input.addressTaken.map((f) => mergedOf[object]![f]!));
  return reachShared({
    count: merged.length,
    edges: Int32Array.from(edges),
    shared: Uint8Array.from(merged, (each) =>
      !isShared(each) ? 0 : isDynamicShared(each.chosen.symbol) ? SHARED.dynamic : SHARED.static,
    ),
    kernels: [...merged.keys()].filter((at) => {
      const { symbol } = merged[at]!.chosen;
      return symbol.kind === "function" && symbol.entry && hasCode.has(at);
    }),
    bodies,
    addresses: {
      taken,
      indirect: taken.length === 0 ? [] : findIndirectCalls(inputs, callers),
      prototypeOf(at) {
        const { symbol } = merged[at]!.chosen;
        if (symbol.kind !== "function" || symbol.entry) return undefined;
        return formatPrototype(prototypeSignature(symbol.prototype));
      },
    },
  });
}

/** Code whose calls count. */
interface Caller {
  /** Index into the inputs, of the function there, and among the merged symbols. */
  readonly object: number;
  readonly index: number;
  readonly symbol: number;
  /** The code that is kept; undefined for that of a definition that was replaced. */
  readonly text?: Section;
}

function findCallers(inputs: Inputs, merged: Resolution["merged"], texts: KeptTexts): readonly Caller[] {
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

/** Who names and calls what, in pairs, and whose code there is; a second name for a function leads to that function. */
function findReferences(
  inputs: Inputs,
  { merged, mergedOf }: Resolution,
  callers: readonly Caller[],
  bodies: ReadonlyMap<number, readonly number[]>,
) {
  const calls = inputs.map((input, object) => {
    const of = new Map<number, number[]>();
    for (const { caller, callee } of input.calls) listIn(of, caller).push(mergedOf[object]![callee]!);
    return of;
  });
  const edges: number[] = [];
  for (const [kernel, own] of bodies) for (const variable of own) edges.push(kernel, variable);
  const hasCode = new Set<number>();
  const symbolOf = new Map<Section, number>();
  for (const { object, index, symbol, text } of callers) {
    hasCode.add(symbol);
    if (text !== undefined) symbolOf.set(text, symbol);
    for (const relocation of text?.relocations ?? []) {
      const at = mergedOf[object]![relocation.symbol]!;
      if (isShared(merged[at]!)) edges.push(symbol, at);
    }
    for (const callee of calls[object]!.get(index) ?? []) edges.push(symbol, callee);
  }
  merged.forEach(({ chosen: { object, symbol } }, at) => {
    if (symbol.kind !== "function" || symbol.placement.kind !== "section") return;
    const owner = symbolOf.get(inputs[object]!.sections[symbol.placement.section]!);
    if (owner === undefined || owner === at) return;
    hasCode.add(at);
    edges.push(at, owner);
  });
  return { edges, hasCode };
}

/** Callers with the prototypes that they call through registers. */
function findIndirectCalls(inputs: Inputs, callers: readonly Caller[]): readonly (readonly [number, string])[] {
  const prototypes = inputs.map(
    ({ codeFacts }) => new Map(codeFacts.map(({ symbol, indirectCalls }) => [symbol, indirectCalls])),
  );
  return callers.flatMap(({ object, index, symbol }) =>
    (prototypes[object]!.get(index) ?? []).map((prototype) => [symbol, prototype] as const),
  );
}

/** The function of its object that a section is the code of. */
const ownerOf = ({ role }: Section): number => (role.kind === "text" ? role.symbol : -1);

/** For each kernel whose body declares shared variables: these, in nvlink's order, those of definitions that lost too. */
function findBodies(inputs: Inputs, mergedOf: Resolution["mergedOf"]): ReadonlyMap<number, readonly number[]> {
  const bodies = new Map<number, number[]>();
  inputs.forEach((input, object) => {
    for (const [kernel, own] of bodyOrder(input)) {
      const all = listIn(bodies, mergedOf[object]![kernel]!);
      for (const index of own) all.push(mergedOf[object]![index]!);
    }
  });
  return bodies;
}
