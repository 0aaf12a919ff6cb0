// Each rule of inspect --verify finds what breaks it, and valid files have no findings.

import test from "ava";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sample } from "../sample.js";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, type ElfSection } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link-objects.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { RULES } from "../../lib/inspect/verify/verify.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeIdentified } from "../../lib/object/file/build-id.js";
import { writeObject } from "../../lib/object/file/write.js";
import { cubinBytes, cubinNames } from "../formats/recorded.js";
import { richModule } from "../object/samples.js";
import { check, nameInTestdata, ptxFiles } from "../object/pipeline.js";
import { breaches, imageBytes, objectBytes, text } from "./breaches.js";
import { inspected, rareCubin, rareKinds } from "./recorded.js";
import { installed, testWith } from "../tools.js";

const findingsIn = (
  bytes: Uint8Array,
  verifies = true,
): readonly { readonly rule: string; readonly offset: number }[] => {
  const sink = createSink();
  const { verification } = inspected(bytes, ["header"], sink, { verify: verifies });
  const errors = sink.all.filter(({ code }) => code === "broken-rule").length;
  const { findings = [] } = verification ?? {};
  // An error that two rules find is reported once.
  if (errors > findings.length || (errors === 0) !== (findings.length === 0))
    throw new Error(`${errors} errors for ${findings.length} findings`);
  return findings;
};

for (const [i, [rule, file, edit]] of breaches.entries())
  test(`a violation of ${rule} is found (${i})`, (t) => {
    const bytes = Uint8Array.from(file);
    t.deepEqual(findingsIn(bytes), []);
    const elf = need(readElf(file));
    edit(new DataView(bytes.buffer), (name) => sectionNamed(elf, name)!, file);
    const found = findingsIn(bytes);
    t.true(
      found.some((finding) => finding.rule === rule),
      JSON.stringify(found),
    );
    t.true(found.every(({ offset }) => offset >= 0 && offset <= bytes.length));
  });

test("a link to a section that does not exist says which section is expected", (t) => {
  const file = new URL("../../../testdata/hostile/elf/symbols-link-past-end.o", import.meta.url);
  const { verification } = inspected(readFileSync(file), ["header"], createSink(), { verify: true });
  const found = verification?.findings.map(({ what }) => what) ?? [];
  t.true(found.includes("section 3 (.symtab): sh_link 65535 is not a section, expected .strtab"), found.join("\n"));
});

test("offsets, addresses and sizes near 2^64 are shown exactly", (t) => {
  const elf = need(readElf(objectBytes));
  const near = 2n ** 64n - 3n;
  for (const [name, stride, field, said] of [
    [".rel.text.k", 16, 0, /the offset 18446744073709551613 is past the end/],
    [".symtab", 24, 8, / bytes at 18446744073709551613 of a section of /],
    [".symtab", 24, 16, /: 18446744073709551613 bytes at 0 of a section of /],
  ] as const) {
    const bytes = Uint8Array.from(objectBytes);
    const { offset, size } = sectionNamed(elf, name)!;
    const view = new DataView(bytes.buffer);
    for (let at = offset + (field === 0 ? 0 : stride); at < offset + size; at += stride)
      view.setBigUint64(at + field, near, true);
    const { verification } = inspected(bytes, ["header"], createSink(), { verify: true });
    const found = verification?.findings.map(({ what }) => what).join("\n") ?? "";
    t.regex(found, said);
    t.notRegex(found, /18446744073709552000/);
  }
});

test("every rule has a violation here", (t) => {
  t.deepEqual([...new Set(breaches.map(([rule]) => rule))].sort(), RULES.map(([, { name }]) => name).sort());
});

test("NVIDIA's files break no rule, in either generation", (t) => {
  for (const name of cubinNames) t.deepEqual(findingsIn(cubinBytes(name)), [], name);
  // The older generation: the same file with the older numbers.
  const old = Uint8Array.from(cubinBytes("vars.sm_75.o"));
  old[7] = 0x33;
  old[8] = 7;
  new DataView(old.buffer).setUint32(48, 0x004b054b, true);
  new DataView(old.buffer).setUint32(20, 111, true);
  t.deepEqual(findingsIn(old), []);
});

test("cubins of rare kinds break no rule", (t) => {
  for (const name of readdirSync(rareKinds).filter((file) => /\.(o|cubin)$/.test(file)))
    t.deepEqual(findingsIn(readFileSync(new URL(name, rareKinds))), [], name);
});

test("a section reserved for a function of another name is not past an end", (t) => {
  for (const name of ["alike.sm_75.cubin", "alike.sm_90.cubin", "alike.sm_100.cubin"]) {
    const sink = createSink();
    inspected(rareCubin(name), ["relocations"], sink);
    t.deepEqual(sink.all, [], name);
  }
});

test("our objects and images break no rule", (t) => {
  for (const sm of ["sm_75", "sm_90a", "sm_100"])
    t.deepEqual(findingsIn(writeObject(assemble(richModule(sm)))), [], sm);
  const sink = createSink();
  for (const path of sample(ptxFiles(), 32, { name: nameInTestdata })) {
    const made = assemble(check(readFileSync(path), path));
    t.deepEqual(findingsIn(writeObject(made)), [], path);
    const linked = linkObjects([made], {}, sink);
    if (linked !== undefined) t.deepEqual(findingsIn(writeIdentified(linked)), [], path);
  }
});

testWith(installed("ptxas", "nvlink"))("files of ptxas and nvlink for each target break no rule", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-verify-"));
  try {
    for (const sm of ["75", "80", "86", "89", "90", "100", "103", "110", "120", "121"]) {
      const [ptx, o, cubin] = ["m.ptx", "m.o", "m.cubin"].map((name) => join(folder, name)) as [string, string, string];
      writeFileSync(ptx, text.replace("8.5", "9.0").replace("sm_80", `sm_${sm}`));
      t.is(spawnSync("ptxas", ["-c", `-arch=sm_${sm}`, ptx, "-o", o]).status, 0, sm);
      t.is(spawnSync("nvlink", [`-arch=sm_${sm}`, o, "-o", cubin]).status, 0, sm);
      for (const file of [o, cubin]) t.deepEqual(findingsIn(readFileSync(file)), [], `${sm} ${file}`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const SH_SIZE = 32;
const isSumOfShared = (sections: readonly ElfSection[], at: number): boolean =>
  sections.some(
    ({ name, headerOffset }) =>
      name.includes("shared") && at >= headerOffset + SH_SIZE && at < headerOffset + SH_SIZE + 8,
  );

test("any changed byte of the headers and of the symbol table is found", (t) => {
  const E_MACHINE = [18, 19];
  for (const file of [objectBytes, imageBytes]) {
    const { header, segments, sections } = need(readElf(file));
    const symtab = sections.find(({ name }) => name === ".symtab")!;
    const ranges = [
      [0, 64],
      [header.sectionHeaderOffset, 64 * sections.length],
      [header.programHeaderOffset, 56 * segments.length],
      [symtab.offset, symtab.size],
    ] as const;
    const untold: number[] = [];
    for (const [start, size] of ranges)
      for (const at of sample(
        Array.from({ length: size }, (_, i) => start + i),
        160,
      )) {
        // A file for another machine is not one of ours, and an object's sum of shared memory is not checked.
        if (E_MACHINE.includes(at) || isSumOfShared(sections, at)) continue;
        const bytes = Uint8Array.from(file);
        bytes[at] = bytes[at]! ^ 0x41;
        const sink = createSink();
        inspectFile({ name: "x", bytes }, { views: ["header"], verify: true }, sink);
        if (sink.errorCount === 0) untold.push(at);
      }
    t.deepEqual(untold, []);
  }
});
