// Computes which kernel reaches which shared variable, over the graph that link/layout/shared-memory.ts builds from columns.
// Layout needs only, for each node, the first kernel that reaches it and whether another does. So a walk from each kernel passes
// only nodes that at most one kernel has passed before, and all walks together are linear in references. Recursion needs no
// special treatment. Rejected: a list of variables for each kernel, which has kernels times variables entries if all reach all.

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
  /** For each node, the first kernel that reaches it, and the second; -1 for none. */
  readonly firstKernel: Int32Array;
  readonly secondKernel: Int32Array;
  /** The shared variables that a kernel reaches, ascending, always including those of its own body; each call walks the graph. */
  readonly variablesOf: (kernel: number) => readonly number[];
  /** For each node, the largest of the given positive values of variables that it reaches; 0 if it reaches none. */
  readonly largestOf: (values: readonly (readonly [variable: number, value: number])[]) => Float64Array;
  /** The shared variables that code names, including code that no kernel reaches. */
  readonly named: ReadonlySet<number>;
  /** Functions that a kernel reaches and whose code names dynamic shared memory; in the order of kernels, near ones first. */
  readonly dynamicUsers: readonly number[];
  /** For each kernel whose body declares shared variables: these variables, used or not, in nvlink's order. */
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
      // If two kernels reach a function, both reach everything beyond it.
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
  // Number of the last walk that visited each node.
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
