// The dominator tree of a body (Lengauer and Tarjan 1979, the simple version with path compression), queried by depth-first
// numbers.

export interface Dominance {
  isReachable(block: number): boolean;
  /** Whether every path from the entry to `to` passes `from`; a block dominates itself. */
  dominates(from: number, to: number): boolean;
}

/**
 * Edges of a body's blocks in two arrays: the blocks that follow block b are `to[toStart[b]]` up to `to[toStart[b + 1] - 1]`, and
 * its predecessors are in `from` in the same way.
 */
export interface Edges {
  readonly count: number;
  readonly toStart: Int32Array;
  readonly to: Int32Array;
  readonly fromStart: Int32Array;
  readonly from: Int32Array;
}

/** The edges of blocks by the blocks that follow each. */
export function edgesOf(lists: readonly (readonly { readonly index: number }[])[]): Edges {
  const count = lists.length;
  const toStart = new Int32Array(count + 1);
  for (let block = 0; block < count; block++) toStart[block + 1] = toStart[block]! + lists[block]!.length;
  const to = new Int32Array(toStart[count]!);
  // Counted two places further on, so that the next loop turns starts into ends, which are the starts of the next ones.
  const starts = new Int32Array(count + 2);
  let at = 0;
  for (const list of lists)
    for (const { index } of list) {
      to[at++] = index;
      starts[index + 2]!++;
    }
  for (let block = 2; block <= count; block++) starts[block]! += starts[block - 1]!;
  const from = new Int32Array(to.length);
  for (let block = 0; block < count; block++)
    for (let i = toStart[block]!; i < toStart[block + 1]!; i++) from[starts[to[i]! + 1]!++] = block;
  return { count, toStart, to, fromStart: starts, from };
}

export function findDominance(edges: Edges): Dominance {
  const { count, toStart, to } = edges;
  // Depth-first numbers from 1; 0 marks an unreachable block.
  const number = new Int32Array(count);
  const vertex = new Int32Array(count + 1);
  const parent = new Int32Array(count + 1);
  const next = toStart.slice();
  const stack = new Int32Array(count);
  let last = 0;
  let depth = 0;
  if (count > 0) {
    number[0] = ++last;
    stack[depth++] = 0;
  }
  while (depth > 0) {
    const block = stack[depth - 1]!;
    if (next[block]! === toStart[block + 1]!) {
      depth--;
      continue;
    }
    const target = to[next[block]!++]!;
    if (number[target] !== 0) continue;
    number[target] = ++last;
    vertex[last] = target;
    parent[last] = number[block]!;
    stack[depth++] = target;
  }
  return intervals(number, immediateDominators(edges, number, vertex, parent, last), last);
}

/** By depth-first number; of 1 it is 0. */
function immediateDominators(
  { fromStart, from }: Edges,
  number: Int32Array,
  vertex: Int32Array,
  parent: Int32Array,
  last: number,
): Int32Array {
  const semi = new Int32Array(last + 1);
  for (let at = 1; at <= last; at++) semi[at] = at;
  const label = semi.slice();
  const ancestor = new Int32Array(last + 1);
  const idom = new Int32Array(last + 1);
  // A bucket is a chain: its first block, and of each block the next one; 0 ends it.
  const bucket = new Int32Array(last + 1);
  const chain = new Int32Array(last + 1);
  const path: number[] = [];

  function lowest(at: number): number {
    if (ancestor[at] === 0) return label[at]!;
    let above = at;
    while (ancestor[ancestor[above]!] !== 0) {
      path.push(above);
      above = ancestor[above]!;
    }
    while (path.length > 0) {
      const one = path.pop()!;
      const up = ancestor[one]!;
      if (semi[label[up]!]! < semi[label[one]!]!) label[one] = label[up]!;
      ancestor[one] = ancestor[up]!;
    }
    return label[at]!;
  }

  for (let at = last; at >= 2; at--) {
    const block = vertex[at]!;
    for (let i = fromStart[block]!; i < fromStart[block + 1]!; i++) {
      const before = number[from[i]!]!;
      if (before > 0) semi[at] = Math.min(semi[at]!, semi[lowest(before)]!);
    }
    chain[at] = bucket[semi[at]!]!;
    bucket[semi[at]!] = at;
    const above = parent[at]!;
    ancestor[at] = above;
    for (let one = bucket[above]!; one !== 0; one = chain[one]!) {
      const low = lowest(one);
      idom[one] = semi[low]! < semi[one]! ? low : above;
    }
    bucket[above] = 0;
  }
  for (let at = 2; at <= last; at++) if (idom[at] !== semi[at]) idom[at] = idom[idom[at]!]!;
  return idom;
}

/** Preorder interval of each block in the tree: its own number and the last one below it. */
function intervals(number: Int32Array, idom: Int32Array, last: number): Dominance {
  // Children have higher numbers than their parent: sizes add up from the back, and positions follow from the front.
  const size = new Int32Array(last + 1).fill(1);
  for (let at = last; at >= 2; at--) size[idom[at]!]! += size[at]!;
  const first = new Int32Array(last + 1);
  const free = new Int32Array(last + 1);
  for (let at = 1; at <= last; at++) {
    const above = idom[at]!;
    first[at] = above === 0 ? 0 : free[above]!;
    if (above !== 0) free[above]! += size[at]!;
    free[at] = first[at]! + 1;
  }
  return {
    isReachable: (block) => number[block] !== 0,
    dominates(from, to) {
      const [a, b] = [number[from]!, number[to]!];
      return a !== 0 && b !== 0 && first[b]! >= first[a]! && first[b]! < first[a]! + size[a]!;
    },
  };
}
