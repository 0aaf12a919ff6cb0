// Reports are the same for columns read from files and made from objects. JSON written in parts equals JSON.stringify
// of the whole.

import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import type { RemovedSymbol } from "../../lib/link/gc/collect-options.js";
import { rounds, sample } from "../sample.js";
import { generateModules } from "../../bench/generate-modules.js";
import { createSink } from "../../lib/diag/sink.js";
import { findCallGraph } from "../../lib/link/reports/call-chains.js";
import { crossReferences } from "../../lib/link/reports/cross-reference.js";
import { findDependencies } from "../../lib/link/reports/dependencies.js";
import { emitPtx, linkObjects, linkRelocatable } from "../../lib/link/link-objects.js";
import type { Linked, LinkedNames } from "../../lib/link/model/linked.js";
import { makeMap, mapRows } from "../../lib/link/reports/map.js";
import type { PartialLink } from "../../lib/link/model/relocatable.js";
import { objectMapRows } from "../../lib/link/reports/object-map.js";
import { removedSymbols } from "../../lib/link/gc/explain-live.js";
import { finishLink, resolveLink } from "../../lib/link/link.js";
import { viewLinked, viewNamed } from "../../lib/link/views/views.js";
import { viewPartialLink } from "../../lib/link/views/relocatable.js";
import { traceSymbols } from "../../lib/link/reports/trace-symbol.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { jsonParts } from "../../lib/report/json-parts.js";
import { mapText } from "../../lib/report/map-text.js";
import { objectMapText } from "../../lib/report/object-map-text.js";
import { matrixNames, readMatrixFile, textsOf } from "../oracle/matrix.js";
import { moduleText, objectOf } from "./build.js";
import { randomSets } from "./random-graph.js";
import { linkQuietly } from "./record/links.js";
import type { PassOptions } from "../../lib/link/state/options.js";
import { exceedsLimits } from "../../lib/link/state/results.js";

const textOf = (value: unknown): string => [...jsonParts(value)].join("");

/** All reports of a link. */
function reportsOf(names: LinkedNames, linked: Linked): Readonly<Record<string, string>> {
  const map = mapRows(linked);
  return {
    map: textOf(map),
    text: [...mapText(map)].join(""),
    calls: textOf(findCallGraph(linked)),
    references: textOf(crossReferences(names)),
    dependencies: textOf(findDependencies(names)),
    traces: textOf(traceSymbols(names, ["*", "nothing"])),
  };
}

/** Compares both; whether the link was supported. */
function agree(
  t: ExecutionContext,
  files: readonly Uint8Array[],
  what: string,
  options: Pick<PassOptions, "gcSections" | "stripDebug" | "wrap"> = {},
): boolean {
  const plain = linkQuietly(files, options);
  if (plain === undefined) return false;
  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  let names: LinkedNames | undefined;
  let linked: Linked | undefined;
  const onResolved = (all: LinkedNames): void => void (names = all);
  linkObjects(objects, { ...options, name: "image", onResolved, onLinked: (all) => (linked = all) }, sink);
  const own = objects.map(({ name }) => name);
  const view = viewLinked(plain.stages.image!, own, "image");
  const expected = reportsOf(names!, linked!);
  for (const [report, text] of Object.entries(reportsOf(viewNamed(plain.stages.beforeGc, own), view)))
    t.is(text, expected[report]!, `${report}: ${what}`);
  return true;
}

type JoinOptions = Pick<PassOptions, "gcSections" | "relocatable" | "stripDebug" | "asText">;

const mapsOf = (joined: PartialLink, removed: Iterable<RemovedSymbol>): readonly string[] => {
  const map = objectMapRows(joined, removed);
  return [textOf(map), [...objectMapText(map)].join("")];
};

/** Compares maps of -r and --emit ptx; the number of supported links. */
function agreeJoined(t: ExecutionContext, files: readonly Uint8Array[], what: string): number {
  const settings: readonly JoinOptions[] = [
    { relocatable: true },
    { relocatable: true, gcSections: true },
    { relocatable: true, stripDebug: true },
    { asText: true },
    { asText: true, gcSections: true },
    { asText: true, relocatable: true, stripDebug: true },
  ];
  return settings.filter((options) => agreeOn(t, files, what, options)).length;
}

function agreeOn(t: ExecutionContext, files: readonly Uint8Array[], what: string, options: JoinOptions): boolean {
  const own = files.map((_, i) => `${i}.o`);
  let removed: Iterable<RemovedSymbol> = [];
  const named = resolveLink(files, { ...options, onLive: (found) => void (removed = removedSymbols(found, own)) });
  const finished = named && finishLink(named, options);
  if (named === undefined || finished === undefined || exceedsLimits(finished)) return false;
  const output = options.asText === true ? "ptx" : "object";
  const { relocatable = false, stripDebug = false, gcSections = false } = options;
  const view = viewPartialLink(finished.stages.ordered, named.linkTarget, own, {
    output,
    name: "out",
    relocatable,
    stripDebug,
  });

  const sink = createSink();
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  let joined: PartialLink | undefined;
  let dropped: readonly RemovedSymbol[] = [];
  const told = {
    onPartialLink: (all: PartialLink): void => void (joined = all),
    onRemoved: (all: readonly RemovedSymbol[]): void => void (dropped = all),
  };
  const asked = { gcSections, stripDebug, ...told, name: "out" };
  if (options.asText === true) emitPtx(objects, { ...asked, relocatable }, sink);
  else linkRelocatable(objects, asked, sink);
  if (joined === undefined) return false;
  const expected = mapsOf(joined, dropped);
  mapsOf(view, gcSections ? removed : []).forEach((text, i) => {
    t.is(text, expected[i]!, `${JSON.stringify(options)}: ${what}`);
  });
  return true;
}

const fileOf = (text: string, i: number): Uint8Array => writeObject(objectOf(`m${i}.ptx`, text));

test("views of programs of many modules", (t) => {
  for (const kind of [undefined, "device"] as const) {
    const files = generateModules(2, "sm_90", kind).map(({ text }, i) => fileOf(text, i));
    t.true(agree(t, files, kind ?? "plain"));
    t.true(agree(t, files, "without what is dead", { gcSections: true }));
    t.is(agreeJoined(t, files, kind ?? "plain"), 6);
  }
});

test("views of modules that were joined before", (t) => {
  const sink = createSink();
  const files = generateModules(3, "sm_90").map(({ text }, i) => fileOf(text, i));
  const objects = files.map((bytes, i) => readObject(bytes, `${i}.o`, sink)!);
  t.true(agree(t, [writeObject(linkRelocatable(objects.slice(1), {}, sink)!), files[0]!], "joined"));
});

test("views of weak definitions, aliases, addresses of functions, cycles and shared memory", (t) => {
  const bodies = [
    ".visible .global .u32 g[3];\n.weak .global .u64 w[2] = {g, generic(g)+4};\n.extern .global .u32 far[];\n" +
      ".weak .shared .align 8 .b8 s[24];\n.extern .shared .align 16 .b8 d[];\n.shared .u32 idle;\n.extern .func nowhere();\n" +
      ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n" +
      ".visible .func f2(.param .u32 a);\n.visible .func f(.param .u32 a) { .local .b8 l[12]; .reg .u64 %d; mov.u64 %d, s; mov.u64 %d, far; ret; }\n.alias f2, f;\n" +
      ".global .u64 table[1] = {f};\n" +
      ".visible .entry k(.param .u64 out, .param .align 4 .b8 b[12]) { .shared .u64 u[3]; .reg .u64 %d; mov.u64 %d, u; mov.u64 %d, d; ret; }",
    ".visible .global .u32 far[5] = {1, 2};\n.weak .global .u64 w[2] = {far, far+4};\n.const .align 16 .u32 c = 3;\n" +
      ".visible .shared .align 8 .b8 s[24];\n.func circle();\n.func other() { call circle; ret; }\n" +
      ".func circle() { .reg .u64 %d; mov.u64 %d, s; mov.u64 %d, w; call other; ret; }\n.visible .entry k2() { call circle; ret; }",
  ];
  const files = bodies.map((body, i) => fileOf(moduleText(body), i));
  t.true(agree(t, files, "in order"));
  t.true(agree(t, files.toReversed(), "turned around"));
  t.true(agree(t, files, "without what is dead", { gcSections: true }));
  t.true(agree(t, files, "with other names", { wrap: ["nowhere"] }));
  t.true(agree(t, files, "stripped", { stripDebug: true }));
  t.true(agreeJoined(t, files, "in order") > 3);
  t.true(agreeJoined(t, files.toReversed(), "turned around") > 3);
});

test("views of the matrix's cases", (t) => {
  let plain = 0;
  let joined = 0;
  const names = sample(matrixNames(), 80);
  for (const name of names) {
    const [order] = readMatrixFile(name).expect.flatMap(({ orders }) => orders);
    if (order === undefined) continue;
    const files = textsOf(name, order).map(fileOf);
    if (agree(t, files, name)) plain++;
    joined += agreeJoined(t, files, name);
  }
  t.true(plain * 30 > names.length && joined * 2 > names.length, `${plain} images and ${joined} others were plain`);
});

test("views of random sets of modules", (t) => {
  fc.assert(
    fc.property(randomSets, ({ modules }) => {
      const files = modules.map(fileOf);
      agree(t, files, modules.join("\n"));
      agreeJoined(t, files, modules.join("\n"));
    }),
    { numRuns: rounds(40, 8) },
  );
});

test("JSON written in parts equals the whole", (t) => {
  const map = (count: number) => {
    const files = generateModules(count, "sm_90").map(({ text }, i) => fileOf(text, i));
    const { stages } = linkQuietly(files)!;
    const names = files.map((_, i) => `${i}.o`);
    return viewLinked(stages.image!, names, "image");
  };
  const view = map(2);
  t.is(textOf(mapRows(view)), JSON.stringify(makeMap(view), undefined, 2));
  fc.assert(fc.property(fc.jsonValue(), (value) => t.is(textOf(value), JSON.stringify(value, undefined, 2))));
  t.is(
    textOf({ left: undefined, list: new Set([1, "a\n"]), none: [] }),
    '{\n  "list": [\n    1,\n    "a\\n"\n  ],\n  "none": []\n}',
  );
});
