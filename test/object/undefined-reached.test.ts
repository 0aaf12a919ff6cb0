// Undefined functions that kernels reach: EXTERNS of .nv.info.

import test from "ava";
import { createCalls, undefinedReached } from "../../lib/object/attributes/reached-properties.js";

/**
 * `n` kernels that call one function, which calls `n` undefined ones: function 0, kernels 1 to n, then the undefined functions.
 */
function missing(n: number): ReadonlyMap<number, readonly number[]> {
  const numbers = Array.from({ length: n }, (_, i) => i + 1);
  const edges = Int32Array.from([...numbers.flatMap((i) => [i, 0]), ...numbers.flatMap((i) => [0, n + i])]);
  return undefinedReached(createCalls(2 * n + 1, edges), (symbol) => symbol > n, numbers);
}

test("kernels list the undefined functions that they reach, callers those that they call, each once", (t) => {
  t.deepEqual(
    [...missing(2)],
    [
      [0, [3, 4]],
      [1, [3, 4]],
      [2, [3, 4]],
    ],
  );
  // Kernel 1 calls 3 itself, and through 2 and back.
  const calls = createCalls(4, Int32Array.of(1, 3, 1, 2, 2, 3, 2, 1));
  const found = undefinedReached(calls, (symbol) => symbol === 3, [1]);
  t.deepEqual([...found], [[1, [3]], [2, [3]]]); // prettier-ignore
});

test("of thousands of kernels and undefined functions, only the callers have entries", (t) => {
  t.is([...missing(1000).values()].flat().length, 1000 + 1000 * 1000);
  const many = missing(4000);
  t.is(many.size, 1);
  t.is(many.get(0)!.length, 4000);
});
