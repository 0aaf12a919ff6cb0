// Dominators and dominance frontiers of a graph whose entry is node 0. Immediate dominators are found by the SEMI-NCA algorithm
// (Georgiadis: "Linear-Time Algorithms for Dominators and Related Problems", 2005), iterated dominance frontiers by walking the
// dominator tree (Sreedhar, Gao: "A Linear Time Algorithm for Placing Phi-Nodes", 1995). Neither is quadratic in long chains or
// deeply nested loops.

export interface Graph {
  readonly successors: readonly (readonly number[])[];
  /** Of reachable nodes, the reachable ones. */
  readonly predecessors: readonly (readonly number[])[];
}

/** The immediate dominator of each reachable node; for the entry, itself; -1 for others. */
export function immediateDominators({ successors, predecessors }: Graph): Int32Array {
  const count = successors.length;
  /** Nodes in preorder, and the position of each. From here on, nodes are named by their positions. */
  const { nodes, position, parent } = preorderOf(successors);
  const dominator = Int32Array.from(parent);
  const semi = Int32Array.from(nodes, (_, i) => i);
  const label = Int32Array.from(semi);
  const path: number[] = [];
  /** The node of the least semidominator on the path from `node` to the root of its tree, among nodes from `linked` on. */
  const evaluate = (node: number, linked: number): number => {
    if (parent[node]! < linked) return label[node]!;
    let at = node;
    do {
      path.push(at);
      at = parent[at]!;
    } while (parent[at]! >= linked);
    for (let above = at; path.length > 0; above = at) {
      at = path.pop()!;
      parent[at] = parent[above]!;
      if (semi[label[above]!]! < semi[label[at]!]!) label[at] = label[above]!;
    }
    return label[node]!;
  };
  for (let node = nodes.length - 1; node > 0; node--) {
    let least = parent[node]!;
    for (const before of predecessors[nodes[node]!]!) {
      const found = semi[evaluate(position[before]!, node + 1)]!;
      if (found < least) least = found;
    }
    semi[node] = least;
  }
  const result = new Int32Array(count).fill(-1);
  if (nodes.length > 0) result[nodes[0]!] = nodes[0]!;
  for (let node = 1; node < nodes.length; node++) {
    let above = dominator[node]!;
    while (above > semi[node]!) above = dominator[above]!;
    dominator[node] = above;
    result[nodes[node]!] = nodes[above]!;
  }
  return result;
}

/** The nodes that a depth-first search reaches in preorder, with their positions and parents in it. */
function preorderOf(successors: Graph["successors"]): {
  readonly nodes: readonly number[];
  readonly position: Int32Array;
  readonly parent: Int32Array;
} {
  const nodes: number[] = [];
  const parents: number[] = [];
  const position = new Int32Array(successors.length).fill(-1);
  const stack = [0];
  const next: number[] = [0];
  position[0] = 0;
  nodes.push(0);
  parents.push(0);
  while (stack.length > 0) {
    const node = stack.at(-1)!;
    const target = successors[node]![next[next.length - 1]!++];
    if (target === undefined) {
      stack.pop();
      next.pop();
    } else if (position[target]! < 0) {
      position[target] = nodes.length;
      nodes.push(target);
      parents.push(position[node]!);
      stack.push(target);
      next.push(0);
    }
  }
  return { nodes, position, parent: Int32Array.from(parents) };
}

/**
 * Finds iterated dominance frontiers: the nodes where values written in `writers` meet. `dominated` lists the nodes that each
 * immediately dominates.
 */
export function createFrontiers(
  { successors }: Graph,
  dominators: Int32Array,
  dominated: readonly (readonly number[])[],
): (writers: Iterable<number>) => ReadonlySet<number> {
  const levels = levelsOf(dominated);
  /** The last search that queued or visited a node. */
  const queued = new Int32Array(levels.length);
  const visited = new Int32Array(levels.length);
  let search = 0;
  return (writers) => {
    search++;
    const found = new Set<number>();
    /** Nodes by level, of which the deepest are taken first. */
    const queue: number[][] = [];
    const enqueue = (node: number): void => {
      if (queued[node] === search) return;
      queued[node] = search;
      (queue[levels[node]!] ??= []).push(node);
    };
    for (const writer of writers) enqueue(writer);
    for (let level = queue.length - 1; level >= 0; level--) {
      for (let root = queue[level]?.pop(); root !== undefined; root = queue[level]?.pop()) {
        const work = [root];
        visited[root] = search;
        for (let node = work.pop(); node !== undefined; node = work.pop()) {
          for (const target of successors[node]!) {
            if (levels[target]! > level || (target !== 0 && dominators[target] === node)) continue;
            found.add(target);
            enqueue(target);
          }
          for (const child of dominated[node]!) {
            if (visited[child] === search) continue;
            visited[child] = search;
            work.push(child);
          }
        }
      }
    }
    return found;
  };
}

/** The depth of each node in the dominator tree; 0 for unreachable ones. */
function levelsOf(dominated: readonly (readonly number[])[]): Int32Array {
  const levels = new Int32Array(dominated.length);
  const work = [0];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    for (const child of dominated[node]!) {
      levels[child] = levels[node]! + 1;
      work.push(child);
    }
  }
  return levels;
}
