// Maps are true. For the recorded random programs (testdata/oracle/link/layouts.json) every variable is at its mapped
// address, rows fill each memory exactly, and sums over modules equal those of the sections.

import { readFileSync } from "node:fs";
import test from "ava";
import type { RemovedSymbol } from "../../lib/link/gc/collect-options.js";
import type { Linked } from "../../lib/link/model/linked.js";
import { makeMap, type LinkMap } from "../../lib/link/reports/map.js";
import type { LinkedImage } from "../../lib/object/object.js";
import { modulesOf, type RecordedCase } from "../oracle/compare-link.js";
import { testdata } from "../oracle/programs.js";
import { linkAll, moduleText, objectOf } from "./build.js";

const recorded = JSON.parse(readFileSync(new URL("oracle/link/layouts.json", testdata), "utf8")) as {
  readonly cases: readonly RecordedCase[];
};

function mapOf(names: readonly string[], texts: readonly string[], gcSections: boolean): [LinkMap, LinkedImage] {
  let linked: Linked | undefined;
  let removed: readonly RemovedSymbol[] = [];
  const { image, diagnostics } = linkAll(
    texts.map((text, i) => objectOf(names[i]!, text)),
    { gcSections, onLinked: (each) => (linked = each), onRemoved: (each) => (removed = each) },
  );
  if (image === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return [makeMap(linked!, removed), image];
}

/** Each variable with its memory and offset. */
function placesIn({ symbols, sections }: LinkedImage): readonly string[] {
  return symbols.flatMap((symbol) => {
    if (symbol.kind !== "variable" || symbol.placement.kind !== "section") return [];
    const { role } = sections[symbol.placement.section]!;
    const owner = role.kind === "shared" ? symbols[role.symbol]!.name : "";
    return [`${owner} ${symbol.name} ${symbol.placement.offset}`];
  });
}

for (const gcSections of [false, true])
  test(`60 random programs${gcSections ? " with --gc-sections" : ""}`, (t) => {
    for (const each of recorded.cases) {
      const { names, texts } = modulesOf(each);
      const [map, image] = mapOf(names, texts, gcSections);
      const told = new Set(
        map.memories.flatMap(({ kernel = "", entries }) =>
          entries.flatMap((entry) => (entry.kind === "variable" ? [`${kernel} ${entry.name} ${entry.offset}`] : [])),
        ),
      );
      t.deepEqual(
        placesIn(image).filter((place) => !told.has(place)),
        [],
        each.name,
      );
      for (const { space, kernel, section, size, limit, entries } of map.memories) {
        t.true(size <= (limit ?? Infinity));
        // Variables may overlap if no kernel reaches both.
        if (space === "shared" && kernel === undefined) continue;
        const end = entries.reduce((at, entry) => {
          t.is(entry.offset, at, `${each.name}: ${section}`);
          return at + entry.size;
        }, 0);
        t.is(end, size, `${each.name}: ${section}`);
      }
      const sum = (space: "const" | "global" | "global-init" | "code") =>
        map.modules.reduce((all, { bytes }) => all + bytes[space], 0);
      const padding = (space: string) =>
        map.memories
          .filter((memory) => memory.space === space)
          .flatMap(({ entries }) => entries)
          .reduce((all, entry) => all + (entry.kind === "padding" ? entry.size : 0), 0);
      for (const [space, role] of [
        ["const", "constant"],
        ["global", "global"],
        ["global-init", "global-init"],
        ["code", "text"],
      ] as const) {
        const size = image.sections.reduce((all, each) => all + (each.role.kind === role ? each.size : 0), 0);
        t.is(sum(space) + padding(space), size, `${each.name}: ${space}`);
      }
    }
  });

test("aliases are listed with their function, and driver functions as external", (t) => {
  const body = `.visible .func g() { ret; }
.visible .func h();
.alias h, g;
.visible .global .texref tex;
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.visible .entry k() { .reg .b32 %r; call h; call (%r), vprintf, (0, 0); ret; }`;
  const [map] = mapOf(["a.ptx"], [moduleText(body)], false);
  t.deepEqual(
    map.functions.map(({ name, aliases }) => [name, ...aliases]),
    [["g", "h"], ["k"]],
  );
  t.deepEqual(
    map.unplaced.map(({ name, from }) => [name, from]),
    [
      ["vprintf", "driver"],
      ["tex", "binding"],
    ],
  );
  t.is(map.discarded.length, 0);
});

test("for a stripped image, sizes of code are those in the file", (t) => {
  const body = `.visible .func g() { ret; }\n.visible .entry k() { .reg .u32 %r; mov.u32 %r, 1; add.u32 %r, %r, 2; call g; ret; }`;
  const objects = [objectOf("a.ptx", moduleText(body)), objectOf("b.ptx", moduleText(".weak .func g() { ret; }"))];
  let linked: Linked | undefined;
  const { image } = linkAll(objects, { stripDebug: true, onLinked: (each) => (linked = each) });
  const sizes = image!.sections.flatMap(({ role, size }) => (role.kind === "text" ? [size] : []));
  const { functions, discarded } = makeMap(linked!);
  t.deepEqual(functions.map(({ size }) => size), sizes); // prettier-ignore
  // Discarded symbols have their sizes in the input.
  t.deepEqual(discarded.map(({ size }) => size), [objects[1]!.sections[0]!.size]); // prettier-ignore
});

test("an alias that lost has no bytes", (t) => {
  const bodies = [
    ".visible .func f() { ret; }",
    ".func g() { ret; }\n.weak .func f();\n.alias f, g;\n.visible .entry k() { call g; ret; }",
  ];
  const [map] = mapOf(["a.ptx", "b.ptx"], bodies.map((body) => moduleText(body)), false); // prettier-ignore
  t.deepEqual(map.discarded.map(({ name, file, size, reason }) => [name, file, size, reason]), [["f", "b.ptx", 0, "lost"]]); // prettier-ignore
});

test("names of --defsym and permitted undefined names are listed", (t) => {
  const body = `.visible .global .u32 data[4];
.extern .global .u32 second, nowhere;
.visible .entry k() { .reg .b64 %a; mov.u64 %a, second; mov.u64 %a, nowhere; ret; }`;
  let linked: Linked | undefined;
  linkAll([objectOf("a.ptx", moduleText(body))], {
    define: [{ name: "second", base: "data", offset: 4n }],
    allowUndefined: () => true,
    onLinked: (each) => (linked = each),
  });
  const map = makeMap(linked!);
  t.deepEqual(map.aliases, [{ name: "second", base: "data", offset: 4 }]);
  t.deepEqual(
    map.unplaced.map(({ name, from }) => [name, from]),
    [["nowhere", "nobody"]],
  );
});

test("a shared variable that was overridden has dead bytes, and none with --gc-sections", (t) => {
  const bodies = [
    `.weak .shared .align 4 .b8 w[8];\n.visible .entry k() { .reg .b32 %r; ld.shared.b32 %r, [w]; ret; }`,
    `.visible .shared .align 4 .b8 w[8];`,
  ];
  const texts = bodies.map((body) => moduleText(body));
  const entriesOf = (gcSections: boolean) => {
    const [map] = mapOf(["a.ptx", "b.ptx"], texts, gcSections);
    const [memory] = map.memories.filter(({ kernel }) => kernel === "k");
    return memory!.entries.map((entry) => `${entry.kind} ${entry.offset} ${"line" in entry ? entry.file : ""}`);
  };
  t.deepEqual(entriesOf(false), ["dead 0 a.ptx", "variable 8 b.ptx"]);
  t.deepEqual(entriesOf(true), ["variable 0 b.ptx"]);
  const [{ discarded }] = mapOf(["a.ptx", "b.ptx"], texts, false);
  t.deepEqual(
    discarded.map(({ name, reason, keepsBytes }) => [name, reason, keepsBytes]),
    [["w", "lost", true]],
  );
});
