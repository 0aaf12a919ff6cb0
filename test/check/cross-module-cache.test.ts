// Checking modules one after the other with one cache gives the same results as checking each alone, and the cache
// keeps nothing of another name table. A sample of testdata has some files of each folder.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import test from "ava";
import { checkSource, type CheckOptions } from "../../lib/check/check.js";
import { createCrossModuleCache, type CrossModuleCache } from "../../lib/check/cross-module-cache.js";
import { createSink } from "../../lib/diag/sink.js";
import { sample, topFolder } from "../sample.js";

const testdata = fileURLToPath(new URL("../../../testdata/", import.meta.url));
const modules = sample(
  readdirSync(testdata, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ptx")),
  48,
  { kind: topFolder },
);

const checked = (name: string, bytes: Uint8Array, options: CheckOptions): unknown => {
  const sink = createSink();
  const module = checkSource({ name, bytes }, sink, options);
  return { module, found: sink.all };
};

test("every module of testdata, valid or not, checked after the others", (t) => {
  const memory = createCrossModuleCache();
  const tables = new Set<CrossModuleCache["nameCache"]>();
  for (const name of [...modules, ...modules.toReversed()]) {
    const bytes = readFileSync(path.join(testdata, name));
    t.true(isDeepStrictEqual(checked(name, bytes, { memory }), checked(name, bytes, {})), name);
    tables.add(memory.nameCache);
  }
  t.true(tables.size < 2 * modules.length, "some modules reuse the names of the one before");
});

const head = ".version 8.5\n.target sm_90\n.address_size 64\n";

/** A kernel with registers of these names and types. */
const kernel = (registers: string, body: string): string =>
  `${head}.visible .entry k(.param .u64 a_rather_long_name_of_a_parameter)\n{\n${registers}\n${body}\nret;\n}\n`;

test("a name resolves to its own module's declaration", (t) => {
  const texts = [
    kernel(".reg .b32 %r<4>;", "add.s32 %r1, %r2, %r3;"),
    kernel(".reg .b64 %r<4>;", "add.s64 %r1, %r2, %r3;"),
    kernel(".reg .b64 %r<4>;", "add.s32 %r1, %r2, %r3;"),
    kernel(".reg .b32 %r1, %r2;", "add.s32 %r1, %r2, %r3;"),
    kernel(".reg .f32 %r<2>;", "mov.f32 %r1, 0f3F800000; { .reg .b32 %r1; mov.b32 %r1, 1; }"),
    kernel(".reg .u64 %r1;", "ld.param.u64 %r1, [a_rather_long_name_of_a_parameter];"),
    kernel(".reg .u64 %r1;", "ld.param.u64 %r1, [a_rather_long_name_of_a_parametez];"),
  ];
  const memory = createCrossModuleCache();
  for (const text of [...texts, ...texts]) {
    const bytes = Buffer.from(text);
    t.deepEqual(checked("m.ptx", bytes, { memory }), checked("m.ptx", bytes, {}), text);
  }
});

test("a large table of names is not reused for the next module", (t) => {
  const memory = createCrossModuleCache();
  const many = Array.from({ length: 5000 }, (_, i) => `.global .u32 variable_number_${i};`).join("\n");
  const texts = [kernel(".reg .b32 %r<4>;", "add.s32 %r1, %r2, %r3;"), `${head}${many}\n`];
  const sizes = [...texts, ...texts].map((text) => {
    checked("m.ptx", Buffer.from(text), { memory });
    return memory.nameCache!.names!.count;
  });
  t.true(sizes[0]! < 50);
  t.true(sizes[1]! > 5000);
  t.is(sizes[2], sizes[0]);
});
