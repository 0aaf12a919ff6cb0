// Comparing a fatbin's images, lines of code, occupancy and constants: real files of nvcc 13.0
// (testdata/inspect/images).

import { readFileSync } from "node:fs";
import test from "ava";
import { readLineUnits } from "../../formats/dwarf/index.js";
import { readElf, sectionNamed } from "../../formats/elf/index.js";
import { compareImages } from "../../lib/inspect/compare-images.js";
import { createSink } from "../../lib/diag/sink.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { Inspection } from "../../lib/inspect/inspection.js";
import { occupancyView } from "../../lib/inspect/occupancy.js";
import { rounds } from "../sample.js";
import { ptxkit } from "../cli/surroundings.js";
import { containerBytes } from "../formats/containers.js";
import { mutations } from "../formats/hostile.js";
import { inspected } from "./recorded.js";

const folder = new URL("../../../testdata/inspect/", import.meta.url);
const bytesOf = (name: string): Uint8Array => Uint8Array.from(readFileSync(new URL(name, folder)));
const files = {
  "unlike.fatbin": bytesOf("images/unlike.fatbin"),
  "alike.fatbin": bytesOf("resources/kernels.fatbin"),
  "inlined.cubin": bytesOf("images/inlined.sm_90.cubin"),
  program: containerBytes("program"),
};

async function json(...words: readonly string[]): Promise<Inspection> {
  return JSON.parse((await ptxkit(["inspect", ...words, "--json"], { files })).out) as Inspection;
}

test("images of a fatbin that differ are findings, and status 1", async (t) => {
  const { status, out } = await ptxkit(["inspect", "unlike.fatbin", "--compare-images"], { files });
  t.is(status, 1);
  t.is(
    out,
    `unlike.fatbin: fatbin, 3600 bytes

unlike.fatbin, fatbin 1: 3 images, 5 kernels, 5 differences
  unlike.fatbin(1.sm_80.cubin): late: missing: is not in this image
  unlike.fatbin(1.sm_80.cubin): taking: parameters: 2 parameters, 12 bytes: 8 at 0, 4 at 8; in unlike.fatbin(3.sm_90.ptx) 2 parameters, 16 bytes: 8 at 0, 8 at 8
  unlike.fatbin(1.sm_80.cubin): bounded: launch-bounds: .maxntid 128, 1, 1; in unlike.fatbin(3.sm_90.ptx) .maxntid 256, 1, 1
  unlike.fatbin(2.sm_90.cubin): tiled: shared: 256 bytes; in unlike.fatbin(1.sm_80.cubin) 128 bytes
  unlike.fatbin(2.sm_90.cubin): constants: 32 bytes of .const variables; in unlike.fatbin(1.sm_80.cubin) 16 bytes
`,
  );
  const { images } = await json("unlike.fatbin", "--compare-images");
  t.deepEqual(
    images![0]!.findings.map(({ kernel, what }) => [kernel, what]),
    [
      ["late", "missing"],
      ["taking", "parameters"],
      ["bounded", "launch-bounds"],
      ["tiled", "shared"],
      [undefined, "constants"],
    ],
  );
});

test("equal images, or a single one, are not findings", async (t) => {
  const alike = await ptxkit(["inspect", "alike.fatbin", "--compare-images"], { files });
  t.is(alike.status, 0);
  t.regex(alike.out, /fatbin 1: 3 images, 2 kernels, no differences/);
  const alone = await ptxkit(["inspect", "inlined.cubin", "--compare-images"], { files });
  t.is(alone.status, 0);
  t.regex(alone.out, /No fatbin holds more than one image/);
  t.is((await ptxkit(["inspect", "program", "--compare-images", "--kernels"], { files })).status, 2);
  t.deepEqual(compareImages([]), []);
});

test("line tables equal readelf's", async (t) => {
  const { debugLine } = await json("inlined.cubin", "--debug-line");
  const { files: names, functions } = debugLine!;
  const rows = functions.flatMap(({ rows }) =>
    rows.map(
      ({ offset, file, line }) =>
        `${names[file!]!.replace(/^.*\//, "")} ${line} ${offset === 0 ? "0" : `0x${offset.toString(16)}`}`,
    ),
  );
  t.deepEqual(rows, Buffer.from(bytesOf("images/inlined.readelf.txt")).toString().trim().split("\n"));
  t.deepEqual(
    functions.map(({ function: name, size }) => [name, size]),
    [
      ["other", 512],
      ["scale", 640],
    ],
  );
  const inlined = functions[1]!.rows.filter(({ inlined }) => inlined !== undefined);
  t.is(inlined.length, 2);
  for (const { calledAt, inlined: name, line } of inlined) {
    t.is(calledAt!.line, 9);
    t.is(line, 5);
    t.regex(name!, /helper/);
  }
  const one = await json("inlined.cubin", "--debug-line", "--function", "scale");
  t.deepEqual(
    one.debugLine!.functions.map(({ function: name }) => name),
    ["scale"],
  );
  t.is((await json("alike.fatbin", "--debug-line")).elements![0]!.debugLine, null);
});

test("damaged line programs give rows, with faults in the section", (t) => {
  const file = readElf(files["inlined.cubin"]);
  const section = file.ok ? sectionNamed(file.value, ".debug_line")! : undefined;
  let faults = 0;
  for (const bytes of mutations(section!.data, 3, rounds(2000, 10))) {
    const { fault } = readLineUnits(bytes, 100);
    if (fault === undefined) continue;
    faults++;
    t.true(fault.offset >= 100 && fault.offset <= 100 + bytes.length, fault.what);
  }
  t.true(faults > 0);
  const newer = Uint8Array.from(section!.data);
  newer[4] = 5;
  t.like(readLineUnits(newer).fault, { code: "unsupported", offset: 4 });
});

test("occupancy is that of CUDA's calculator, on each model that loads the cubin", async (t) => {
  const { occupancy } = await json("inlined.cubin", "--occupancy");
  t.deepEqual(
    occupancy!.map(({ name, threads, threadsFrom, sharedBytes }) => [name, threads, threadsFrom, sharedBytes]),
    [
      ["other", 256, "assumed", 0],
      ["scale", 128, "most", 0],
    ],
  );
  t.deepEqual(
    occupancy![1]!.gpus.map(({ gpu, blocks, limitedBy }) => [gpu, blocks, limitedBy]),
    ["h100", "h100-pcie", "h200", "h800"].map((gpu) => [gpu, 16, "warps"]),
  );
  // With 255 registers an SM has 8 warps; no model loads machine code of another major version.
  const heavy = { name: "k", linkage: "global", parameters: [], calls: [], externs: [], registers: 255 };
  const [found] = occupancyView([heavy], "sm_90");
  t.like(found!.gpus[0], { blocks: 1, warps: 8, limitedBy: "registers" });
  t.deepEqual(occupancyView([heavy], "sm_103")[0]!.gpus, []);
  const own = await ptxkit(["inspect", "a.ptx", "--occupancy"], {
    files: { "a.ptx": ".version 8.0\n.target sm_80\n" },
  });
  t.is(own.status, 2);
});

test("constants by bank, with variables and values", async (t) => {
  const { constants } = await json("inlined.cubin", "--constants");
  t.deepEqual(
    constants!.map(({ bank, function: name, size }) => [bank, name, size]),
    [
      [0, "other", 536],
      [0, "scale", 544],
      [3, undefined, 16],
    ],
  );
  const [{ name, offset, size, bytes }] = constants![2]!.variables as [(typeof constants & object)[0]["variables"][0]];
  t.deepEqual([name, offset, size, bytes.hex], ["coef", 0, 16, "0000803f000000400000404000008040"]);
  t.regex(
    (await ptxkit(["inspect", "inlined.cubin", "--constants"], { files })).out,
    / 0 +16 +coef\n +0x00000000 0000803f/,
  );
});

test("every view at once, of a cubin and of damaged ones", (t) => {
  const views = ["occupancy", "constants", "debugLine"] as const;
  const whole = inspected(files["inlined.cubin"], views, createSink(), { occupancyOf: occupancyView });
  t.true(whole.occupancy !== undefined && whole.constants !== undefined && whole.debugLine !== undefined);
  for (const bytes of mutations(files["inlined.cubin"], 11, rounds(400, 8)))
    inspectFile({ name: "a", bytes }, { views }, createSink());
});
