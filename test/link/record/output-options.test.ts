// --strip-debug, --discard-all, --emit-relocs and --debug-line, compared with the record of links. A sample has a few
// programs of each kind, and one in 32 of the recorded links.

import test from "ava";
import fc from "fast-check";
import { rounds, sample } from "../../sample.js";
import { generateModules } from "../../../bench/generate-modules.js";
import { fileOf, joined, program, programFiles, someProgramNames, someRecordedLinks, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import { randomSets } from "../random-graph.js";
import type { PassOptions } from "../../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

const shapes: readonly PassOptions[] = [
  { stripDebug: true },
  { discardLocals: true },
  { emitRelocations: true },
  { stripDebug: true, discardLocals: true },
  { stripDebug: true, discardLocals: true, emitRelocations: true },
  { discardLocals: true, emitRelocations: true, gcSections: true },
  { stripDebug: true, relocatable: true },
  { lineTables: true },
  { lineTables: true, discardLocals: true },
];
const ordered: PassOptions = {
  stripDebug: true,
  discardLocals: true,
  emitRelocations: true,
  symbolOrder: { sort: "name" },
};

test("programs of many modules, some joined before", (t) => {
  for (const options of sample([...shapes, ordered], 6, { name: (each) => JSON.stringify(each) })) {
    t.true(agree(t, program(3), "", options));
    const device = generateModules(4, "sm_90", "device").map(({ text }, i) => fileOf(text, i));
    t.true(agree(t, device, "device", options));
    t.true(agree(t, [joined(device.slice(0, 3)), ...device.slice(3)], "joined", options));
  }
});

test("compiled programs, with lines, debug sections and tables of functions", (t) => {
  for (const name of someProgramNames(60)) {
    const isPlain = name !== "old-constants" && name !== "old-registers" && !name.startsWith("bits32-");
    for (const options of shapes) t.is(agree(t, programFiles(name), name, options), isPlain, name);
  }
});

test("symbols of relocations, applied or not", (t) => {
  const uses = (...names: readonly string[]): string =>
    `.reg .u64 %d; .reg .u32 %x; ${names.map((name) => `mov.u64 %d, ${name};`).join(" ")}`;
  const bodies = [
    ".const .align 4 .u32 own[3] = {1, 2, 3};\n.visible .const .align 8 .u64 p[3] = {own+4, 7, generic(own)};\n.const .u32 idle;\n" +
      ".global .u32 far = 3;\n.global .u32 unused[4];\n.global .u64 t[2] = {far, own+8};\n.shared .u32 s[4];\n.shared .u32 lost;\n.extern .shared .u8 d[];\n" +
      `.visible .entry k() { .shared .u32 u[3]; ${uses("own", "s", "d", "u", "t")} ld.shared.u32 %x, [s+8]; ret; }`,
    ".const .u16 narrow[2] = {5, 6};\n.visible .const .u32 q = narrow+2;\n.extern .const .u64 p[];\n.global .texref tex;\n" +
      `.weak .const .u64 w = p+8;\n.func f() { ${uses("p", "w", "narrow")} $idle: bra $end; $end: ret; }\n.visible .func g() { call f; ret; }`,
    `.weak .const .u64 w = 9;\n.extern .shared .u8 d[];\n.visible .entry k2() { ${uses("w", "d")} ret; }`,
  ];
  for (const target of ["sm_80", "sm_90"]) {
    const files = bodies.map((body, i) => fileOf(moduleText(body, target), i));
    for (const options of shapes) {
      t.true(agree(t, files, "in order", options));
      t.true(agree(t, files.toReversed(), "turned around", options));
      t.true(agree(t, files, "static", { ...options, visibility: [{ to: "localize", pattern: "[pqw]" }] }));
    }
  }
});

test("everything in testdata that links", (t) => {
  let plain = 0;
  const links = someRecordedLinks(16);
  for (const [i, { what, modules }] of links.entries()) {
    const files = modules.map(fileOf);
    if (agree(t, files, what, shapes[i % shapes.length])) plain++;
  }
  t.true(plain * 5 > links.length, `${plain} of ${links.length} were plain`);
});

test("random sets of modules", (t) => {
  let plain = 0;
  fc.assert(
    fc.property(randomSets, fc.boolean(), fc.constantFrom(...shapes, ordered), ({ modules }, isJoined, options) => {
      const files = modules.map(fileOf);
      const given = isJoined ? [joined(files.slice(0, 2)), ...files.slice(2)] : files;
      if (agree(t, given, modules.join("\n"), options)) plain++;
    }),
    { numRuns: rounds(120, 8) },
  );
  t.true(plain * 6 > rounds(120, 8), `${plain} were plain`);
});

testRecord();
