// Which kernel reaches which shared variable, over columns that link/layout/shared-memory.ts fills. What layout asks is of
// each node the first kernel that reaches it and whether another does: a walk from each kernel goes over what at most one has
// been through before, so that all walks together are linear in references. Recursion needs no care.
// Rejected: the list of variables of each kernel, which has as many entries as kernels times variables where all reach all.

import {
  largestReached,
  sharedGraph,
  SHARED,
  walkShared,
  type SharedGraph,
  type SharedProgram,
} from "./shared-graph.js";

export interface SharedUses {
  readonly graph: SharedGraph;
  /** Kernels with code, ascending. */
  readonly kernels: readonly number[];
  /** Of each node the first kernel that reaches it, and the next one; -1 where there is none. */
  readonly firstKernel: Int32Array;
  readonly secondKernel: Int32Array;
  /** The shared variables that a kernel reaches, those of its own body always among them, ascending; a walk for each call. */
  readonly variablesOf: (kernel: number) => readonly number[];
  /** For each node, the largest of the given positive values of variables that it reaches; 0 if it reaches none. */
  readonly largestOf: (values: readonly (readonly [variable: number, value: number])[]) => Float64Array;
  /** The shared variables that code names; some may be in functions that no kernel reaches. */
  readonly named: ReadonlySet<number>;
  /** The functions that a kernel reaches and whose code names dynamic shared memory; the first kernel's first, the near ones first. */
  readonly dynamicUsers: readonly number[];
  /** For each kernel of which a definition declares shared variables in its body: these, used or not, in nvlink's order. */
  readonly bodies: ReadonlyMap<number, readonly number[]>;
}

export function reachShared<Prototype>(program: SharedProgram<Prototype>): SharedUses {
  const { count, edges, shared, kernels, bodies } = program;
  const named = new Set<number>();
  const namesDynamic = new Uint8Array(count);
  for (let i = 0; i < edges.length; i += 2) {
    const to = edges[i + 1]!;
    if (shared[to] === 0) continue;
    named.add(to);
    if (shared[to] === SHARED.dynamic) namesDynamic[edges[i]!] = 1;
  }
  const graph = sharedGraph(program);
  const firstKernel = new Int32Array(graph.nodes).fill(-1);
  const secondKernel = firstKernel.slice();
  const dynamicUsers: number[] = [];
  for (const kernel of kernels)
    walkShared(graph, [kernel], (at) => {
      if (firstKernel[at] === -1) {
        firstKernel[at] = kernel;
        if (namesDynamic[at] === 1) dynamicUsers.push(at);
        return true;
      }
      // Everything reachable from a function with two kernels has two already.
      if (firstKernel[at] === kernel || secondKernel[at] !== -1) return false;
      secondKernel[at] = kernel;
      return true;
    });
  return {
    graph,
    kernels,
    firstKernel,
    secondKernel,
    variablesOf: createVariablesOf(graph, shared),
    largestOf: (values) => largestReached(graph, values),
    named,
    dynamicUsers,
    bodies,
  };
}

function createVariablesOf(graph: SharedGraph, shared: Uint8Array): SharedUses["variablesOf"] {
  // The walk that came by last.
  const seen = new Int32Array(graph.nodes);
  let walks = 0;
  return (kernel) => {
    walks++;
    const enters = (at: number): boolean => seen[at] !== walks && (seen[at] = walks) > 0;
    return walkShared(graph, [kernel], enters)
      .filter((at) => shared[at] !== 0)
      .sort((a, b) => a - b);
  };
}
