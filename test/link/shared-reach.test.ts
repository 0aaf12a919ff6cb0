// Compares the kernels that reach each shared variable with lists made kernel by kernel, and checks that the data stays
// small if all kernels reach all variables.

import fc from "fast-check";
import test from "ava";
import { groupKernels } from "../../lib/link/shared/shared-groups.js";
import { SHARED, type SharedProgram } from "../../lib/link/shared/shared-graph.js";
import { reachShared } from "../../lib/link/shared/shared-reach.js";
import { fillRegions, findRivals } from "../../lib/link/shared/shared-regions.js";

type Pair = readonly [from: number, to: number];

const [KERNELS, FUNCTIONS, VARIABLES] = [5, 8, 6];
const COUNT = KERNELS + FUNCTIONS + VARIABLES;
const range = (from: number, count: number): readonly number[] => Array.from({ length: count }, (_, i) => from + i);
const kernel = fc.nat({ max: KERNELS - 1 });
const code = fc.nat({ max: KERNELS + FUNCTIONS - 1 });
const called = fc.integer({ min: KERNELS, max: KERNELS + FUNCTIONS - 1 });
const variable = fc.integer({ min: KERNELS + FUNCTIONS, max: COUNT - 1 });

/** Indices: kernels, then functions, then shared variables, of which the first two are dynamic memory. */
const programOf = (
  pairs: readonly Pair[],
  taken: readonly number[],
  indirect: readonly Pair[],
): SharedProgram<number> => ({
  count: COUNT,
  edges: Int32Array.from(pairs.flat()),
  shared: Uint8Array.from({ length: COUNT }, (_, at) => {
    const rank = at - KERNELS - FUNCTIONS;
    return rank < 0 ? 0 : rank < 2 ? SHARED.dynamic : SHARED.static;
  }),
  kernels: range(0, KERNELS),
  bodies: new Map(),
  addresses: { taken, indirect, prototypeOf: (at) => at % 2 },
});

const programs = fc
  .record({
    pairs: fc.array(fc.oneof(fc.tuple(code, called), fc.tuple(code, variable), fc.tuple(kernel, called)), {
      maxLength: 30,
    }),
    taken: fc.array(called, { maxLength: 3 }),
    indirect: fc.array(fc.tuple(code, fc.nat({ max: 1 })), { maxLength: 3 }),
  })
  .map(({ pairs, taken, indirect }) => programOf(pairs, taken, indirect));

/** All that a kernel reaches, by iteration to a fixed point. */
function reachedBy(
  { edges, addresses: { taken, indirect } }: SharedProgram<number>,
  start: number,
): ReadonlySet<number> {
  const reached = new Set([start]);
  for (let before = 0; before !== reached.size;) {
    before = reached.size;
    for (let i = 0; i < edges.length; i += 2) if (reached.has(edges[i]!)) reached.add(edges[i + 1]!);
    for (const [caller, prototype] of indirect)
      if (reached.has(caller)) for (const at of taken) if (at % 2 === prototype) reached.add(at);
  }
  return reached;
}

test("kernels, regions and groups equal those from per-kernel lists", (t) => {
  fc.assert(
    fc.property(programs, (program) => {
      const uses = reachShared(program);
      const reached = program.kernels.map((at) => reachedBy(program, at));
      const variables = range(KERNELS + FUNCTIONS, VARIABLES);
      const kernelsOf = (at: number): readonly number[] => program.kernels.filter((each) => reached[each]!.has(at));
      for (const each of program.kernels)
        t.deepEqual(
          uses.variablesOf(each),
          variables.filter((at) => reached[each]!.has(at)),
        );
      for (const at of variables) {
        const [first = -1, second] = kernelsOf(at);
        t.is(uses.firstKernel[at], first);
        t.is(uses.secondKernel[at] === -1, second === undefined);
      }

      const common = variables.filter((at) => kernelsOf(at).length !== 1);
      const regions: number[][] = [];
      for (const at of common) {
        const own = kernelsOf(at);
        const isFree = (region: readonly number[]): boolean =>
          region.every((other) => !kernelsOf(other).some((each) => own.includes(each)));
        const free = regions.find(isFree);
        if (free === undefined) regions.push([at]);
        else free.push(at);
      }
      t.deepEqual(
        fillRegions(
          common.map((symbol) => ({ symbol })),
          uses,
        ).map((region) => region.map(({ symbol }) => symbol)),
        regions,
      );

      const users = range(0, KERNELS + FUNCTIONS).filter((at) =>
        program.edges.some(
          (to, i) => i % 2 === 1 && program.edges[i - 1] === at && program.shared[to] === SHARED.dynamic,
        ),
      );
      t.deepEqual(
        uses.dynamicUsers.toSorted((a, b) => a - b),
        users.filter((at) => kernelsOf(at).length > 0),
      );
      const groupOf = program.kernels.map((each) => new Set([each]));
      for (const at of users)
        for (const one of kernelsOf(at))
          for (const other of kernelsOf(at)) {
            const all = new Set([...groupOf[one]!, ...groupOf[other]!]);
            for (const each of all) groupOf[each] = all;
          }
      t.deepEqual(
        groupKernels(uses).map((group) => group.toSorted((a, b) => a - b)),
        [...new Set(groupOf)].map((group) => [...group].sort((a, b) => a - b)),
      );
    }),
    { numRuns: 300 },
  );
});

/** Kernels, functions and variables of that number, and a variable of each kernel's own. */
function many(count: number, edgesOf: (i: number) => readonly Pair[]): SharedProgram<number> {
  const own = range(0, count).map((i): Pair => [i, 3 * count + i]);
  const shared = new Uint8Array(4 * count).fill(SHARED.static, 2 * count);
  const edges = Int32Array.from([...own, ...range(0, count).flatMap(edgesOf)].flat());
  const addresses = { taken: range(count, count), indirect: [], prototypeOf: () => 0 };
  return { count: 4 * count, edges, shared, kernels: range(0, count), bodies: new Map(), addresses };
}

const N = 2000;
/** References of kernel, function and variable i. */
const shapes: Readonly<Record<string, SharedProgram<number>>> = {
  "one function names all": many(N, (i) => [
    [i, N],
    [N, 2 * N + i],
  ]),
  "two functions name all": many(N, (i) => [
    [i, N],
    [i, N + 1],
    [N + (i % 2), 2 * N + i],
  ]),
  "each function calls the next one": many(N, (i) => [
    [i, N + i],
    [N + i, 2 * N + i],
    [N + i, Math.min(N + i + 1, 2 * N - 1)],
  ]),
  "each function calls the one before": many(N, (i) => [
    [i, N + i],
    [N + i, 2 * N + i],
    [N + i, Math.max(N + i - 1, N)],
  ]),
  "functions go round": many(N, (i) => [
    [i, N + i],
    [N + i, 2 * N + i],
    [N + i, N + ((i + 1) % N)],
  ]),
  "all are called through registers": {
    ...many(N, (i) => [[N + i, 2 * N + i]]),
    addresses: {
      taken: range(N, N),
      indirect: range(0, N).map((i): Pair => [i, 0]),
      prototypeOf: () => 0,
    },
  },
};

for (const [what, program] of Object.entries(shapes))
  test(`${N} kernels that reach the same ${N} variables, ${what}, are one rival`, (t) => {
    const uses = reachShared(program);
    const rivals = findRivals(uses);
    t.is(rivals.length, 1);
    t.true(rivals[0]!.length <= 2 * N + 2);
    t.true(uses.graph.next.length <= 5 * N);
    t.is(uses.variablesOf(0).length, what === "each function calls the one before" ? 2 : N + 1);
  });
