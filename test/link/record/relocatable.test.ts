// -r against the record of links: the same bytes, or a file is one to be read in detail.
// A sample of recorded links and programs: some of each kind of link, and of the programs.

import { readFileSync } from "node:fs";
import test from "ava";
import fc from "fast-check";
import { generateModules } from "../../../bench/generate-modules.js";
import { linkRelocatable } from "../../../lib/link/link-objects.js";
import { createSink } from "../../../lib/diag/sink.js";
import { buildIdOf, writeIdentified } from "../../../lib/object/file/build-id.js";
import { readObject } from "../../../lib/object/file/read.js";
import { matrixNames, readMatrixFile, textsOf } from "../../oracle/matrix.js";
import { testdata } from "../../oracle/programs.js";
import { rounds, sample } from "../../sample.js";
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

const object: PassOptions = { relocatable: true };
/** Options that differ in what they discard. */
const collecting: readonly PassOptions[] = [
  object,
  { ...object, gcSections: true },
  { ...object, gcSections: true, roots: { keepExports: false } },
];

test("-r of programs of many modules, some joined before", (t) => {
  for (const target of sample(["sm_75", "sm_90"], 2))
    for (const options of sample(collecting, 6, { name: (each) => target + JSON.stringify(each) })) {
      t.true(agree(t, program(4, target), target, options));
      const device = generateModules(5, target, "device").map(({ text }, i) => fileOf(text, i));
      t.true(agree(t, device, `device ${target}`, options));
      t.true(agree(t, [joined(device.slice(0, 3)), ...device.slice(3)], `joined ${target}`, options));
    }
  t.true(agree(t, program(1), "one module", object));
  t.true(agree(t, program(3), "for a later one", { ...object, arch: "sm_89" }));
});

test("-r of modules of several targets: the first target that goes with all", (t) => {
  const bodies = ["sm_75", "sm_80", "sm_86"].map((target, i) =>
    fileOf(moduleText(`.visible .entry k${i}() { .reg .u32 %z; mov.u32 %z, %ctaid.z; ret; }`, target), i),
  );
  t.true(agree(t, bodies.slice(1), "ampere", object));
  t.true(agree(t, bodies.slice(1).toReversed(), "ampere, the later one first", object));
  // A module that fits no other: the link reports an error.
  t.true(agree(t, [bodies[0]!, fileOf(moduleText(".visible .global .u32 x;", "sm_90a"), 3)], "none", object));
});

test("-r with a build ID", (t) => {
  const files = program(3);
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, createSink())!);
  const expected = writeIdentified(linkRelocatable(objects, {}, createSink())!);
  const { image } = linkQuietly(files, { ...object, identify: buildIdOf })!;
  t.is(Buffer.compare(Buffer.concat(image), expected), 0);
});

test("-r leaves undefined symbols, and keeps overridden definitions where their section needs them", (t) => {
  const bodies = [
    ".extern .global .align 8 .u32 far[4];\n.extern .func nowhere(.param .u32 a);\n.common .global .align 4 .u32 c[3];\n" +
      ".weak .shared .align 8 .b8 w[24];\n.extern .shared .align 16 .b8 d[];\n.global .texref _param;\n" +
      ".weak .func f() { .shared .u32 s[2]; st.shared.u32 [s], 1; ret; }\n" +
      ".weak .entry k(.param .u64 p) { .shared .u64 u[3]; .param .b32 a; st.shared.u64 [u], 1; st.param.b32 [a], 0; call nowhere, (a); ret; }",
    ".common .global .align 64 .u32 c[2];\n.visible .shared .align 8 .b8 w[24];\n.global .u32 c2 = 4;\n" +
      ".visible .func f() { .reg .u64 %d; mov.u64 %d, w; mov.u64 %d, c2; bar.sync 3; ret; }\n" +
      ".visible .entry k(.param .u64 p) { call f; ret; }\n.visible .entry empty() { ret; }",
    ".extern .global .align 8 .u32 far[4];\n.common .global .u32 c[5];\n.weak .global .u64 t[2] = {far, generic(c)+4};\n" +
      ".weak .func f() { ret; }\n.visible .func (.param .f64 r) g(.param .b8 b[3], .param .f32 x) { ret; }\n" +
      ".visible .func h() { .reg .u64 %d; mov.u64 %d, g; mov.u64 %d, f; ret; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  for (const options of collecting) {
    t.true(agree(t, files, "in order", options));
    t.true(agree(t, files.toReversed(), "turned around", options));
  }
  for (const pattern of ["c", "f", "w"]) {
    const visibility = [{ to: "localize", pattern }] as const;
    t.true(agree(t, files, pattern, { ...object, visibility }), pattern);
  }
});

test("-r keeps declarations of .common variables, to check later definitions against", (t) => {
  const bodies = [
    ".extern .global .align 8 .b8 x[];\n.extern .global .b8 y[4];\n.global .u64 px = x;",
    ".common .global .align 4 .b8 x[8];\n.common .global .b8 y[4];",
    ".extern .global .align 32 .b8 x[8];\n.global .u64 px = x;",
    ".common .global .align 16 .b8 y[8];",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  const orders = [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
    [0, 1, 2, 3],
    [3, 2, 1],
    [1, 3, 2],
  ];
  for (const order of orders) {
    const given = order.map((i) => files[i]!);
    t.true(agree(t, given, order.join(), object));
    agree(t, given, `${order.join()} as text`, { ...object, asText: true });
    t.true(agree(t, given, `${order.join()}, hidden`, { ...object, visibility: [{ to: "localize", pattern: "x" }] }));
    if (order.includes(0) && order.includes(3)) continue;
    const pair = joined(given.slice(0, 2));
    for (const options of [{}, object])
      for (const rest of [given.slice(2), [...given.slice(2), files[3]!]])
        t.true(agree(t, [pair, ...rest], `${order.join()}, joined`, options));
  }
});

test("-r of everything in testdata that links", (t) => {
  let [plain, tried] = [0, 0];
  for (const name of sample(matrixNames(), 80))
    for (const order of readMatrixFile(name)
      .expect.flatMap(({ orders }) => orders)
      .slice(0, 2)) {
      tried++;
      if (agree(t, textsOf(name, order).map(fileOf), `${name} ${order}`, object)) plain++;
    }
  for (const { what, modules } of someRecordedLinks(16)) {
    const files = modules.map(fileOf);
    tried += collecting.length;
    for (const options of collecting) if (agree(t, files, what, options)) plain++;
  }
  t.true(plain * 5 > tried, `${plain} of ${tried} were plain`);
});

test("-r of compiled programs, with debug sections and tables of functions", (t) => {
  for (const name of someProgramNames(60)) {
    const isPlain = name !== "old-constants" && name !== "old-registers" && !name.startsWith("bits32-");
    t.is(agree(t, programFiles(name), name, object), isPlain, name);
  }
});

test("-r with addresses of functions and shared memory together", (t) => {
  const { cases } = JSON.parse(readFileSync(new URL("oracle/link/orders.json", testdata), "utf8")) as {
    readonly cases: readonly { readonly text: string }[];
  };
  let plain = 0;
  const some = sample([...cases.entries()], 10);
  for (const [i, { text }] of some) if (agree(t, [fileOf(text, 0)], `case ${i}`, object)) plain++;
  t.true(plain * 4 > some.length, `${plain} of ${some.length} were plain`);
});

test("-r of random sets of modules, in any grouping", (t) => {
  let plain = 0;
  fc.assert(
    fc.property(randomSets, fc.boolean(), fc.constantFrom(...collecting), ({ modules }, isJoined, options) => {
      const files = modules.map(fileOf);
      const given = isJoined ? [joined(files.slice(0, 2)), ...files.slice(2)] : files;
      if (agree(t, given, modules.join("\n"), options)) plain++;
    }),
    { numRuns: rounds(120, 8) },
  );
  t.true(plain * 6 > rounds(120, 8), `${plain} were plain`);
});

test("a damaged file is joined alike, whether columns or objects are read", (t) => {
  const kinds = [program(3), programFiles("modules-debug"), programFiles("modules-registry").slice(1)];
  const places = fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...kinds), places, fc.constantFrom(...collecting), (files, changes, options) => {
      const spoilt = files[1]!.slice();
      for (const { at, byte } of changes) {
        const end = spoilt.length - 64 - (at % 5000);
        spoilt[at % 2 === 0 ? at % 4000 : Math.max(0, end)] = byte;
      }
      agree(t, [files[0]!, spoilt, files[2]!], JSON.stringify(changes), options);
    }),
    { numRuns: rounds(300, 12) },
  );
});

testRecord();
