// Images and diagnostics compared with the record of links: of all that links in testdata, of random sets of modules,
// and of programs of many modules. A sample has some programs of each kind, one in 80 of the matrix, and one in 32 of
// the recorded links.

import { readFileSync } from "node:fs";
import test from "ava";
import fc from "fast-check";
import { rounds, sample } from "../../sample.js";
import { generateModules } from "../../../bench/generate-modules.js";
import { createSink } from "../../../lib/diag/sink.js";
import { linkObjects, linkRelocatable } from "../../../lib/link/link-objects.js";
import { countObjects } from "../../../lib/link/reports/stats.js";
import { buildIdOf, writeIdentified } from "../../../lib/object/file/build-id.js";
import { alignUp } from "../../../lib/object/place.js";
import { readObject } from "../../../lib/object/file/read.js";
import { writeObject } from "../../../lib/object/file/write.js";
import { matrixNames, readMatrixFile, textsOf } from "../../oracle/matrix.js";
import { testdata } from "../../oracle/programs.js";
import {
  fileOf,
  joined,
  linkQuietly,
  program,
  programFiles,
  someProgramNames,
  someRecordedLinks,
  withRecord,
} from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";
import type { PassOptions } from "../../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

test("images of programs of many modules, for every kind of target", (t) => {
  for (const target of ["sm_75", "sm_90"]) t.true(agree(t, program(4, target), target));
  t.true(agree(t, program(4), "for a later one", { arch: "sm_89" }));
  t.true(agree(t, program(1), "one module"));
});

test("images with a build ID", (t) => {
  const files = program(3);
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, createSink())!);
  const expected = writeIdentified(linkObjects(objects, {}, createSink())!);
  t.is(Buffer.compare(Buffer.concat(linkQuietly(files, { identify: buildIdOf })!.image), expected), 0);
});

test("statistics of inputs equal those of a link of objects", (t) => {
  for (const files of [program(3), programFiles("modules-debug")]) {
    const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, createSink())!);
    t.deepEqual(linkQuietly(files)!.counts, countObjects(objects));
  }
});

test("images of what was joined before", (t) => {
  const sink = createSink();
  const files = program(6);
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  const joined = writeObject(linkRelocatable(objects.slice(0, 3), {}, sink)!);
  t.true(agree(t, [joined, ...files.slice(3)], "three of six joined"));
});

/** The same file with section indices and the section count in the form for files of more than 65279 sections. */
function withExtendedIndices(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const [headers, count] = [view.getUint32(40, true), view.getUint16(60, true)];
  const header = (section: number): DataView => new DataView(view.buffer, view.byteOffset + headers + 64 * section, 64);
  const [symbols, size] = [header(3).getUint32(24, true), header(3).getUint32(32, true)];
  const [last, bytes] = [header(count - 1).getUint32(24, true), header(count - 1).getUint32(32, true)];
  const at = alignUp(last + bytes, 4);
  const moved = alignUp(at + size / 6, 8);
  const large = new Uint8Array(moved + 64 * (count + 1));
  large.set(file.subarray(0, last + bytes));
  const into = new DataView(large.buffer);
  for (let i = 0; i < size / 24; i++) {
    const index = view.getUint16(symbols + 24 * i + 6, true);
    if (index === 0 || index >= 0xff00) continue;
    into.setUint32(at + 4 * i, index, true);
    into.setUint16(symbols + 24 * i + 6, 0xffff, true);
  }
  large.set(file.subarray(headers, headers + 64 * count), moved);
  // SHT_SYMTAB_SHNDX of section 3.
  [0, 18, 0, 0, 0, 0, at, 0, size / 6, 0, 3, 0, 4, 0, 4, 0].forEach((word, i) =>
    into.setUint32(moved + 64 * count + 4 * i, word, true),
  );
  into.setUint32(40, moved, true);
  into.setUint16(60, 0, true);
  into.setUint32(moved + 32, count + 1, true);
  return large;
}

test("images of files with more sections than 16 bits can count, and with an ID", (t) => {
  const files = program(4);
  t.true(agree(t, files.map(withExtendedIndices), "extended"));
  t.true(agree(t, [withExtendedIndices(joined(files.slice(0, 3))), files[3]!], "joined"));
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, createSink())!);
  const identified = writeIdentified(linkRelocatable(objects.slice(0, 2), {}, createSink())!);
  t.true(agree(t, [identified, ...files.slice(2)], "with an ID"));
});

test("images with constants, lost definitions with addresses, open arrays and unused declarations", (t) => {
  const bodies = [
    ".visible .const .align 4 .u32 c[3] = {1, 2, 3};\n.visible .global .u32 g[4];\n.const .u64 p[2] = {generic(g), 7};\n" +
      ".weak .global .u64 w[2] = {g, generic(g)+4};\n.extern .func nowhere(.param .u32 a);\n.extern .global .u32 far[];\n" +
      ".visible .entry k(.param .u64 .ptr .global .align 8 out, .param .align 4 .b8 s[12]) .maxntid 32, 2 {\n" +
      ".reg .u32 %r<3>; .reg .u64 %d; ld.const.u32 %r1, [c+8]; mov.u64 %d, far; mov.u64 %d, w; ret; }",
    ".weak .global .u32 g9;\n.visible .global .u32 far[5] = {1, 2};\n.extern .const .align 4 .b8 c[12];\n" +
      ".weak .global .u64 w[2] = {far, generic(g9)+4};\n.global .u64 own[2] = {c+4, far+8};\n.global .attribute(.managed) .u32 m = 4;\n" +
      ".visible .func (.param .f32 r) f(.param .f32 a) { .reg .u64 %d; mov.u64 %d, c; mov.u64 %d, own; ret; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  t.true(agree(t, files, "in order"));
  t.true(agree(t, files.toReversed(), "turned around"));
});

test("images with barriers, recursion, %ctaid.z and driver functions", (t) => {
  const driver =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n.extern .func free(.param .b64 p);\n" +
    ".extern .func unused(.param .b64 p);\n.extern .func (.param .b64 r) malloc(.param .b64 s);\n";
  const print =
    "{ .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], 0; st.param.b64 [a], 0; call (r), vprintf, (f, a); }";
  const bodies = [
    `${driver}.extern .func far();\n.visible .entry k(.param .u64 out) { bar.sync 3; call far; ${print} ret; }\n` +
      ".visible .entry quiet() { ret; }\n.visible .entry z() { .reg .u32 %z; mov.u32 %z, %ctaid.z; call far; ret; }",
    `${driver}.extern .func later();\n.visible .func near() { bar.sync 7; call later; ret; }\n` +
      `.visible .func far() { .reg .pred %p; @%p call near; ${print} ret; }`,
    `${driver}.extern .func far();\n.visible .func later() { .reg .u32 %b; barrier.sync %b; call far; ret; }\n` +
      ".visible .entry alone() { .param .b64 p; st.param.b64 [p], 0; call free, (p); ret; }",
  ];
  for (const target of ["sm_80", "sm_90"]) {
    const files = bodies.map((body, i) => fileOf(moduleText(body, target), i));
    t.true(agree(t, files, `in order, ${target}`));
    t.true(agree(t, files.toReversed(), `turned around, ${target}`));
  }
});

test("images with shared memory: of kernels, of modules, weak, static, in functions, dynamic", (t) => {
  const uses = (...names: readonly string[]): string =>
    names
      .map((name) => `{ .reg .u32 %x; .reg .u64 %y; ld.shared.u32 %x, [${name}+4]; mov.u64 %y, ${name}; }`)
      .join(" ");
  const bodies = [
    ".visible .shared .align 4 .b8 a[12];\n.weak .shared .align 8 .b8 w[24];\n.shared .align 16 .b8 s[16];\n" +
      ".extern .shared .align 32 .b8 d[];\n.extern .shared .align 4 .b8 b[20];\n.extern .func far();\n" +
      `.visible .func near() { .shared .u32 f[2]; ${uses("f", "s", "d")} ret; }\n` +
      `.visible .entry k1() { .shared .u64 u[3]; .shared .u32 v[3]; .shared .u32 idle; ${uses("v", "u", "a", "b")} call near; ret; }\n` +
      `.visible .entry k2() { .shared .u64 u[5]; ${uses("u", "w")} call far; ret; }`,
    ".visible .shared .align 4 .b8 b[20];\n.weak .shared .align 8 .b8 w[24];\n.shared .align 16 .b8 s[16];\n" +
      ".extern .shared .align 32 .b8 d[];\n.extern .func near();\n.visible .shared .u32 idle[7];\n" +
      `.visible .func far() { .shared .u32 f[2]; ${uses("f", "s", "w")} bar.sync 0; ret; }\n` +
      `.visible .entry k3() { .shared .u32 v[9]; ${uses("d", "v")} call near; call far; ret; }\n.visible .entry k4() { ret; }`,
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  t.true(agree(t, files, "in order"));
  t.true(agree(t, files.toReversed(), "turned around"));
  const large = fileOf(moduleText(`.visible .entry k() { .shared .u32 x[12289]; ${uses("x")} ret; }`), 0);
  t.is(linkQuietly([large]), undefined);
});

test("images of programs with shared memory, barriers and printf", (t) => {
  for (const target of ["sm_75", "sm_90"]) {
    const files = generateModules(5, target, "device").map(({ text }, i) => fileOf(text, i));
    t.true(agree(t, files, target));
  }
});

test("images with textures, samplers and surfaces: of one module, of several, and undefined", (t) => {
  const fetch =
    ".reg .f32 %f<4>; .reg .b32 %r; .reg .u64 %d; tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, s, {%r}]; mov.u64 %d, i;";
  const bodies = [
    ".extern .global .texref t;\n.visible .global .samplerref s = { filter_mode = linear, force_unnormalized_coords = 1 };\n" +
      ".visible .global .surfref i;\n.global .texref own = { width = 300 };\n.visible .global .u64 table[2] = {t, own};\n" +
      `.visible .entry k() { ${fetch} mov.u64 %d, own; ret; }`,
    ".visible .global .texref t = { height = 7, width = 5 };\n.extern .global .samplerref s;\n.extern .global .surfref i;\n" +
      `.global .texref own;\n.visible .func f() { ${fetch} ret; }`,
    ".visible .global .texref t = { width = 9 };\n.extern .global .surfref nobody;\n.visible .global .samplerref idle;",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body, "sm_80, texmode_independent"), i));
  for (const options of [{}, { gcSections: true }, { gcSections: true, roots: { keepExports: false } }]) {
    t.true(agree(t, files, "in order", options));
    t.true(agree(t, files.toReversed(), "turned around", options));
  }
  const other = fileOf(moduleText(".visible .global .surfref t;"), 3);
  t.true(agree(t, [...files, other], "two types"));
});

test("images of .attribute(.unified) variables on which all modules agree", (t) => {
  const unified = (first: string, second: string): string => `.attribute(.unified(${first}, ${second}))`;
  const bodies = [
    `.visible .global ${unified("18446744073709551615", "300")} .align 4 .u32 g[3] = {1, 2, 3};\n.extern .func ${unified("4294967296", "0")} f();\n` +
      `.func ${unified("1", "2")} own() { .global ${unified("5", "2147483648")} .u32 s; st.global.u32 [s], 1; ret; }\n.func other() { ret; }\n` +
      ".visible .entry k() { .reg .u64 %d; mov.u64 %d, g; call f; call own; call other; ret; }",
    `.extern .global ${unified("18446744073709551615", "300")} .u32 g[];\n.visible .func ${unified("4294967296", "0")} f() { .reg .u64 %d; mov.u64 %d, g; ret; }`,
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body, "sm_90"), i));
  for (const options of [{}, { gcSections: true }]) {
    t.true(agree(t, files, "in order", options));
    t.true(agree(t, files.toReversed(), "turned around", options));
  }
  for (const declared of [unified("18446744073709551615", "301"), ""]) {
    const other = fileOf(moduleText(`.extern .global ${declared} .u32 g[];`, "sm_90"), 2);
    t.true(agree(t, [...files, other], declared));
  }
});

test("images with common variables: alone, larger and more aligned elsewhere, defined, declared, static by --localize", (t) => {
  const uses = (...names: readonly string[]): string =>
    `.reg .u64 %d; ${names.map((name) => `mov.u64 %d, ${name};`).join(" ")} ret;`;
  const bodies = [
    ".extern .global .u32 late[2];\n.common .global .align 4 .u32 c[3];\n.common .global .u32 d;\n.common .global .b8 w;\n" +
      `.visible .entry k() { ${uses("late", "c", "d", "w")} }`,
    ".common .global .align 64 .u32 c[2];\n.common .global .u32 late[2];\n.visible .global .align 8 .u32 d = 7;\n" +
      `.extern .global .u32 e[];\n.visible .func f() { ${uses("c", "d", "e")} }`,
    ".common .global .u32 c[5];\n.common .global .align 16 .u32 e[2];\n.weak .global .u32 w = 1;\n.common .global .u32 dead;\n" +
      `.global .u64 table[2] = {c, generic(e)+4};\n.visible .entry k2() { ${uses("table", "w")} }`,
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  const all: readonly PassOptions[] = [
    {},
    { gcSections: true },
    { visibility: [{ to: "localize", pattern: "c" }] },
    { gcSections: true, visibility: [{ to: "export", pattern: "dead" }] },
    { wrap: ["c"] },
  ];
  for (const options of all) {
    t.true(agree(t, files, `in order ${JSON.stringify(options)}`, options));
    t.true(agree(t, files.toReversed(), `turned around ${JSON.stringify(options)}`, options));
  }
  t.true(agree(t, [files[1]!, files[2]!], "only the first of some"));
  const large = fileOf(moduleText(".common .global .u32 d[2];"), 3);
  t.true(agree(t, [...files, large], "larger than its definition"));
});

test("symbols that only overridden code refers to are not in the image", (t) => {
  const bodies = [
    ".visible .func f() { ret; }",
    ".extern .func gone();\n.extern .func free(.param .b64 p);\n.weak .func f() { .shared .u32 s; st.shared.u32 [s], 1; call gone;" +
      "{ .param .b64 p; st.param.b64 [p], 0; call free, (p); } ret; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  t.true(agree(t, files, "in order"));
  t.true(agree(t, files.toReversed(), "turned around"));
});

test("images of everything in testdata that links", (t) => {
  let [plain, tried] = [0, 0];
  for (const name of sample(matrixNames(), 80))
    for (const order of readMatrixFile(name)
      .expect.flatMap(({ orders }) => orders)
      .slice(0, 2)) {
      tried++;
      if (agree(t, textsOf(name, order).map(fileOf), `${name} ${order}`)) plain++;
    }
  for (const { what, modules } of someRecordedLinks(16)) {
    tried++;
    if (agree(t, modules.map(fileOf), what)) plain++;
  }
  t.true(plain * 6 > tried, `${plain} of ${tried} were plain`);
});

test("images of compiled programs, with debug sections and tables of functions", (t) => {
  for (const name of someProgramNames(60)) {
    // The other modules have constant banks, thread-local variables of the module, or 32-bit addresses.
    const isPlain = name !== "old-constants" && name !== "old-registers" && !name.startsWith("bits32-");
    t.is(agree(t, programFiles(name), name), isPlain, name);
  }
});

test("images with addresses of functions and shared memory together", (t) => {
  const { cases } = JSON.parse(readFileSync(new URL("oracle/link/orders.json", testdata), "utf8")) as {
    readonly cases: readonly { readonly text: string }[];
  };
  const some = sample([...cases.entries()], 10);
  let plain = 0;
  for (const [i, { text }] of some) if (agree(t, [fileOf(text, 0)], `case ${i}`)) plain++;
  t.true(plain * 4 > some.length, `${plain} of ${some.length} were plain`);
});

test("images of random sets of modules", (t) => {
  let plain = 0;
  fc.assert(
    fc.property(randomSets, ({ modules }) => {
      if (agree(t, modules.map(fileOf), modules.join("\n"))) plain++;
    }),
    { numRuns: rounds(120, 8) },
  );
  // About half of them are supported.
  t.true(plain * 6 > rounds(120, 8), `${plain} were plain`);
});

test("limits on images", (t) => {
  const linked = (...bodies: readonly string[]) => linkQuietly(bodies.map((body, i) => fileOf(moduleText(body), i)));
  t.is(linked(`.visible .const .b8 c[${2 ** 15}];`, `.visible .const .b8 d[${2 ** 15 + 1}];`), undefined);
  t.is(linkQuietly(program(2, "sm_90"), { maxImageBytes: 8 }), undefined);
});

testRecord();
