// Properties that kernels of an image inherit from the functions they reach, as nvlink records them in `.nv.info.<kernel>`:
// barriers, %ctaid.z and undefined functions, and whether calls may return to a function that has not returned, so that no stack
// size is known. docs/format.md, "Attributes, call graph, prototypes". Linear in calls, except for undefined functions, each of
// which takes linear time.

function addCallee(found: Map<number, number[]>, caller: number, callee: number): void {
  const list = found.get(caller);
  if (list === undefined) found.set(caller, [callee]);
  else list.push(callee);
}

// ---------------------------------------------------------------------------------------------------------------- calls

/** Pairs of caller and callee. */
export type Edges = Int32Array;

/**
 * Calls grouped by callee: `first` contains, for each function, the index in `edges` of its first caller, and `next` that of the
 * next caller after each; both + 1.
 */
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

/** For each function, the largest positive value among its own and those of the functions that it reaches. */
export function largestAmongCallees(calls: Calls, own: Uint8Array): Uint8Array {
  const values = new Uint8Array(own.length);
  const isThere = new Uint8Array(256);
  for (let at = 0; at < own.length; at++) isThere[own[at]!] = 1;
  // Process the largest values first, so that each function is assigned once.
  for (let value = 255; value > 0; value--)
    for (let from = 0; isThere[value] !== 0 && from < own.length; from++)
      if (own[from] === value) spread(calls, from, value, values);
  return values;
}

/** Assigns `value` to a function and to all functions that reach it, unless they already have a value. */
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

/** 1 for functions on a call cycle, or calling one: the rest after repeatedly removing functions that only call removed ones. */
export function findReturning({ edges, first, next }: Calls): Uint8Array {
  const left = countCallees(edges, first.length);
  const done = new Int32Array(first.length);
  let total = 0;
  for (let at = 0; at < left.length; at++) if (left[at] === 0) done[total++] = at;
  const returning = new Uint8Array(first.length);
  if (total < done.length) returning.fill(1);
  for (let i = 0; i < total; i++) {
    returning[done[i]!] = 0;
    for (let call = first[done[i]!]!; call !== 0; call = next[call - 1]!) {
      const caller = edges[call - 1]!;
      if (--left[caller]! === 0) done[total++] = caller;
    }
  }
  return returning;
}

/** The number of calls of each function. */
function countCallees(edges: Edges, count: number): Int32Array {
  const calls = new Int32Array(count);
  for (let i = 0; i < edges.length; i += 2) calls[edges[i]!]!++;
  return calls;
}

/**
 * Limit of the steps along calls to find what kernels reach. Thousands of kernels that each reach thousands of undefined
 * functions would have millions of entries.
 */
const MAX_STEPS = 2 ** 22;

/**
 * The undefined functions that each function calls, and those that each kernel reaches. If finding the latter takes too many
 * steps, only direct calls are recorded; the rest follows from the call graph in the file.
 */
export function undefinedReached(
  { edges, first, next }: Calls,
  isUndefined: (symbol: number) => boolean,
  kernels: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const missing = new Set<number>();
  for (let i = 0; i < edges.length; i += 2) {
    if (!isUndefined(edges[i + 1]!)) continue;
    addCallee(found, edges[i]!, edges[i + 1]!);
    missing.add(edges[i + 1]!);
  }
  if (kernels.length === 0 || missing.size === 0) return found;
  const called = new Map(kernels.map((kernel) => [kernel, new Set(found.get(kernel))]));
  // Pairs of kernel and callee.
  const through: number[] = [];
  // For each function, the last undefined function that it was found to reach.
  const reaches = new Int32Array(first.length).fill(-1);
  let steps = 0;
  for (const callee of missing) {
    const open = [callee];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (let call = first[at]!; call !== 0; call = next[call - 1]!) {
        if (++steps > MAX_STEPS) return found;
        const caller = edges[call - 1]!;
        if (reaches[caller] === callee) continue;
        reaches[caller] = callee;
        if (called.get(caller)?.has(callee) === false) through.push(caller, callee);
        open.push(caller);
      }
  }
  for (let i = 0; i < through.length; i += 2) addCallee(found, through[i]!, through[i + 1]!);
  return found;
}

// ------------------------------------------------------------------------------------------------------------ addresses

type Pair<Other> = readonly [function_: number, other: Other];

/** Addresses of functions in a program. Functions are numbers; prototypes are of any type in which equal ones compare equal. */
export interface Addresses<Prototype> {
  /** Functions whose address is taken anywhere. */
  readonly taken: readonly number[];
  /** Pairs of a function and a function whose address its code takes. */
  readonly uses: readonly Pair<number>[];
  /** Pairs of a function and a prototype that it calls through a register. */
  readonly indirect: readonly Pair<Prototype>[];
  /** The prototype of a function whose address is taken; undefined for kernels. */
  readonly prototypeOf: (taken: number) => Prototype | undefined;
}

/**
 * Edges for calls and for taken addresses. A call through a register leads, by way of the node `anywhere`, to all functions whose
 * address is taken.
 */
export function withAddresses(direct: Edges, { taken, uses, indirect }: Addresses<unknown>, anywhere: number): Edges {
  return joined(direct, [
    ...taken.flatMap((target) => [anywhere, target]),
    ...uses.flat(),
    ...indirect.flatMap(([caller]) => [caller, anywhere]),
  ]);
}

/**
 * The calls; a call through a register leads to the functions of its prototype whose address is taken. `count`: number of
 * functions.
 */
export function callsByPrototype<Prototype>(
  direct: Edges,
  { taken, indirect, prototypeOf }: Addresses<Prototype>,
  count: number,
): Calls {
  const nodes = new Map<Prototype, number>();
  const node = (prototype: Prototype): number => {
    const known = nodes.get(prototype) ?? count + nodes.size;
    nodes.set(prototype, known);
    return known;
  };
  const calls = indirect.flatMap(([caller, prototype]) => [caller, node(prototype)]);
  const targets = (calls.length === 0 ? [] : taken).flatMap((target) => {
    const prototype = prototypeOf(target);
    return prototype === undefined ? [] : [node(prototype), target];
  });
  return createCalls(count + nodes.size, joined(direct, [...calls, ...targets]));
}

function joined(edges: Edges, more: readonly number[]): Edges {
  if (more.length === 0) return edges;
  const all = new Int32Array(edges.length + more.length);
  all.set(edges);
  all.set(more, edges.length);
  return all;
}
