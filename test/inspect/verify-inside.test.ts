// inspect --verify of archives, fatbins and host files applies to each ELF file in them, ours or NVIDIA's, its own
// rules.

import test from "ava";
import { rounds } from "../sample.js";
import { writeArchive } from "../../formats/ar/index.js";
import { crossCheck } from "../../formats/elf/elfy-witness.js";
import { createSink } from "../../lib/diag/sink.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import type { Inspection } from "../../lib/inspect/inspection.js";
import { renderInspection } from "../../lib/report/inspect-text.js";
import { ptxkit } from "../cli/surroundings.js";
import { containerBytes } from "../formats/containers.js";
import { mutations } from "../formats/hostile.js";
import { cubinBytes } from "../formats/recorded.js";
import { assembled } from "./own.js";

function verified(name: string, bytes: Uint8Array) {
  const sink = createSink();
  const result = inspectFile({ name, bytes }, { views: [], verify: true, witness: crossCheck }, sink);
  if (result.kind !== "inspected") throw new Error(result.kind);
  return { inspection: result.inspection, sink };
}

/** Name, number of rules checked, findings. */
const insideOf = ({ inside = [] }: Inspection) =>
  inside.map(({ name, kind, verification }) => [
    name,
    kind,
    verification === null ? null : verification.rules.reduce((sum, { findings }) => sum + findings, 0),
  ]);

test("the members of an archive, and what they embed", (t) => {
  const { inspection, sink } = verified("gnu.a", containerBytes("gnu.a"));
  t.deepEqual(insideOf(inspection), [
    ["gnu.a(scale.o)", "host-elf", 0],
    ["gnu.a(scale.o)(1.sm_90.ptx)", "ptx", null],
    ["gnu.a(twice.o)", "host-elf", 0],
    ["gnu.a(twice.o)(1.sm_75.ptx)", "ptx", null],
    ["gnu.a(twice.o)(2.sm_90.cubin)", "cubin", 0],
    ["gnu.a(twice.o)(3.sm_90.ptx)", "ptx", null],
    ["gnu.a(a-member-with-a-long-name.ptx)", "ptx", null],
  ]);
  t.deepEqual(sink.all, []);
  t.true(inspection.inside!.every(({ crossCheck: said }) => said === undefined || said.length === 0));
  const text = renderInspection(inspection, {});
  t.regex(text, /Inside: 3 of 7 held against the rules of their kind/);
  t.regex(text, /gnu\.a\(twice\.o\)\(2\.sm_90\.cubin\) +cubin +\d+ +0 +agrees/);
});

test("a host program itself, and its fatbins", (t) => {
  const { inspection } = verified("program", containerBytes("program"));
  t.truthy(inspection.verification);
  t.deepEqual(
    insideOf(inspection).filter(([, kind]) => kind === "cubin"),
    [
      ["program(3.sm_90.cubin)", "cubin", 0],
      ["program(5.sm_90.cubin)", "cubin", 0],
    ],
  );
});

test("fatbins, compressed or not; LTO-IR has no rules", (t) => {
  for (const mode of ["default", "none", "size", "speed"])
    t.deepEqual(insideOf(verified("f", containerBytes(`twice.${mode}.fatbin`)).inspection)[0], [
      "f(1.sm_90.cubin)",
      "cubin",
      0,
    ]);
  t.deepEqual(
    insideOf(verified("l", containerBytes("twice.lto.o")).inspection).map(([, kind]) => kind),
    ["lto-ir"],
  );
});

test("a broken rule in one member is reported under its name, and the others are verified", (t) => {
  const broken = Uint8Array.from(cubinBytes("linked.sm_90.cubin"));
  new DataView(broken.buffer).setUint32(24, 4096, true);
  const archive = writeArchive([
    { name: "ours.o", data: assembled() },
    { name: "broken.cubin", data: broken },
    { name: "cut.o", data: assembled().subarray(0, 500) },
    { name: "fine.cubin", data: cubinBytes("linked.sm_75.cubin") },
  ]);
  const { inspection, sink } = verified("x.a", archive);
  t.deepEqual(insideOf(inspection), [
    ["x.a(ours.o)", "ptxkit", 0],
    ["x.a(broken.cubin)", "cubin", 1],
    ["x.a(cut.o)", "ptxkit", null],
    ["x.a(fine.cubin)", "cubin", 0],
  ]);
  t.deepEqual(
    sink.all.map(({ code, place }) => [code, place?.file]),
    [
      ["broken-rule", "x.a(broken.cubin)"],
      ["malformed-file", "x.a(cut.o)"],
    ],
  );
});

test("damaged containers never throw", (t) => {
  for (const name of ["gnu.a", "twice.default.fatbin", "both.o"]) {
    let told = 0;
    for (const damaged of mutations(containerBytes(name), 11, rounds(150, 6))) {
      const sink = createSink();
      const result = inspectFile({ name: "x", bytes: damaged }, { views: [], verify: true }, sink);
      if (result.kind === "inspected") renderInspection(result.inspection, { width: 80 });
      told += sink.errorCount;
    }
    t.true(told * 6 > rounds(150, 6), `${name}: ${told} faults`);
  }
});

test("the status reports broken rules inside; PTX text is for check", async (t) => {
  const broken = Uint8Array.from(assembled());
  new DataView(broken.buffer).setUint32(24, 4096, true);
  const files = {
    "fine.a": containerBytes("gnu.a"),
    "thin.a": containerBytes("thin.a"),
    "bad.a": writeArchive([{ name: "m.o", data: broken }]),
    "m.ptx": containerBytes("twice.sm_75.ptx"),
  };
  const run = (file: string) => ptxkit(["inspect", "--verify", file], { files });
  t.is((await run("fine.a")).status, 0);
  const bad = await run("bad.a");
  t.is(bad.status, 1);
  t.regex(bad.err, /bad\.a\(m\.o\).*\[broken-rule\]/);
  const missing = await run("thin.a");
  t.is(missing.status, 2);
  t.regex(missing.err, /scale\.o/);
  const text = await run("m.ptx");
  t.is(text.status, 2);
  t.regex(text.err, /ptxkit check/);
});
