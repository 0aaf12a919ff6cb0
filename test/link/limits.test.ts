// Limits of a GPU that thousands of kernels exceed at once.

import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { checkSharedLimits } from "../../lib/link/messages/limits.js";
import type { LinkedNames, Merged } from "../../lib/link/model/linked.js";
import type { SharedUses } from "../../lib/link/shared/shared-reach.js";
import type { SharedLayout } from "../../lib/link/shared/shared.js";
import { fileOf, withRecord } from "./record/links.js";
import { linkAll, moduleText, objectOf } from "./build.js";
import type { PassOptions } from "../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

/**
 * For `n` kernels that use too much: how many are reported, how many messages name variables, and for how many those
 * are searched.
 */
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
  const layout = { kernels, dead: new Map(), systemBytes: 0 } as unknown as SharedLayout;
  const names = { inputs: [object], resolution: { merged: all } } as unknown as LinkedNames;
  checkSharedLimits(names, { variablesOf } as unknown as SharedUses, layout, object.target, sink);
  return [sink.all.length, sink.all.filter(({ notes }) => notes.length > 0).length, walks];
}

test("every kernel with too much shared memory is reported; the first hundred with their largest variables", (t) => {
  t.deepEqual(told(3), [3, 3, 3]);
  t.deepEqual(told(2000), [2000, 100, 100]);
  t.deepEqual(told(8000), [8000, 100, 100]);
});

test("dynamic shared memory is not listed as a contributor", (t) => {
  const body =
    ".shared .b8 s[50000];\n.extern .shared .b8 dynamic[];\n.visible .entry k() { .reg .u32 %r; " +
    "ld.shared.u32 %r, [s]; st.shared.u32 [dynamic], %r; ret; }";
  const [diagnostic] = linkAll([objectOf("a.ptx", moduleText(body))]).diagnostics;
  t.deepEqual(
    diagnostic?.notes?.map(({ message }) => message),
    ["'s' has 50000 bytes"],
  );
});

/** Module bodies that together exceed a limit. */
const situations: Readonly<Record<string, readonly string[]>> = {
  "constants, of which some lost": [
    ".visible .const .b8 big[40000] = {1};\n.weak .const .u32 lost[3] = {1, 2, 3};\n.visible .entry k() { ret; }",
    ".visible .const .b8 table[20000];\n.visible .const .u32 lost[3] = {1, 2, 3};\n.const .align 64 .b8 own[64];",
    ".visible .const .u64 six[6];\n.const .b8 own[20000];\n.const .b8 last[64];\n.visible .global .u32 v = 1;",
  ],
  "shared memory, of a target that could have more as dynamic memory": [
    ".shared .b8 s[40000];\n.weak .shared .b8 w[5000];\n.visible .entry k() { .reg .u32 %r; .shared .u32 own[2000];\n" +
      "ld.shared.u32 %r, [s]; st.shared.u32 [w], %r; st.shared.u32 [own], %r; ret; }",
    ".shared .b8 s[50000];\n.visible .shared .b8 w[5000];\n.func f() { .reg .u32 %r; ld.shared.u32 %r, [s]; ret; }\n" +
      ".visible .entry l() { .reg .u32 %r; call f; ld.shared.u32 %r, [w]; ret; }\n.visible .entry none() { ret; }",
    ".shared .b8 s[250000];\n.visible .entry most() { .reg .u32 %r; ld.shared.u32 %r, [s]; ret; }",
  ],
  "definitions that lost, and whose shared memory stays": [
    ".shared .b8 s[30000];\n.weak .func f() { .reg .u32 %r; ld.shared.u32 %r, [s]; ret; }\n" +
      ".weak .shared .b8 w[16000];\n.visible .entry k() { .reg .u32 %r; call f; ld.shared.u32 %r, [w]; ret; }",
    ".shared .b8 s[20000];\n.visible .func f() { .reg .u32 %r; ld.shared.u32 %r, [s]; ret; }\n.visible .shared .b8 w[16000];",
  ],
  "bytes with values, of more than are allowed": [
    ".visible .global .b8 g[500] = {1};\n.visible .const .b8 c[600] = {1};\n.weak .global .u32 w = 1;",
    ".visible .global .b8 h[500] = {1};\n.visible .global .u32 w = 2;\n.visible .entry k() { ret; }",
  ],
};

const allOptions: readonly PassOptions[] = [
  { maxImageBytes: 1000 },
  { maxImageBytes: 1000, gcSections: true, roots: { keepExports: false } },
  { maxImageBytes: 1000, symbolOrder: { names: { file: "order", lines: new Map() } } },
  { maxImageBytes: 1000, asText: true },
  { maxImageBytes: 1000, asText: true, relocatable: true },
  { maxImageBytes: 1000, relocatable: true },
];

test("limits are reported as recorded", (t) => {
  for (const [what, bodies] of Object.entries(situations)) {
    const files = bodies.map((body, i) => fileOf(moduleText(body), i));
    for (const options of allOptions) {
      t.true(agree(t, files, `${what} ${JSON.stringify(options)}`, options), `${what} ${JSON.stringify(options)}`);
      t.true(agree(t, files.toReversed(), `${what}, turned around ${JSON.stringify(options)}`, options));
    }
  }
});

testRecord();
