// What the kernels of an image have of the functions that they reach, as nvlink tells it in `.nv.info.<kernel>`: barriers,
// %ctaid.z and undefined functions of all that they may call, and whether calls may come back to a function that has not
// returned, so that no size of stack is known. docs/format.md, "Attributes, call graph, prototypes". In time linear in calls,
// but for undefined functions, each of which takes as much.

import { formatPrototype } from "../../formats/cuda/index.js";
import { inSymbolOrder, NO_FACTS } from "./code-facts.js";
import type { CodeFacts, ObjectFile } from "./object.js";
import { prototypeSignature } from "./signature.js";

/** Who calls whom; functions by number. */
type Program = Pick<ObjectFile, "symbols" | "kernels" | "calls" | "addressTaken">;

/** `facts` are each function's own; kernels get those of what they reach. */
export function reachedFacts(facts: readonly CodeFacts[], program: Program): readonly CodeFacts[] {
  const count = program.symbols.length;
  const barriers = new Uint8Array(count + 1);
  const readers = new Uint8Array(count + 1);
  for (const each of facts) {
    barriers[each.symbol] = each.barriers;
    readers[each.symbol] = each.readsBlockZ ? 1 : 0;
  }
  const isAny = facts.some((each) => each.barriers > 0 || each.readsBlockZ);
  const graph = createCalls(isAny ? count + 1 : 0, isAny ? edgesOf(program, mayCall(facts, program)) : NO_EDGES);
  const most = isAny ? spreadMost(graph, barriers) : barriers;
  const readsZ = isAny ? spreadMost(graph, readers) : readers;
  const endless = returning(facts, program);

  const known = new Map(facts.map((each) => [each.symbol, each]));
  for (const { symbol } of program.kernels) {
    const [own, readsBlockZ, isRecursive] = [most[symbol]!, readsZ[symbol] !== 0, endless(symbol)];
    if (own === 0 && !readsBlockZ && !isRecursive) continue;
    known.set(symbol, { ...(known.get(symbol) ?? { ...NO_FACTS, symbol }), barriers: own, readsBlockZ, isRecursive });
  }
  return inSymbolOrder([...known.values()]);
}

/** The undefined functions that each function calls, and in an image each kernel through direct calls of others, by number. */
export function undefinedCallees({
  symbols,
  calls,
  kernels,
  type,
}: ObjectFile): ReadonlyMap<number, readonly number[]> {
  const isUndefined = (symbol: number): boolean => symbols[symbol]!.placement.kind === "undefined";
  if (!calls.some(({ callee }) => isUndefined(callee))) return new Map();
  const graph = createCalls(symbols.length, edgesOf({ calls }, []));
  const all = type === "relocatable" ? [] : kernels.map(({ symbol }) => symbol);
  return missingCallees(graph, isUndefined, all);
}

// ---------------------------------------------------------------------------------------------------------------- calls

/** Caller and callee of each call, one behind the other. */
export type Edges = Int32Array;
const NO_EDGES: Edges = new Int32Array(0);

/** Who calls each function: where in `edges` the first of its callers is, and behind each the next one; both + 1. */
export interface Calls {
  readonly edges: Edges;
  readonly first: Int32Array;
  readonly next: Int32Array;
}

export function createCalls(count: number, edges: Edges): Calls {
  const first = new Int32Array(count);
  const next = new Int32Array(edges.length);
  for (let i = edges.length - 2; i >= 0; i -= 2) {
    next[i] = first[edges[i + 1]!]!;
    first[edges[i + 1]!] = i + 1;
  }
  return { edges, first, next };
}

/** For each function the largest of the values, above 0, of those that it reaches and its own. */
export function spreadMost(calls: Calls, own: Uint8Array): Uint8Array {
  const values = new Uint8Array(own.length);
  // The largest come first, so that each function is settled once.
  for (const value of [...new Set(own)].sort((a, b) => b - a))
    for (let from = 0; value > 0 && from < own.length; from++)
      if (own[from] === value) spread(calls, from, value, values);
  return values;
}

/** Gives `value` to a function and all that reach it, but where one is already. */
function spread({ edges, first, next }: Calls, from: number, value: number, values: Uint8Array): void {
  if (values[from] !== 0) return;
  values[from] = value;
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop())
    for (let call = first[at]!; call !== 0; call = next[call - 1]!) {
      const caller = edges[call - 1]!;
      if (values[caller] !== 0) continue;
      values[caller] = value;
      open.push(caller);
    }
}

/** 1 for functions whose calls may come back to one that has not returned: what is left without those that call only what is not. */
export function findReturning({ edges, first, next }: Calls): Uint8Array {
  const left = new Int32Array(first.length);
  for (let i = 0; i < edges.length; i += 2) left[edges[i]!]!++;
  const done = new Int32Array(first.length);
  let total = 0;
  for (let at = 0; at < left.length; at++) if (left[at] === 0) done[total++] = at;
  for (let i = 0; i < total; i++)
    for (let call = first[done[i]!]!; call !== 0; call = next[call - 1]!) {
      const caller = edges[call - 1]!;
      if (--left[caller]! === 0) done[total++] = caller;
    }
  return Uint8Array.from(left, (count) => (count > 0 ? 1 : 0));
}

/** The undefined functions that each function calls, and each of the kernels through others. */
export function missingCallees(
  calls: Calls,
  isUndefined: (symbol: number) => boolean,
  kernels: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const missing = new Set<number>();
  const add = (caller: number, callee: number): void => {
    const list = found.get(caller);
    if (list === undefined) found.set(caller, [callee]);
    else list.push(callee);
  };
  const { edges, first } = calls;
  for (let i = 0; i < edges.length; i += 2) {
    if (!isUndefined(edges[i + 1]!)) continue;
    add(edges[i]!, edges[i + 1]!);
    missing.add(edges[i + 1]!);
  }
  for (const callee of kernels.length === 0 ? [] : missing) {
    const reaching = new Uint8Array(first.length);
    spread(calls, callee, 1, reaching);
    for (const kernel of kernels)
      if (reaching[kernel] !== 0 && found.get(kernel)?.includes(callee) !== true) add(kernel, callee);
  }
  return found;
}

type Edge = readonly [caller: number, callee: number];

const edgesOf = ({ calls }: Pick<Program, "calls">, more: readonly Edge[]): Edges =>
  Int32Array.from([...calls.flatMap(({ caller, callee }) => [caller, callee]), ...more.flat()]);

/** Beside direct calls: functions whose address it takes, and by a call through a register all whose address is taken. */
function mayCall(facts: readonly CodeFacts[], { symbols, addressTaken }: Program): readonly Edge[] {
  const anywhere = symbols.length;
  return [
    ...addressTaken.map((target): Edge => [anywhere, target]),
    ...facts.flatMap(({ symbol, addressUses, indirectCalls }) => [
      ...addressUses.map((target): Edge => [symbol, target]),
      ...(indirectCalls.length === 0 ? [] : [[symbol, anywhere] as const]),
    ]),
  ];
}

/** Which functions reach a cycle of calls; a call through a register reaches the functions of its prototype whose address is taken. */
function returning(facts: readonly CodeFacts[], program: Program): (symbol: number) => boolean {
  const byPrototype = new Map<string, number>();
  const node = (prototype: string): number => {
    const known = byPrototype.get(prototype) ?? program.symbols.length + byPrototype.size;
    byPrototype.set(prototype, known);
    return known;
  };
  const indirect = facts.flatMap(({ symbol, indirectCalls }) =>
    indirectCalls.map((prototype): Edge => [symbol, node(prototype)]),
  );
  const targets = program.addressTaken.flatMap((target): Edge[] => {
    const symbol = program.symbols[target]!;
    if (symbol.kind !== "function" || symbol.entry || indirect.length === 0) return [];
    return [[node(formatPrototype(prototypeSignature(symbol.prototype))), target]];
  });
  const edges = edgesOf(program, [...indirect, ...targets]);
  const isReturning = findReturning(createCalls(program.symbols.length + byPrototype.size, edges));
  return (symbol) => isReturning[symbol] !== 0;
}
