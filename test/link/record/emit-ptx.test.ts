// --emit ptx against the record of links: the same text, or a file is one to be read in detail.
// A sample of recorded links and programs: some of each kind of link, and one in 8 of the programs.

import test from "ava";
import fc from "fast-check";
import { generateModules } from "../../../bench/generate-modules.js";
import { matrixNames, readMatrixFile, textsOf } from "../../oracle/matrix.js";
import { rounds, sample } from "../../sample.js";
import { fileOf, joined, program, programFiles, someProgramNames, someRecordedLinks, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";
import type { PassOptions } from "../../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

const text: PassOptions = { asText: true };
const texts: readonly PassOptions[] = [
  text,
  { ...text, gcSections: true },
  { ...text, stripDebug: true },
  { ...text, relocatable: true },
];

test("merged PTX of programs of many modules, some joined before", (t) => {
  for (const target of sample(["sm_75", "sm_90"], 2))
    for (const options of sample(texts, 8, { name: (each) => target + JSON.stringify(each) })) {
      t.true(agree(t, program(4, target), target, options));
      const device = generateModules(4, target, "device").map(({ text }, i) => fileOf(text, i));
      t.true(agree(t, device, `device ${target}`, options));
      t.true(agree(t, [joined(device.slice(0, 3)), ...device.slice(3)], `joined ${target}`, options));
    }
  t.true(agree(t, program(3), "for a later one", { ...text, arch: "sm_89" }));
  const old = ["sm_50", "sm_61", "sm_30"].map((target, i) =>
    fileOf(moduleText(`.visible .global .u32 g${i} = ${i};`, target), i),
  );
  t.true(agree(t, old, "older than images", text));
  t.true(agree(t, [...old, ...program(1, "sm_75")], "some older", text));
});

test("merged PTX with statics of one name, declarations in functions, overridden, common and forward-declared symbols", (t) => {
  const bodies = [
    ".global .u32 own = 1;\n.common .global .u32 c[2];\n.extern .global .u64 t[2];\n.global .u64 first[3] = {t, generic(own)+4, c};\n" +
      ".weak .func f() { .shared .u32 s; st.shared.u32 [s], 1; ret; }\n.extern .shared .align 16 .b8 d[];\n" +
      ".extern .func later(.param .u32 a);\n.extern .func stop() .noreturn;\n.visible .entry k() { .shared .u32 s[3]; .reg .u64 %d; mov.u64 %d, s; mov.u64 %d, d; call f; call stop; ret; }",
    ".global .u32 own = 2;\n.common .global .align 16 .u32 c[5];\n.visible .global .u64 t[2] = {own, c+4};\n" +
      ".visible .func f() { .global .u32 s = 7; st.global.u32 [s], 1; ret; }\n.visible .func later(.param .u32 a) { call f; ret; }\n.weak .func stop() .noreturn { trap; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  for (const options of texts) {
    t.true(agree(t, files, "in order", options));
    t.true(agree(t, files.toReversed(), "turned around", options));
    t.true(agree(t, files, "static", { ...options, visibility: [{ to: "localize", pattern: "[ct]" }] }));
  }
});

test("merged PTX of everything in testdata that links", (t) => {
  let [plain, tried] = [0, 0];
  for (const name of sample(matrixNames(), 80))
    for (const order of readMatrixFile(name)
      .expect.flatMap(({ orders }) => orders)
      .slice(0, 1)) {
      tried++;
      if (agree(t, textsOf(name, order).map(fileOf), `${name} ${order}`, text)) plain++;
    }
  for (const { what, modules } of someRecordedLinks(16)) {
    const files = modules.map(fileOf);
    tried++;
    if (agree(t, files, what, texts[plain % texts.length])) plain++;
  }
  t.true(plain * 5 > tried, `${plain} of ${tried} were plain`);
});

test("merged PTX of compiled programs, some with debug sections", (t) => {
  let [plain, tried] = [0, 0];
  for (const name of someProgramNames(60)) {
    tried += texts.length;
    for (const options of texts) if (agree(t, programFiles(name), name, options)) plain++;
    if (name.endsWith("-debug")) t.true(agree(t, programFiles(name), name, text));
  }
  t.true(plain * 4 > tried, `${plain} of ${tried} were plain`);
});

test("merged PTX of random sets of modules", (t) => {
  let plain = 0;
  fc.assert(
    fc.property(randomSets, fc.boolean(), fc.constantFrom(...texts), ({ modules }, isJoined, options) => {
      const files = modules.map(fileOf);
      const given = isJoined ? [joined(files.slice(0, 2)), ...files.slice(2)] : files;
      if (agree(t, given, modules.join("\n"), options)) plain++;
    }),
    { numRuns: rounds(120, 8) },
  );
  t.true(plain * 6 > rounds(120, 8), `${plain} were plain`);
});

testRecord();
