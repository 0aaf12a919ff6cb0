// The dominator tree, compared with the definition: without the dominator, a block is unreachable.

import test from "ava";
import { edgesOf, findDominance } from "../../../lib/nvvm/verify/dominance.js";

type Graph = readonly (readonly number[])[];

const dominanceOf = (to: Graph): ReturnType<typeof findDominance> =>
  findDominance(edgesOf(to.map((targets) => targets.map((index) => ({ index })))));

function reachable(to: Graph, without = -1): ReadonlySet<number> {
  const seen = new Set<number>(without === 0 ? [] : [0]);
  for (const block of seen) for (const target of to[block]!) if (target !== without) seen.add(target);
  return seen;
}

/** Random numbers, the same on every run. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

test("in random graphs, a block dominates exactly those that are unreachable without it", (t) => {
  const next = createNumbers(7);
  for (let round = 0; round < 400; round++) {
    const count = 1 + next(12);
    const graph = Array.from({ length: count }, () => Array.from({ length: next(3) }, () => next(count)));
    const dominance = dominanceOf(graph);
    const all = reachable(graph);
    for (let a = 0; a < count; a++) {
      t.is(dominance.isReachable(a), all.has(a));
      const left = reachable(graph, a);
      for (let b = 0; b < count; b++)
        t.is(dominance.dominates(a, b), all.has(a) && all.has(b) && (a === b || !left.has(b)), `${a} ${b}`);
    }
  }
});

test("a chain of 200,000 blocks, and a ladder of back edges, are analysed in linear time", (t) => {
  const count = 200_000;
  const chain = Array.from({ length: count }, (_, i) => (i + 1 < count ? [i + 1] : []));
  t.true(dominanceOf(chain).dominates(0, count - 1));
  const ladder = Array.from({ length: count }, (_, i) => (i + 1 < count ? [i + 1, count - 1 - (i >> 1)] : []));
  t.true(dominanceOf(ladder).isReachable(count - 1));
});
