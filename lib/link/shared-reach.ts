// Which kernel reaches which shared variable, over columns that callgraph.ts and plain/shared.ts fill: a walk from each kernel
// over what leads to shared memory. Recursion needs no care: a walk marks what it has seen.
// Linear in references, except for the walks, each of which visits only what leads to shared memory.

import { createCalls, spreadMost, type Addresses, type Edges } from "../object/reached-facts.js";

/** Who names and calls whom; functions and variables by number. */
export interface SharedProgram<Prototype> {
  /** The numbers are below it. */
  readonly count: number;
  /** Function, and what it names or calls, one behind the other. */
  readonly edges: Edges;
  /** Of each number: 1 for shared variables, 2 for dynamic memory, else 0. */
  readonly shared: Uint8Array;
  /** Kernels with code, ascending. */
  readonly kernels: readonly number[];
  /** For each kernel of which a definition declares shared variables in its body: these, used or not, in nvlink's order. */
  readonly bodies: ReadonlyMap<number, readonly number[]>;
  readonly addresses: Pick<Addresses<Prototype>, "taken" | "indirect" | "prototypeOf">;
}

/** In a program's `shared`. */
export const SHARED = { static: 1, dynamic: 2 } as const;

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

export function reachShared<Prototype>(program: SharedProgram<Prototype>): SharedUses {
  const { shared, kernels, bodies } = program;
  const { edges, leading } = withIndirectCalls(program);
  const named = new Set<number>();
  const namesDynamic = new Uint8Array(program.count);
  for (let i = 0; i < edges.length; i += 2) {
    const to = edges[i + 1]!;
    if (shared[to] === 0) continue;
    named.add(to);
    if (shared[to] === SHARED.dynamic) namesDynamic[edges[i]!] = 1;
  }
  const byKernel = new Map<number, readonly number[]>();
  const dynamicUsers = new Map<number, number[]>();
  const walk = createWalk(edges, leading);
  for (const kernel of kernels) {
    const variables: number[] = [];
    for (const at of walk(kernel)) {
      if (shared[at] !== 0) variables.push(at);
      if (namesDynamic[at] !== 0) listIn(dynamicUsers, at).push(kernel);
    }
    byKernel.set(
      kernel,
      variables.sort((a, b) => a - b),
    );
  }
  return { byKernel, named, dynamicUsers, bodies };
}

/** The edges with those of calls through registers, and 1 for all from which a shared variable can be reached. */
function withIndirectCalls<Prototype>({ count, edges, shared, addresses }: SharedProgram<Prototype>) {
  const own = Uint8Array.from(shared, (kind) => (kind === 0 ? 0 : 1));
  const leadingOver = (all: Edges): Uint8Array => spreadMost(createCalls(count, all), own);
  const leading = leadingOver(edges);
  const { taken, indirect, prototypeOf } = addresses;
  if (taken.length === 0 || indirect.length === 0) return { edges, leading };
  const functions = [...new Set(taken)].flatMap((at) => {
    const prototype = prototypeOf(at);
    return prototype === undefined ? [] : [{ at, prototype }];
  });
  // A function that is called through a register may lead to shared memory only by such a call of its own.
  const added: number[] = [];
  for (let [now, known] = [{ edges, leading }, 0]; ;) {
    const callable = new Map<Prototype, number[]>();
    const leadingNow = functions.filter(({ at }) => now.leading[at] !== 0);
    if (leadingNow.length === known) return now;
    known = leadingNow.length;
    for (const { at, prototype } of leadingNow) listIn(callable, prototype).push(at);
    for (const [caller, prototype] of indirect)
      for (const callee of callable.get(prototype) ?? []) added.push(caller, callee);
    const all = new Int32Array(edges.length + added.length);
    all.set(edges);
    all.set(added, edges.length);
    now = { edges: all, leading: leadingOver(all) };
  }
}

/** What can be reached inside `leading` from somewhere, the near ones first. */
function createWalk(edges: Edges, leading: Uint8Array): (start: number) => readonly number[] {
  // What each leads to is from its place in `first` on, up to that of the next.
  const first = new Int32Array(leading.length + 1);
  const isInside = (i: number): boolean => leading[edges[i]!] !== 0 && leading[edges[i + 1]!] !== 0;
  for (let i = 0; i < edges.length; i += 2) if (isInside(i)) first[edges[i]! + 1]!++;
  for (let at = 0; at < leading.length; at++) first[at + 1]! += first[at]!;
  const next = new Int32Array(first[leading.length]!);
  const filled = first.slice();
  for (let i = 0; i < edges.length; i += 2) if (isInside(i)) next[filled[edges[i]!]!++] = edges[i + 1]!;
  // The start of the last walk that came by.
  const seen = new Int32Array(leading.length).fill(-1);
  return (start) => {
    seen[start] = start;
    const reached = [start];
    for (const at of reached)
      for (let i = first[at]!; i < first[at + 1]!; i++) {
        const to = next[i]!;
        if (seen[to] === start) continue;
        seen[to] = start;
        reached.push(to);
      }
    return reached;
  };
}

export function listIn<Key, Value>(lists: Map<Key, Value[]>, key: Key): Value[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const made: Value[] = [];
  lists.set(key, made);
  return made;
}
