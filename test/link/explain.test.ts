// Reports of a link: maps, symbol traces, cross-references, counts, usage and times, for the two modules in
// testdata/link/map. Golden files have the whole texts; PTXKIT_UPDATE=1 writes them again, so review the difference.

import { readFileSync, writeFileSync } from "node:fs";
import test from "ava";
import { ptxkit } from "../cli/surroundings.js";
import { readObject } from "../../lib/object/file/read.js";
import { createSink } from "../../lib/diag/sink.js";
import type { LinkMap } from "../../lib/link/reports/map.js";
import type { MapMemory } from "../../lib/link/reports/map-rows.js";

const folder = new URL("../../../testdata/link/map/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const files = { "a.ptx": read("a.ptx"), "b.ptx": read("b.ptx") };

const link = (...options: readonly string[]) =>
  ptxkit(["link", "a.ptx", "b.ptx", "-o", "p.img", ...options], { files });
const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("utf8");

const golden: readonly (readonly [name: string, options: readonly string[]])[] = [
  ["map.txt", ["--map", "-"]],
  ["map-gc.txt", ["--map", "-", "--gc-sections"]],
  ["map.json", ["--map", "-", "--map-format", "json"]],
  ["cref.txt", ["--cref"]],
  ["trace.txt", ["-y", "mode", "--trace-symbol", "_ZN3ray5*", "-y", "vprintf", "-y", "mood"]],
  ["memory.txt", ["--print-memory-usage"]],
  ["counts.txt", ["--print-symbol-counts", "-"]],
  ["reports.json", ["-y", "mode", "--print-memory-usage", "--print-gc-sections", "--gc-sections", "--json"]],
];

for (const [name, options] of golden)
  test(`${options.join(" ")} writes ${name}`, async (t) => {
    const { status, out, err, written } = await link(...options);
    t.is(status, 0, err);
    t.true(written.has("p.img"));
    if (process.env["PTXKIT_UPDATE"] !== undefined) writeFileSync(new URL(name, folder), out);
    t.is(out, read(name));
  });

async function mapOf(...options: readonly string[]): Promise<LinkMap> {
  const { written } = await link("--map", "m.json", ...options);
  return JSON.parse(text(written.get("m.json"))) as LinkMap;
}

test("the map gives the offset of every variable and function, as in the image", async (t) => {
  for (const options of [[], ["--gc-sections"]]) {
    const { written } = await link("--map", "m.json", ...options);
    const map = JSON.parse(text(written.get("m.json"))) as LinkMap;
    const image = readObject(written.get("p.img")!, "p.img", createSink())!;
    const told = map.memories.flatMap(({ kernel, entries }) =>
      entries.flatMap((entry) => (entry.kind === "variable" ? [`${kernel ?? ""} ${entry.name} ${entry.offset}`] : [])),
    );
    for (const symbol of image.symbols) {
      if (symbol.kind !== "variable" || symbol.placement.kind !== "section") continue;
      const { role } = image.sections[symbol.placement.section]!;
      const kernel = role.kind === "shared" ? image.symbols[role.symbol]!.name : "";
      t.true(told.includes(`${kernel} ${symbol.name} ${symbol.placement.offset}`), symbol.name);
    }
    for (const { name, parameterOffsets, kernel } of image.kernels.map((k) => ({
      ...k,
      name: image.symbols[k.symbol]!.name,
      kernel: map.memories.find((m) => m.space === "param" && m.kernel === image.symbols[k.symbol]!.name),
    })))
      t.deepEqual(
        kernel?.entries.flatMap((entry) => (entry.kind === "parameter" ? [entry.offset] : [])),
        [...parameterOffsets],
        name,
      );
    t.deepEqual(
      map.functions.map(({ section, size }) => [section, size]),
      image.sections.flatMap(({ role, size }) =>
        role.kind === "text" ? [[`.text.${image.symbols[role.symbol]!.name}`, size]] : [],
      ),
    );
  }
});

test("entries of a memory in the map fill it without gaps and overlaps", async (t) => {
  const isOfModule = ({ space, kernel }: MapMemory) => space !== "shared" || kernel !== undefined;
  for (const { section, size, entries } of (await mapOf()).memories.filter(isOfModule)) {
    let end = 0;
    for (const entry of entries) {
      t.is(entry.offset, end, `${section} ${JSON.stringify(entry)}`);
      end += entry.size;
    }
    t.is(end, size, section);
  }
});

test("an image with a map has the bytes of one without", async (t) => {
  const plain = (await link()).written.get("p.img")!;
  const told = await link("--map", "m.txt", "--cref", "--time-trace", "t.json", "-y", "k", "--save-repro", "r");
  t.deepEqual(told.written.get("p.img"), plain);
});

test("symbols are traced where the link fails, and no map is written then", async (t) => {
  const broken = { ...files, "b.ptx": files["b.ptx"].replaceAll("_ZN3ray5shadeEi", "_ZN3ray5shaedEi") };
  const { status, out, written } = await ptxkit(
    ["link", "a.ptx", "b.ptx", "-o", "p.img", "--map", "m.txt", "-y", "_ZN3ray5shadeEi"],
    { files: broken },
  );
  t.is(status, 1);
  t.is(
    out,
    [
      "a.ptx:8: declaration of _ZN3ray5shadeEi (ray::shade(int)): .func (.b32) _ZN3ray5shadeEi (.b32)",
      "a.ptx:22: reference to _ZN3ray5shadeEi (ray::shade(int)) in 'k'",
      "",
    ].join("\n"),
  );
  t.is(written.size, 0);
});

test("two outputs on standard output are refused, and a memory chart of an output without layout", async (t) => {
  for (const [options, says] of [
    [["--map", "-", "--print-symbol-counts", "-"], /--map and --print-symbol-counts cannot both/],
    [["--map", "p.img"], /-o and --map cannot both be written to p\.img/],
    [["-r", "--print-memory-usage"], /-r assigns no addresses/],
    [["--remap-inputs", "a.ptx"], /FROM=TO/],
  ] as const) {
    const { status, err } = await link(...options);
    t.is(status, 2);
    t.regex(err, says);
  }
});

test("a time trace has all passes in sequence, and the files within the first", async (t) => {
  const { written } = await link("--time-trace", "t.json");
  const { traceEvents } = JSON.parse(text(written.get("t.json"))) as {
    readonly traceEvents: readonly {
      readonly name: string;
      readonly ph: string;
      readonly ts: number;
      readonly dur: number;
    }[];
  };
  const [whole, ...spans] = traceEvents.filter(({ ph }) => ph === "X");
  const files = spans.splice(-2);
  t.deepEqual(
    files.map(({ name }) => name),
    ["a.ptx", "b.ptx"],
  );
  t.is(whole!.name, "ptxkit link");
  t.true(spans.some(({ name }) => name === "layout"));
  let end = 0;
  for (const { ts, dur } of spans) {
    t.is(ts, end);
    end = ts + dur;
  }
  t.is(end, whole!.dur);
  for (const { ts, dur } of files) t.true(ts + dur <= spans[0]!.dur);
});
