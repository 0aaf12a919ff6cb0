// Bitcode and text of one module give equal trees. testdata/nvvm/bitcode has both, written by llvm-as and llvm-dis 14.
// A run of everything also compares libdevice, if it and LLVM are installed.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import test from "ava";
import { inFullRun } from "../../sample.js";
import { hasLibdevice, installed, libdevice, testWith } from "../../tools.js";
import { createSink } from "../../../lib/diag/sink.js";
import { readBitcode } from "../../../lib/nvvm/bitcode/read.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";
import { dumpModule } from "./dump.js";

const folder = new URL("../../../../testdata/nvvm/bitcode/", import.meta.url);

/** Lines that only one of the trees has. */
function differences(text: Uint8Array, bitcode: Uint8Array): readonly string[] {
  const sink = createSink();
  const written = parseModule({ name: "a.ll", bytes: text }, sink);
  const read = readBitcode({ name: "a.bc", bytes: bitcode }, sink);
  if (written === undefined || read === undefined) return [sink.all[0]?.message ?? "no module"];
  const lines = [written, read].map((module) => new Set(dumpModule(module)));
  return lines
    .flatMap((own, i) => [...own].filter((line) => !lines[1 - i]!.has(line)))
    .filter((line) => !line.startsWith("source "));
}

for (const name of ["typed", "opaque"])
  test(`${name} pointers`, (t) => {
    const [text, bitcode] = ["ll", "bc"].map((end) => readFileSync(new URL(`${name}.${end}`, folder)));
    t.deepEqual(differences(text!, bitcode!), []);
  });

test("spellings say which pointers a module has", (t) => {
  const spellings = (name: string) =>
    readBitcode({ name, bytes: readFileSync(new URL(name, folder)) }, createSink())!.spellings;
  t.deepEqual(Object.keys(spellings("typed.bc")), ["typed"]);
  t.deepEqual(Object.keys(spellings("opaque.bc")), ["opaque"]);
});

testWith(
  inFullRun,
  hasLibdevice,
  installed("llvm-as-14", "llvm-dis-14"),
)("all of libdevice", (t) => {
  const temporary = mkdtempSync(path.join(tmpdir(), "ptxkit-"));
  try {
    const text = path.join(temporary, "a.ll");
    const bitcode = path.join(temporary, "a.bc");
    // LLVM renames old intrinsics when it reads them, so its own text is compared.
    execFileSync("llvm-dis-14", [libdevice!, "-o", text]);
    execFileSync("llvm-as-14", [text, "-o", bitcode]);
    t.deepEqual(differences(readFileSync(text), readFileSync(bitcode)), []);
  } finally {
    rmSync(temporary, { recursive: true });
  }
});
