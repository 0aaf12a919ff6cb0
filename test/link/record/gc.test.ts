// --gc-sections against the record of links: the same bytes, or a file is one to be read in detail.
// A sample of recorded links and programs: some of each kind of link, and of the programs.

import test from "ava";
import fc from "fast-check";
import { generateModules } from "../../../bench/generate-modules.js";
import { createSink } from "../../../lib/diag/sink.js";
import type { RemovedSymbol } from "../../../lib/link/gc/collect-options.js";
import { linkObjects } from "../../../lib/link/link-objects.js";
import type { LiveSymbols } from "../../../lib/link/gc/collect.js";
import { removedSymbols, explainLiveness } from "../../../lib/link/gc/explain-live.js";
import type { RootOptions } from "../../../lib/link/gc/roots.js";
import type { WhyLive } from "../../../lib/link/gc/why-live.js";
import { readObject } from "../../../lib/object/file/read.js";
import { matrixNames, readMatrixFile, textsOf } from "../../oracle/matrix.js";
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

const everything: PassOptions = { gcSections: true };
const kernelsOnly: PassOptions = { gcSections: true, roots: { keepExports: false } };

test("--gc-sections on programs of many modules", (t) => {
  for (const target of sample(["sm_75", "sm_90"], 2))
    for (const options of sample([everything, kernelsOnly], 2, { name: (each) => target + JSON.stringify(each) })) {
      t.true(agree(t, program(4, target), target, options));
      const device = generateModules(5, target, "device").map(({ text }, i) => fileOf(text, i));
      t.true(agree(t, device, `device ${target}`, options));
    }
});

test("--gc-sections on compiled programs, with debug sections and tables of functions", (t) => {
  let [plain, tried] = [0, 0];
  for (const name of someProgramNames(60))
    for (const options of [everything, kernelsOnly]) {
      tried++;
      if (agree(t, programFiles(name), name, options)) plain++;
    }
  t.true(plain * 8 > tried, `${plain} of ${tried} were plain`);
});

test("--gc-sections on everything in testdata that links", (t) => {
  let [plain, tried] = [0, 0];
  for (const name of sample(matrixNames(), 80))
    for (const order of readMatrixFile(name)
      .expect.flatMap(({ orders }) => orders)
      .slice(0, 2)) {
      const files = textsOf(name, order).map(fileOf);
      tried += 2;
      for (const options of [everything, kernelsOnly]) if (agree(t, files, `${name} ${order}`, options)) plain++;
    }
  for (const { what, modules } of someRecordedLinks(16)) {
    const files = modules.map(fileOf);
    tried += 2;
    for (const options of [everything, kernelsOnly]) if (agree(t, files, what, options)) plain++;
  }
  t.true(plain * 5 > tried, `${plain} of ${tried} were plain`);
});

const names = fc.array(
  fc.nat({ max: 40 }).map((i) => `s${i}`),
  { minLength: 1, maxLength: 3 },
);
const patterns = fc.array(fc.constantFrom("s*", "s1*", "s?", "*2", "s[0-5]*"), { minLength: 1, maxLength: 2 });
const roots: fc.Arbitrary<RootOptions> = fc.record(
  {
    keepExports: fc.boolean(),
    undefined: names,
    undefinedGlobs: patterns,
    required: names,
    kernelsUsed: patterns,
    variablesUsed: patterns,
  },
  { requiredKeys: ["keepExports"] },
);

test("--gc-sections on random sets of modules, with random roots", (t) => {
  let plain = 0;
  fc.assert(
    fc.property(randomSets, roots, fc.boolean(), ({ modules }, some, isNarrow) => {
      const files = modules.map(fileOf);
      if (agree(t, files, modules.join("\n"), isNarrow ? { gcSections: true, roots: some } : everything)) plain++;
    }),
    { numRuns: rounds(100, 8) },
  );
  t.true(plain * 4 > rounds(100, 8), `${plain} were plain`);
});

test("--gc-sections on the output of -r", (t) => {
  let plain = 0;
  fc.assert(
    fc.property(randomSets, fc.boolean(), ({ modules }, keepExports) => {
      const files = modules.map(fileOf);
      const given = [joined([joined(files.slice(0, 2)), files[2]!]), files[3]!];
      if (agree(t, given, modules.join("\n"), { gcSections: true, roots: { keepExports } })) plain++;
    }),
    { numRuns: rounds(40, 8) },
  );
  t.true(plain * 4 > rounds(40, 8), `${plain} were plain`);
});

test("the rest of a section keeps its bytes, also where something between was removed", (t) => {
  const bodies = [
    ".extern .global .u32 far;\n.extern .func g();\n.visible .global .align 16 .b8 first[3] = {1, 2, 3};\n.global .align 2 .b8 between[2] = {7, 7};\n" +
      ".global .u64 dead[2] = {far, g};\n.weak .global .u64 lost[2] = {far, generic(first)};\n.const .u64 table[2] = {g, generic(first)+8};\n" +
      ".weak .func f() { .reg .u64 %d; mov.u64 %d, dead; ret; }\n.visible .entry k() { .reg .u64 %d; mov.u64 %d, table; mov.u64 %d, lost; ret; }",
    ".visible .func f();\n.visible .global .u32 far = 5;\n.visible .global .u64 lost[2] = {far, far};\n.global .u32 own = 1;\n.visible .func g() { call f; ret; }\n" +
      ".visible .func f() { .reg .u64 %d; mov.u64 %d, own; ret; }\n.visible .func idle() { call g; ret; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  for (const options of [everything, kernelsOnly, { gcSections: true, roots: { undefined: ["idle"] } }]) {
    t.true(agree(t, files, "in order", options));
    t.true(agree(t, files.toReversed(), "turned around", options));
  }
});

test("unknown roots are reported, and a link of which nothing is left", (t) => {
  const file = fileOf(moduleText(".visible .entry k() { ret; }\n.visible .global .u32 g;\n.func f() { ret; }"), 0);
  const isPlain = (roots: RootOptions, gcSections = true): boolean => agree(t, [file], "", { gcSections, roots });
  t.true(isPlain({ kernelsUsed: ["k"], variablesUsed: ["g"], required: ["k"], undefined: ["f", "nowhere"] }));
  t.true(isPlain({ kernelsUsed: ["k", "j*"] }));
  t.true(isPlain({ variablesUsed: ["k"] }));
  t.true(isPlain({ required: ["f"] }));
  t.true(isPlain({ required: ["nowhere"] }, false));
  t.true(isPlain({ required: ["k"] }, false));
  // A link of dead code and declarations only is reported, unless there is another error.
  const dead = fileOf(moduleText(".func f() { ret; }"), 0);
  t.true(agree(t, [dead], "", everything));
  t.true(agree(t, [fileOf(moduleText(".extern .global .u32 g;"), 0)], "", everything));
  t.true(agree(t, [dead], "", { gcSections: true, roots: { required: ["nowhere"] } }));
  t.true(agree(t, [dead, dead], "", { gcSections: true, relocatable: true }));
});

test("removed symbols, and reasons for the rest, equal those of a link of objects", (t) => {
  const texts = fc.tuple(randomSets, fc.boolean(), fc.boolean());
  let told = 0;
  fc.assert(
    fc.property(texts, ({ 0: { modules, names: all }, 1: gcSections, 2: keepExports }) => {
      const files = modules.map(fileOf);
      const fileNames = files.map((_, i) => `${i}.o`);
      const objects = files.map((bytes, i) => readObject(bytes, fileNames[i]!, createSink())!);
      const removed: RemovedSymbol[] = [];
      const ways: WhyLive[] = [];
      const whyLive = [...all, "s1*", "none"];
      const options = { gcSections, roots: { keepExports } };
      const onRemoved = (found: readonly RemovedSymbol[]): void => void removed.push(...found);
      const onWhyLive = (found: readonly WhyLive[]): void => void ways.push(...found);
      linkObjects(objects, { ...options, whyLive, onRemoved, onWhyLive }, createSink());
      const onLive = (found: LiveSymbols): void => {
        told++;
        if (gcSections) t.deepEqual([...removedSymbols(found, fileNames)], removed);
        t.deepEqual([...explainLiveness(found, fileNames, whyLive, gcSections)], ways);
      };
      linkQuietly(files, { ...options, onLive });
    }),
    { numRuns: rounds(60, 8) },
  );
  t.true(told * 6 > 5 * rounds(60, 8));
});

testRecord();
