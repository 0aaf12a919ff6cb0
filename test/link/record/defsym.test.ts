// --defsym, compared with the record of links: output and diagnostics.

import test from "ava";
import fc from "fast-check";
import { rounds, sample } from "../../sample.js";
import { type BothOptions, fileOf, joined, program, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";
import type { SymbolDefinition } from "../../../lib/link/model/symbol-definition.js";

const { agree, testRecord } = withRecord(import.meta.url);

const named = (name: string, base: string, offset = 0n): SymbolDefinition => ({ name, base, offset });
const fixed = (name: string, offset: bigint): SymbolDefinition => ({ name, offset });

const bodies = [
  ".extern .global .align 4 .u32 a[2];\n.extern .global .u32 b[];\n.extern .global .u64 at;\n.extern .const .u32 c;\n.extern .shared .u32 s[];\n" +
    ".extern .func f();\n.extern .func (.param .b32 r) put(.param .b64 f, .param .b64 v);\n.extern .global .texref t;\n" +
    ".visible .global .u64 table[5] = {a+4, generic(b), at+8, generic(at), f};\n.global .u8 masked[4] = {0xFF(at), 0xFF00(at), 0xFF0000(generic(at)), 7};\n" +
    ".weak .global .u64 lost[2] = {at, b+4};\n" +
    ".visible .entry k() { .reg .u64 %d; .reg .u32 %r; mov.u64 %d, a; ld.global.u32 %r, [b+8]; ld.const.u32 %r, [c]; ld.shared.u32 %r, [s+4]; mov.u64 %d, at; mov.u64 %d, masked; call f; ret; }",
  ".visible .global .align 16 .u32 data[12] = {1, 2, 3};\n.visible .const .align 8 .u32 bank[6] = {5};\n.visible .shared .align 16 .u32 block[9];\n" +
    ".visible .func real() { ret; }\n.common .global .align 8 .u32 common[4];\n.visible .global .texref texture;\n.global .u32 hidden[3];\n" +
    ".visible .global .u64 lost[2] = {data, data};\n.extern .global .align 32 .f32 b[];\n.extern .global .u64 at;\n" +
    ".visible .func uses() { .reg .u64 %d; mov.u64 %d, hidden; mov.u64 %d, b; mov.u64 %d, at; ret; }",
];

const all = [
  named("a", "data", 16n),
  named("b", "a"),
  fixed("at", 0xf_ffff_fff8n),
  named("c", "bank", 12n),
  named("s", "block", 8n),
  named("f", "real"),
  named("put", "vprintf"),
  named("t", "texture"),
];

test("names of --defsym for variables, offsets in them, functions, absolute addresses, textures and driver functions", (t) => {
  const sets: readonly (readonly SymbolDefinition[])[] = [
    all,
    all.map((each) => (each.name === "b" ? named("b", "common", 4n) : each)),
    [...all, named("nobody", "data", 4n), named("end", "data", 48n), named("f2", "real"), named("nothing", "texture")],
    all.map((each) => (each.base === "data" ? named("a", "data") : each)),
  ];
  const others: readonly BothOptions[] = [
    {},
    { gcSections: true },
    { gcSections: true, roots: { keepExports: false } },
    { symbolOrder: { sort: "name" } },
    { visibility: [{ to: "localize", pattern: "*" }] },
    { visibility: [{ to: "localize", pattern: "*" }], discardLocals: true },
    { stripDebug: true, emitRelocations: true },
  ];
  for (const target of ["sm_75", "sm_90"]) {
    const files = bodies.map((body, i) => fileOf(moduleText(body, target), i));
    for (const [set, define] of sets.entries())
      for (const options of sample(others, 10, { name: (each) => `${target} ${set} ${JSON.stringify(each)}` })) {
        const what = `${target} ${JSON.stringify(options)}`;
        t.true(agree(t, files, what, { define, ...options }));
        t.true(agree(t, files.toReversed(), `turned around, ${what}`, { define, ...options }));
        t.true(agree(t, [joined(files)], `joined, ${what}`, { define, ...options }));
      }
  }
});

test("invalid definitions of --defsym", (t) => {
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  const wrong: readonly SymbolDefinition[] = [
    named("b", "nowhere"),
    named("b", "datas"),
    named("b", "b2"),
    named("data", "common"),
    named("a", "data", 44n),
    named("a", "data", 64n),
    named("a", "data", 2n),
    named("a", "bank"),
    named("a", "real"),
    named("f", "k"),
    named("f", "real", 4n),
    named("f", "data"),
    fixed("f", 16n),
    named("a", "hidden"),
  ];
  for (const one of wrong) {
    const define = [...all.filter(({ name }) => name !== one.name && name !== "at"), one, named("b2", "b")];
    t.true(agree(t, files, `${one.name}=${one.base}+${one.offset}`, { define }));
  }
  t.true(agree(t, files, "some stay undefined", { define: all.slice(0, 2) }));
  t.true(agree(t, files, "some may", { define: all.slice(0, 2), allowUndefined: () => true }));
});

test("names of --defsym in programs of many modules", (t) => {
  const define = [named("other", "v1_4", 4n), named("f2_9", "f1_9")];
  for (const target of ["sm_75", "sm_90"]) t.true(agree(t, program(3, target), target, { define: define.slice(0, 1) }));
  t.true(agree(t, program(3), "a name that a module has", { define }));
});

test("names of --defsym in random sets with one module left out", (t) => {
  let plain = 0;
  const index = fc.nat({ max: 39 });
  const definition = fc.record({ name: index, base: fc.option(index, { nil: undefined }), offset: fc.nat({ max: 2 }) });
  const how = fc.record({
    left: fc.nat({ max: 3 }),
    some: fc.array(definition, { maxLength: 6 }),
    gcSections: fc.boolean(),
  });
  fc.assert(
    fc.property(randomSets, how, ({ modules }, { left, some, gcSections }) => {
      const files = modules.filter((_, i) => i !== left).map(fileOf);
      const define = some.map(({ name, base, offset }) =>
        base === undefined
          ? fixed(`s${name}`, BigInt(offset) << 33n)
          : named(`s${name}`, `s${base}`, 4n * BigInt(offset)),
      );
      if (agree(t, files, modules.join("\n"), { define, gcSections })) plain++;
    }),
    { numRuns: rounds(120, 8) },
  );
  t.true(plain * 2 > rounds(120, 8), `${plain} were plain`);
});

testRecord();
