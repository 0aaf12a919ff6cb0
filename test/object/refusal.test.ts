// nvlink never takes our files for machine code: its answers for them, and for NVIDIA's own, by name and kind of file.
// With the tools installed, PTXKIT_UPDATE=1 npx ava test/object/refusal.test.ts writes the record.

import test from "ava";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, symbolsOf } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeObject } from "../../lib/object/file/write.js";
import { check } from "./pipeline.js";
import { installed, testWith } from "../tools.js";

const kernel = ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k() { ret; }\n";
const object = assemble(check(kernel));
const image = linkObjects([object], {}, createSink())!;
const E_TYPE = 16;
const withType = (bytes: Uint8Array, type: number): Uint8Array => {
  const changed = Uint8Array.from(bytes);
  new DataView(changed.buffer).setUint16(E_TYPE, type, true);
  return changed;
};
const own: Readonly<Record<string, Uint8Array>> = {
  "our object": writeObject(object),
  "our image": writeObject(image),
  "our image as ET_DYN": withType(writeObject(image), 3),
};
const names = ["x.cubin", "x.o", "x.pko", "x.pkx", "x.elf", "x.so", "x.a", "fatbin"];

interface Answer {
  readonly status: number | null;
  readonly says: string;
  /** Whether the kernel is in the output. */
  readonly linked: boolean;
}
type Answers = Readonly<Record<string, Readonly<Record<string, Answer>>>>;

function ask(): Answers {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-refusal-"));
  const run = (tool: string, ...options: readonly string[]) =>
    spawnSync(tool, options, { cwd: folder, encoding: "utf8" });
  try {
    writeFileSync(join(folder, "k.ptx"), kernel);
    run("ptxas", "-c", "-arch=sm_90", "k.ptx", "-o", "k.o");
    run("nvlink", "-arch=sm_90", "k.o", "-o", "k.cubin");
    const files = {
      ...own,
      "NVIDIA's object": readFileSync(join(folder, "k.o")),
      "NVIDIA's image": readFileSync(join(folder, "k.cubin")),
    };
    const answer = (bytes: Uint8Array, name: string): Answer => {
      const input = name === "fatbin" ? "x.fatbin" : name;
      writeFileSync(join(folder, name === "fatbin" ? "in" : name), bytes);
      if (name === "fatbin") run("fatbinary", "--create=x.fatbin", "--image3=kind=elf,sm=90,file=in");
      const output = join(folder, "out");
      rmSync(output, { force: true });
      const { status, stderr } = run("nvlink", "-arch=sm_90", input, "-o", "out");
      const linked = existsSync(output) && hasKernel(readFileSync(output));
      return { status, says: stderr.replace(/'.*?'/, "'FILE'").trim(), linked };
    };
    return Object.fromEntries(
      Object.entries(files).map(([kind, bytes]) => [
        kind,
        Object.fromEntries(names.map((name) => [name, answer(bytes, name)])),
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hasKernel(bytes: Uint8Array): boolean {
  const file = need(readElf(bytes));
  const symbols = need(
    symbolsOf(
      file,
      file.sections.find(({ name }) => name === ".symtab")!,
    ),
  );
  return Array.from({ length: symbols.count }, (_, i) => symbols.name(i)).includes("k");
}

const recordFile = new URL("../../../testdata/oracle/nvlink-refusals.json", import.meta.url);
const tools = installed("ptxas", "fatbinary", "nvlink");
if (process.env["PTXKIT_UPDATE"] !== undefined && tools.isMet) {
  const command = "nvlink -arch=sm_90 NAME -o out; fatbin: fatbinary --image3=kind=elf,sm=90,file=in first";
  writeFileSync(recordFile, `${JSON.stringify({ command, answers: ask() }, undefined, 1)}\n`);
}
const { answers } = JSON.parse(readFileSync(recordFile, "utf8")) as { readonly answers: Answers };

testWith(tools)("nvlink answers as recorded", (t) => {
  t.deepEqual(ask(), answers);
});

test("nvlink links none of our files, under any name", (t) => {
  for (const kind of Object.keys(own))
    for (const [name, { linked }] of Object.entries(answers[kind]!)) t.false(linked, `${kind} as ${name}`);
});

test("nvlink refuses our objects where it would link NVIDIA's, and would refuse images if they were not executables", (t) => {
  const refused = { status: 1, says: "nvlink fatal   : Input file 'FILE' abi does not match", linked: false };
  for (const name of names) {
    const isRead = answers["NVIDIA's object"]![name]!.linked;
    if (isRead) t.deepEqual(answers["our object"]![name], refused, name);
    if (isRead && name !== "x.o") t.deepEqual(answers["our image as ET_DYN"]![name], refused, name);
  }
});

test("nvlink ignores images silently, NVIDIA's own and ours alike", (t) => {
  const ignored = { status: 0, says: "", linked: false };
  for (const name of names) {
    t.deepEqual(answers["NVIDIA's image"]![name], ignored, name);
    t.deepEqual(answers["our image"]![name], ignored, name);
  }
});

test("the recorded files are those that we write", (t) => {
  const typeOf = (kind: string): number => new DataView(own[kind]!.buffer).getUint16(E_TYPE, true);
  t.deepEqual([typeOf("our object"), typeOf("our image")], [1, 2]);
  t.deepEqual([own["our object"]![8], own["our image"]![8]], [0x50, 0x50]);
});
