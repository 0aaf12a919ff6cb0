// What a GPU cannot hold, of thousands of kernels at once.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { checkSharedLimits } from "../../lib/link/limits.js";
import type { Merged } from "../../lib/link/resolve.js";
import type { SharedUses } from "../../lib/link/shared-reach.js";
import type { SharedLayout } from "../../lib/link/shared.js";
import { moduleText, objectOf } from "./build.js";

/** How many kernels of `n` that use too much are told of, how many messages name variables, and for how many these are sought. */
function told(n: number): readonly [kernels: number, naming: number, walks: number] {
  const object = objectOf("a.ptx", moduleText(".shared .b8 s[50000];\n.visible .entry k() { ret; }"));
  const merged = object.symbols.map(({ name }, index): Merged => {
    const chosen = { object: 0, index, symbol: object.symbols[index]! };
    return { name, chosen, all: [chosen], align: 1 } as unknown as Merged;
  });
  const [shared, kernel] = ["s", "k"].map((name) => object.symbols.findIndex((symbol) => symbol.name === name));
  const over = { size: 50000, align: 1, dynamicOffset: 50000, variables: [shared!] };
  const kernels = new Map(Array.from({ length: n }, (_, i) => [merged.length + i, over]));
  const all = [...merged, ...Array.from({ length: n }, (_, i): Merged => ({ ...merged[kernel!]!, name: `k${i}` }))];
  let walks = 0;
  const variablesOf = (): readonly number[] => {
    walks++;
    return [shared!];
  };
  const sink = createSink();
  const layout = { kernels, dead: new Map() } as unknown as SharedLayout;
  checkSharedLimits([object], all, { variablesOf } as unknown as SharedUses, layout, object.target, sink);
  return [sink.all.length, sink.all.filter(({ notes }) => notes.length > 0).length, walks];
}

test("every kernel that uses too much shared memory is told of; what is largest in it, of the first hundred", (t) => {
  t.deepEqual(told(3), [3, 3, 3]);
  t.deepEqual(told(2000), [2000, 100, 100]);
  t.deepEqual(told(8000), [8000, 100, 100]);
});
