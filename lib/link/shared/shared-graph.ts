// The references that lead to shared memory, as a graph that shared-reach.ts and shared-regions.ts walk. Functions and variables
// are nodes by number. After them comes a node for each prototype of calls through a register, between such calls and the
// functions that they may reach, so that there are not as many edges as calls times functions.

import {
  createCalls,
  largestAmongCallees,
  type Addresses,
  type Calls,
  type Edges,
} from "../../object/attributes/reached-properties.js";

/** The references between functions and variables, by number. */
export interface SharedProgram<Prototype> {
  /** Upper bound of the numbers. */
  readonly count: number;
  /** Pairs of a function and a symbol that it names or calls. */
  readonly edges: Edges;
  /** 1 for shared variables, 2 for dynamic memory, otherwise 0. */
  readonly shared: Uint8Array;
  /** Kernels with code, ascending. */
  readonly kernels: readonly number[];
  /** For each kernel whose body declares shared variables: these variables, used or not, in nvlink's order. */
  readonly bodies: ReadonlyMap<number, readonly number[]>;
  readonly addresses: Pick<Addresses<Prototype>, "taken" | "indirect" | "prototypeOf">;
}

/** Values in a program's `shared`. */
export const SHARED = { static: 1, dynamic: 2 } as const;

export interface SharedGraph {
  /** Nodes below `count` are functions and variables; nodes from it on are prototypes. */
  readonly count: number;
  /** Number of all nodes, including prototypes. */
  readonly nodes: number;
  /** The successors of node `at` that lead to shared memory are in `next` from `first[at]` up to `first[at + 1]`. */
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly callers: Calls;
}

export function sharedGraph<Prototype>(program: SharedProgram<Prototype>): SharedGraph {
  const { count, shared } = program;
  const { edges, nodes } = withPrototypes(program);
  const callers = createCalls(nodes, edges);
  const own = new Uint8Array(nodes);
  for (let at = 0; at < count; at++) if (shared[at] !== 0) own[at] = 1;
  return { count, nodes, callers, ...outgoing(edges, largestAmongCallees(callers, own)) };
}

/** The edges, including those of calls through registers. */
function withPrototypes<Prototype>({ count, edges, addresses }: SharedProgram<Prototype>) {
  const { taken, indirect, prototypeOf } = addresses;
  if (taken.length === 0 || indirect.length === 0) return { edges, nodes: count };
  const nodes = new Map<Prototype, number>();
  const added: number[] = [];
  for (const [caller, prototype] of indirect) {
    const node = nodes.get(prototype) ?? count + nodes.size;
    nodes.set(prototype, node);
    added.push(caller, node);
  }
  for (const function_ of new Set(taken)) {
    const prototype = prototypeOf(function_);
    const node = prototype === undefined ? undefined : nodes.get(prototype);
    if (node !== undefined) added.push(node, function_);
  }
  const all = new Int32Array(edges.length + added.length);
  all.set(edges);
  all.set(added, edges.length);
  return { edges: all, nodes: count + nodes.size };
}

/** The edges between nodes in `leading`, grouped by source. */
function outgoing(edges: Edges, leading: Uint8Array): Pick<SharedGraph, "first" | "next"> {
  const first = new Int32Array(leading.length + 1);
  const isInside = (i: number): boolean => leading[edges[i]!] !== 0 && leading[edges[i + 1]!] !== 0;
  for (let i = 0; i < edges.length; i += 2) if (isInside(i)) first[edges[i]! + 1]!++;
  for (let at = 0; at < leading.length; at++) first[at + 1]! += first[at]!;
  const next = new Int32Array(first[leading.length]!);
  const filled = first.slice();
  for (let i = 0; i < edges.length; i += 2) if (isInside(i)) next[filled[edges[i]!]!++] = edges[i + 1]!;
  return { first, next };
}

/**
 * The nodes reachable from the starts through nodes for which `enters` returns true; it is called at each visit. Breadth first; a
 * call through a register counts as one step. Prototypes are visited, but returned only as starts.
 */
export function walkShared(
  { count, first, next }: SharedGraph,
  starts: readonly number[],
  enters: (at: number) => boolean,
): readonly number[] {
  const reached = starts.filter(enters);
  const follow = (at: number): void => {
    for (let i = first[at]!; i < first[at + 1]!; i++) {
      const to = next[i]!;
      if (!enters(to)) continue;
      if (to < count) reached.push(to);
      else follow(to);
    }
  };
  for (const at of reached) follow(at);
  return reached;
}

/** For each node, the largest of the positive values of the variables that it reaches; 0 if it reaches none. */
export function largestReached(
  { callers: { edges, first, next }, nodes }: SharedGraph,
  values: readonly (readonly [variable: number, value: number])[],
): Float64Array {
  const largest = new Float64Array(nodes);
  // Process the largest values first, so that each node is assigned once.
  for (const [variable, value] of values.toSorted(([, a], [, b]) => b - a)) {
    if (largest[variable] !== 0) continue;
    largest[variable] = value;
    const open = [variable];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (let call = first[at]!; call !== 0; call = next[call - 1]!) {
        const caller = edges[call - 1]!;
        if (largest[caller] !== 0) continue;
        largest[caller] = value;
        open.push(caller);
      }
  }
  return largest;
}
