// Resource usage, sizes, bytes, single functions, and which image a device loads. Resource usage is compared with ptxas
// -v (testdata/inspect/resources/usage.txt, made by make.sh in that folder).

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import test from "ava";
import { createSink } from "../../lib/diag/sink.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { Inspection, InspectOptions } from "../../lib/inspect/inspection.js";
import { cubinRefusal, ptxRefusal } from "../../lib/inspect/loads.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { parseTarget } from "../../lib/isa/requirement.js";

const folder = fileURLToPath(new URL("../../../testdata/inspect/resources/", import.meta.url));

function inspect(name: string, options: Partial<InspectOptions>, where = folder): Inspection {
  const sink = createSink();
  const { inspection } = inspectFile({ name, bytes: readFileSync(where + name) }, { views: [], ...options }, sink);
  if (inspection === undefined || sink.errorCount > 0) throw new Error(sink.all.map(({ message }) => message).join());
  return inspection;
}

/**
 * ptxas's line about a kernel: "Used 42 registers, used 0 barriers, 144 bytes cumulative stack size, 368 bytes
 * cmem[0]".
 */
function recorded(file: string): ReadonlyMap<string, string> {
  const usage = readFileSync(`${folder}usage.txt`, "utf8");
  const own = usage.slice(usage.indexOf(file)).split(/\nkernels/)[0]!;
  return new Map([...own.matchAll(/entry function '(\w+)'[^]*?Used (.*)/g)].map(([, name, used]) => [name!, used!]));
}

const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

for (const sm of [75, 90, 100]) {
  const file = `kernels.sm_${sm}.cubin`;
  test(`${file}: resource usage equals ptxas -v's`, (t) => {
    const { resourceUsage } = inspect(file, { views: ["resourceUsage"] });
    const used = recorded(file);
    const kernels = resourceUsage!.functions.filter(({ isKernel }) => isKernel);
    t.deepEqual(kernels.map(({ name }) => name).sort(), [...used.keys()].sort());
    for (const { name, registers, barriers, stackBytes, sharedBytes, constants } of kernels) {
      const text = used.get(name)!;
      t.is(registers, number(text, /(\d+) registers/), name);
      t.is(barriers, number(text, /(\d+) barriers/), name);
      t.is(stackBytes, number(text, /(\d+) bytes cumulative stack/), name);
      t.is(sharedBytes, number(text, /(\d+) bytes smem/), name);
      // From sm_90 on ptxas does not print banks.
      for (const { bank, bytes } of sm < 90 ? constants : [])
        t.is(bytes, number(text, new RegExp(`(\\d+) bytes cmem\\[${bank}\\]`)), name);
    }
    t.is(resourceUsage!.globalBytes, 43);
  });
}

test("resource usage as text is cuobjdump's line", (t) => {
  const text = renderInspection(inspect("kernels.sm_75.cubin", { views: ["resourceUsage"] }));
  t.regex(
    text,
    /\n Function reverse:\n {2}REG:12 STACK:0 SHARED:256 LOCAL:0 CONSTANT\[0\]:360 TEXTURE:0 SURFACE:0 SAMPLER:0\n/,
  );
});

test("texture references count for the kernels whose code uses them", (t) => {
  const { resourceUsage } = inspect(
    "textures.sm_75.cubin",
    { views: ["resourceUsage"] },
    fileURLToPath(new URL("../../../testdata/inspect/cubins/", import.meta.url)),
  );
  t.true(resourceUsage!.functions.some(({ textures }) => textures > 0));
});

test("sizes: the parts of a file add up to it, and duplicated code is found", (t) => {
  for (const file of ["kernels.sm_75.cubin", "kernels.sm_100.cubin"]) {
    const { sizes, size } = inspect(file, { views: ["sizes"] });
    const functions = sizes!.functions.reduce((sum, { code, metadata }) => sum + code + metadata, 0);
    t.is(functions + sizes!.others.reduce((sum, { bytes }) => sum + bytes, 0), size);
    t.deepEqual(sizes!.functions.map(({ name }) => name).sort(), ["reverse", "wander"]);
  }
  const { containerSizes } = inspect("kernels.fatbin", { views: ["sizes"] });
  t.deepEqual(containerSizes!.byTarget.map(({ name }) => name).sort(), ["sm_75", "sm_90"]);
  t.deepEqual(
    containerSizes!.byFunction.map(({ name, count }) => [name, count]),
    [
      ["wander", 2],
      ["reverse", 2],
    ],
  );
  t.deepEqual(containerSizes!.duplicates, []);
});

test("hex: a section by name or number, laid out as readelf -x does", (t) => {
  const { hex, summary } = inspect("kernels.sm_75.cubin", { hex: [".strtab", "1"] });
  t.is(summary, undefined);
  t.deepEqual(
    hex!.map(({ section }) => section),
    [
      { index: 1, name: ".shstrtab" },
      { index: 2, name: ".strtab" },
    ],
  );
  const bytes = readFileSync(`${folder}kernels.sm_75.cubin`);
  for (const { offset, size, hex: digits } of hex!) t.is(digits, bytes.subarray(offset, offset + size).toString("hex"));
  const text = renderInspection(inspect("kernels.sm_75.cubin", { hex: ["1"] }));
  t.regex(text, /\n {2}0x00000000 002e7368 73747274 6162002e 73747274 \.\.shstrtab\.\.strt\n/);
});

test("one function of everything inside, by mangled or demangled name", (t) => {
  const { elements } = inspect("kernels.fatbin", { views: ["kernels"], functions: ["reverse"] });
  t.deepEqual(
    elements!.map(({ kernels, functions }) => [...kernels!, ...functions!].map(({ name }) => name)),
    [["reverse"], ["reverse"], ["reverse"]],
  );
  const fib = inspect("kernels.sm_75.cubin", { views: ["kernels"], functions: ["wander", "nothing"] });
  t.deepEqual(
    fib.kernels!.map(({ name }) => name),
    ["wander"],
  );
});

const target = (name: string) => parseTarget(name)!;

test("machine code loads on its major version from its minor on, `a` on one, `f` in a family; PTX on all later ones", (t) => {
  const runs = (code: string, sm: number): boolean => cubinRefusal(target(code), sm) === undefined;
  for (const [code, sm] of [
    ["sm_80", 80],
    ["sm_80", 86],
    ["sm_80", 89],
    ["sm_90a", 90],
    ["sm_100f", 103],
    ["sm_100", 103],
  ] as const)
    t.true(runs(code, sm), `${code} on ${sm}`);
  for (const [code, sm] of [
    ["sm_86", 80],
    ["sm_80", 87],
    ["sm_75", 80],
    ["sm_90a", 100],
    ["sm_100a", 103],
    ["sm_100f", 120],
  ] as const)
    t.false(runs(code, sm), `${code} on ${sm}`);
  const compiles = (code: string, sm: number): boolean => ptxRefusal(target(code), sm) === undefined;
  for (const [code, sm] of [
    ["sm_75", 120],
    ["sm_90a", 90],
    ["sm_100f", 103],
  ] as const)
    t.true(compiles(code, sm));
  for (const [code, sm] of [
    ["sm_90", 80],
    ["sm_90a", 100],
    ["sm_100f", 120],
  ] as const)
    t.false(compiles(code, sm));
});

test("--loads-on tells which image the driver takes, and why not the others", (t) => {
  const on = (sm: number) => inspect("kernels.fatbin", { loadsOn: sm }).loads!.modules[0]!;
  t.like(on(75).chosen, { kind: "cubin", name: "kernels.fatbin(1.sm_75.cubin)" });
  t.like(on(90).chosen, { kind: "cubin", name: "kernels.fatbin(2.sm_90.cubin)" });
  t.like(on(120).chosen, { kind: "ptx", name: "kernels.fatbin(3.sm_90.ptx)" });
  const none = on(80);
  t.is(none.chosen, null);
  t.deepEqual([...none.kernels].sort(), ["reverse", "wander"]);
  t.deepEqual(
    none.candidates.map(({ refused }) => refused),
    [
      "machine code runs on its own major version alone",
      "machine code runs on its own major version alone",
      "PTX for sm_90 needs a device of that version or later",
    ],
  );
});
