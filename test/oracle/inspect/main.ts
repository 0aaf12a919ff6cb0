// npm run oracle:inspect: the inspector against llvm-readobj, readelf and ptxas -v, over what nvcc makes of a program for all
// targets, with -G, -lineinfo, -rdc, -dlto and every mode of compression, in cubins, fatbins, host objects, programs and shared
// libraries. Every field that another tool shows has to be the same; the exit status is 1 where one is not.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSink } from "../../../lib/diag/sink.js";
import { inspectElf } from "../../../lib/inspect/inspect-elf.js";
import { inspectFile } from "../../../lib/inspect/inspect.js";
import type { Inspection, ViewName } from "../../../lib/inspect/inspection.js";
import { elementsOf } from "../../../lib/inspect/parts/walk.js";
import { recognise } from "../../../lib/link/inputs/recognise.js";
import { llvmFields, ourFields, readelfRelocations, type Fields } from "./generic-elf.js";
import { ourResources, ptxasFields } from "./resources.js";
import { COMPILATIONS, SOURCE, type Compilation } from "./sources.table.js";

const VIEWS: readonly ViewName[] = ["header", "sections", "symbols", "relocations", "resourceUsage"];
const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-oracle-inspect-"));
const source = path.join(folder, "program.cu");
const output = path.join(folder, "output");
const part = path.join(folder, "part");
const counts = { files: 0, elements: 0, fields: 0, differences: 0 };

function compare(what: string, theirs: Fields, ours: Fields): void {
  for (const [field, value] of theirs) {
    counts.fields++;
    if (ours.get(field) === value) continue;
    counts.differences++;
    console.log(`${what}: ${field}: ${value} is ${ours.get(field) ?? "missing"} in the inspection`);
  }
}

function inspected(name: string, bytes: Uint8Array): Inspection | undefined {
  const sink = createSink();
  const isHost = recognise(bytes) === "host-elf";
  const { inspection } = isHost
    ? inspectElf({ name, bytes }, "host-elf", { views: VIEWS, isContainer: true }, sink)
    : inspectFile({ name, bytes }, { views: VIEWS }, sink);
  for (const { message } of sink.all) {
    counts.differences++;
    console.log(`${name}: ${message}`);
  }
  return inspection;
}

/** Compares one ELF file, with what ptxas said of it where that is known. */
function compareElf(name: string, bytes: Uint8Array, resources: Fields): void {
  const inspection = inspected(name, bytes);
  if (inspection === undefined) return;
  counts.elements++;
  writeFileSync(part, bytes);
  const ours = ourFields(inspection);
  compare(name, llvmFields(part), ours);
  compare(name, readelfRelocations(part), ours);
  compare(name, resources, ourResources(inspection));
}

function tryCompilation({ options, hasResources = false }: Compilation): void {
  const verbose = hasResources ? ["-Xptxas", "-v"] : [];
  const { status, stderr } = spawnSync("nvcc", [...options, ...verbose, source, "-o", output], { encoding: "utf8" });
  const name = options.join(" ");
  if (status !== 0) throw new Error(`nvcc ${name}: ${stderr}`);
  counts.files++;
  const bytes = readFileSync(output);
  if (["cubin", "host-elf"].includes(recognise(bytes)))
    compareElf(name, bytes, hasResources ? ptxasFields(stderr) : new Map());
  const sink = createSink();
  for (const element of elementsOf({ name, bytes }, sink))
    if (element.bytes !== undefined && element.kind === "cubin") compareElf(element.name, element.bytes, new Map());
  for (const { message } of sink.all) {
    counts.differences++;
    console.log(`${name}: ${message}`);
  }
}

try {
  writeFileSync(source, SOURCE);
  for (const compilation of COMPILATIONS) tryCompilation(compilation);
  const { files, elements, fields, differences } = counts;
  console.log(`${files} files, ${elements} ELF files in them: ${fields} fields, ${differences} differ`);
  process.exitCode = differences > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
