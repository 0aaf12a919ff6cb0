// Parallel copies are put into an equivalent sequence, whatever their number.

import test from "ava";
import { ordered } from "../../../lib/nvvm/select/leave-ssa.js";
import type { Register, Scalar } from "../../../lib/nvvm/select/machine.js";
import { randomFrom } from "../../oracle/random.js";

const registers = (count: number): Register[] =>
  Array.from({ length: count }, (_, id) => ({
    kind: "register",
    class: "b32",
    id,
    mutable: false,
    zero: 32,
    sign: 32,
  }));

/** Runs the sequence on registers that hold their own numbers, and compares with the parallel copies. */
function check(sources: readonly number[]): { readonly right: boolean; readonly temporaries: number } {
  const own = registers(sources.length);
  const copies = sources.flatMap((source, i) => (source < 0 ? [] : [{ target: own[i]!, source: own[source]! }]));
  let temporaries = 0;
  const made = ordered(copies, (like) => ({ ...like, id: sources.length + temporaries++ }));
  const values = new Map<Scalar, number>(own.map((register, i) => [register, i]));
  for (const { target, source } of made) values.set(target, values.get(source)!);
  return { right: sources.every((source, i) => values.get(own[i]!) === (source < 0 ? i : source)), temporaries };
}

test("chains, swaps and cycles", (t) => {
  t.deepEqual(check([1, 2, 3, -1]), { right: true, temporaries: 0 });
  t.deepEqual(check([1, 0]), { right: true, temporaries: 1 });
  t.deepEqual(check([1, 2, 0, 0, 4, 6, 5]), { right: true, temporaries: 2 });
});

test("random copies", (t) => {
  const { below } = randomFrom(1);
  for (let round = 0; round < 2000; round++) {
    const count = 1 + below(9);
    const sources = Array.from({ length: count }, () => below(count + 2) - 2);
    t.true(check(sources).right, sources.join());
  }
});

test("a hundred thousand copies in a cycle", (t) => {
  const count = 100_000;
  t.deepEqual(check(Array.from({ length: count }, (_, i) => (i + 1) % count)), { right: true, temporaries: 1 });
});
