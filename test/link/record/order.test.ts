// Orders of data and code (--reverse-sections, --shuffle-sections, --symbol-ordering-file, --sort-section), compared
// with the record of links: output and diagnostics.

import test from "ava";
import fc from "fast-check";
import { rounds, sample } from "../../sample.js";
import { fileOf, joined, program, programFiles, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";
import type { PassOptions } from "../../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

const ordered = (...names: readonly string[]) => ({
  file: "order",
  lines: new Map(names.map((name, i) => [name, i + 1])),
});

const orders: readonly PassOptions[] = [
  { sectionOrder: { kind: "reversed" } },
  { sectionOrder: { kind: "shuffled", seed: 7 } },
  { symbolOrder: { sort: "name" } },
  { symbolOrder: { sort: "alignment" } },
  {
    symbolOrder: { names: ordered("s3", "nobody", "s1", "s7", "s2", "f1_9", "v2_7", "v0_9", "k1"), sort: "alignment" },
  },
  { symbolOrder: { names: ordered("s5", "s3", "s9") } },
];

test("section orders of programs of many modules", (t) => {
  for (const files of [program(3), program(3, "sm_90"), programFiles("modules-debug")])
    for (const order of sample(orders, 6, { name: (each) => JSON.stringify(each) })) {
      t.true(agree(t, files, JSON.stringify(order), order));
      t.true(agree(t, files, `what is live, ${JSON.stringify(order)}`, { gcSections: true, ...order }));
    }
});

test("section orders of random sets, with and without --gc-sections, also where some were joined before", (t) => {
  let plain = 0;
  const how = fc.record({ order: fc.constantFrom(...orders), gcSections: fc.boolean(), isJoined: fc.boolean() });
  fc.assert(
    fc.property(randomSets, how, ({ modules }, { order, gcSections, isJoined }) => {
      const files = modules.map(fileOf);
      const given = isJoined ? [joined(files.slice(0, 3)), files[3]!] : files;
      if (agree(t, given, modules.join("\n"), { gcSections, ...order })) plain++;
    }),
    { numRuns: rounds(120, 8) },
  );
  t.true(plain * 2 > rounds(120, 8), `${plain} were plain`);
});

test("section orders of lost definitions, .common variables, gaps, and shared memory, which keeps its order", (t) => {
  const bodies = [
    ".visible .global .u8 s1 = 1;\n.visible .global .align 16 .u32 s3 = 3;\n.weak .global .u64 s2[2] = {s3, generic(s1)+1};\n" +
      ".common .global .u64 s7;\n.const .u8 s5 = 4;\n.visible .const .align 32 .u32 s9 = 5;\n.visible .shared .u32 nobody[2];\n" +
      ".weak .func f() { ret; }\n.visible .entry k() { .reg .u64 %d; mov.u64 %d, s7; mov.u64 %d, nobody; mov.u64 %d, s5; ret; }",
    ".extern .global .u8 s1;\n.weak .global .u64 s2[2] = {s1, s1};\n.common .global .align 32 .u64 s7;\n" +
      ".visible .global .u16 a[3] = {1, 2, 3};\n.visible .global .u8 b = 7;\n.visible .func f() { .reg .u64 %d; mov.u64 %d, s2; ret; }\n.visible .func s8() { ret; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  for (const order of orders)
    for (const given of [files, files.toReversed()]) t.true(agree(t, given, JSON.stringify(order), order));
});

test("section orders of many variables with addresses, each holding its neighbour's", (t) => {
  const many = Array.from({ length: 300 }, (_, i) => `.visible .global .align 8 .u64 p${(i * 7) % 300}[2] = {k, 3};`);
  const text = moduleText(`.func k();\n${many.join("\n")}\n.func k() { ret; }`);
  t.true(agree(t, [fileOf(text, 0)], "many", { symbolOrder: { sort: "name" } }));
});

testRecord();
