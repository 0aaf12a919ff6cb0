// Dominators and iterated dominance frontiers, compared with their definitions on random graphs, and with a budget on graphs that
// make simple algorithms quadratic.

import fc from "fast-check";
import test from "ava";
import { rounds } from "../../sample.js";
import { createFrontiers, immediateDominators, type Graph } from "../../../lib/nvvm/lower/dominators.js";

/** Nodes that are reached from the entry without going through `without`. */
function reached(successors: Graph["successors"], without = -1): ReadonlySet<number> {
  const found = new Set<number>();
  const work = without === 0 ? [] : [0];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (found.has(node) || node === without) continue;
    found.add(node);
    work.push(...successors[node]!);
  }
  return found;
}

function graphOf(successors: Graph["successors"]): Graph {
  const predecessors: number[][] = successors.map(() => []);
  for (const node of reached(successors)) for (const target of successors[node]!) predecessors[target]!.push(node);
  return { successors, predecessors };
}

const treeOf = (dominators: Int32Array): readonly (readonly number[])[] =>
  Array.from(dominators, (_, node) =>
    [...dominators.keys()].filter((other) => other !== 0 && dominators[other] === node),
  );

const graphs = fc
  .integer({ min: 1, max: 12 })
  .chain((count) =>
    fc
      .array(fc.uniqueArray(fc.nat(count - 1), { maxLength: 3 }), { minLength: count, maxLength: count })
      .chain((successors) => fc.tuple(fc.constant(successors), fc.uniqueArray(fc.nat(count - 1), { maxLength: 4 }))),
  );

test("dominators and frontiers are what their definitions say", (t) => {
  fc.assert(
    fc.property(graphs, ([successors, wanted]) => {
      const graph = graphOf(successors);
      const live = reached(successors);
      const dominates = successors.map((_, node) => {
        const others = reached(successors, node);
        return new Set([...live].filter((other) => !others.has(other)));
      });
      const dominators = immediateDominators(graph);
      for (const node of successors.keys()) {
        if (!live.has(node)) t.is(dominators[node], -1);
        else if (node === 0) t.is(dominators[0], 0);
        else {
          // Of a node's strict dominators, the immediate one is dominated by all.
          const strict = [...live].filter((other) => other !== node && dominates[other]!.has(node));
          t.is(
            dominators[node],
            strict.find((one) => strict.every((other) => dominates[other]!.has(one)))!,
          );
        }
      }
      const writers = wanted.filter((node) => live.has(node));
      const meets = new Set<number>();
      for (let size = -1; size !== meets.size;) {
        size = meets.size;
        for (const writer of [...writers, ...meets])
          for (const node of live)
            if (
              graph.predecessors[node]!.some((before) => dominates[writer]!.has(before)) &&
              (writer === node || !dominates[writer]!.has(node))
            )
              meets.add(node);
      }
      const frontiers = createFrontiers(graph, dominators, treeOf(dominators));
      t.deepEqual([...frontiers(writers)].sort(), [...meets].sort());
      // A second search does not see marks of the first.
      t.deepEqual([...frontiers(writers)].sort(), [...meets].sort());
    }),
    { numRuns: rounds(2000, 200) },
  );
});

test("chains, nested loops and irreducible ladders of 50,000 nodes take linear work", (t) => {
  const count = 50_000;
  const shapes: Readonly<Record<string, (node: number) => readonly number[]>> = {
    chain: (node) => [node + 1, count - 1],
    nest: (node) => (node < count / 2 ? [node + 1] : [count - 1 - node, node + 1]),
    ladder: (node) => (node === 0 ? [1, count - 2] : [node + 1, node - 1]),
  };
  for (const [name, of] of Object.entries(shapes)) {
    const successors = Array.from({ length: count }, (_, node) => (node === count - 1 ? [] : of(node)));
    let reads = 0;
    const began = process.cpuUsage();
    const counted = successors.map(
      (targets) =>
        new Proxy(targets, {
          get(list, key) {
            if (key !== "length") reads++;
            return Reflect.get(list, key) as unknown;
          },
        }),
    );
    const { predecessors } = graphOf(successors);
    const graph = { successors: counted, predecessors };
    const dominators = immediateDominators(graph);
    const dominated: number[][] = successors.map(() => []);
    for (let node = 1; node < count; node++) dominated[dominators[node]!]!.push(node);
    createFrontiers(graph, dominators, dominated)(successors.keys());
    t.true(reads < 20 * count, `${name}: ${reads} reads`);
    const { user } = process.cpuUsage(began);
    t.true(user < 5e6, `${name}: ${user / 1e6} s`);
  }
});
