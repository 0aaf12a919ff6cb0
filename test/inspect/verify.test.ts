// Each rule of inspect --verify finds what breaks it, and none finds anything in files that are right.

import test from "ava";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, type ElfSection } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkObjects } from "../../lib/link/link.js";
import { inspectFile } from "../../lib/inspect/inspect.js";
import { RULES } from "../../lib/inspect/verify.js";
import { assemble } from "../../lib/object/assemble.js";
import { writeIdentified } from "../../lib/object/file/build-id.js";
import { writeObject } from "../../lib/object/file/write.js";
import { cubinBytes, cubinNames } from "../formats/recorded.js";
import { richModule } from "../object/samples.js";
import { check, ptxFiles } from "../object/pipeline.js";
import { inspected } from "./recorded.js";

const text = `.version 8.5
.target sm_80
.address_size 64
.func (.param .b32 r) sq(.param .b32 a) { .reg .b32 %x; ld.param.b32 %x, [a]; st.param.b32 [r], %x; ret; }
.visible .func other() { ret; }
.visible .global .u32 one = 1;
.visible .global .u32 two = 2;
.visible .global .u64 table[2] = { sq, one };
.visible .shared .u32 tile[4];
.common .global .u32 common;
.visible .entry k(.param .u64 p, .param .u32 n) {
  .reg .b32 %r; .reg .b64 %d;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], 1; call (b), sq, (a); ld.param.b32 %r, [b]; }
  call other;
  mov.u64 %d, sq;
  st.shared.u32 [tile], %r;
  ret;
}
`;
const object = assemble(check(text));
const objectBytes = writeObject(object);
const image = linkObjects([object], {}, createSink())!;
const imageBytes = writeObject(image);

const findingsIn = (
  bytes: Uint8Array,
  verifies = true,
): readonly { readonly rule: string; readonly offset: number }[] => {
  const sink = createSink();
  const { verification } = inspected(bytes, ["header"], sink, { verify: verifies });
  const errors = sink.all.filter(({ code }) => code === "broken-rule").length;
  const { findings = [] } = verification ?? {};
  // One fault that two rules find is told once.
  if (errors > findings.length || (errors === 0) !== (findings.length === 0))
    throw new Error(`${errors} errors for ${findings.length} findings`);
  return findings;
};

type Edit = (view: DataView, section: (name: string) => ElfSection, bytes: Uint8Array) => void;

/** ELF symbol with that name. */
function symbolNamed(bytes: Uint8Array, name: string): number {
  const { symbols } = inspected(bytes, ["symbols"]);
  const { index } = symbols![0]!.symbols.find((symbol) => symbol.name === name)!;
  return index;
}

const add32 = (view: DataView, at: number, value: number): void =>
  view.setUint32(at, view.getUint32(at, true) + value, true);
const symbolPlace = (bytes: Uint8Array, section: (name: string) => ElfSection, name: string): number =>
  section(".symtab").offset + 24 * symbolNamed(bytes, name);

/** Every rule, and something that breaks it. */
const breaches: readonly (readonly [rule: string, file: Uint8Array, edit: Edit])[] = [
  ["first-section", objectBytes, (view, section) => view.setUint32(section(".shstrtab").headerOffset - 60, 1, true)],
  ["section-alignment", objectBytes, (view, section) => add32(view, section(".nv.constant0.k").headerOffset + 24, -2)],
  ["section-overlap", objectBytes, (view, section) => add32(view, section(".ptxkit.decl").headerOffset + 24, -1)],
  ["section-link", objectBytes, (view, section) => view.setUint32(section(".symtab").headerOffset + 40, 1000, true)],
  ["section-info", objectBytes, (view, section) => view.setUint32(section(".nv.info.k").headerOffset + 44, 1000, true)],
  ["entry-size", objectBytes, (view, section) => view.setUint32(section(".nv.callgraph").headerOffset + 56, 4, true)],
  ["symbols", objectBytes, (view, section) => view.setUint32(section(".symtab").offset + 24, 0xffffff, true)],
  ["notes", objectBytes, (view, section) => view.setUint32(section(".note.ptxkit").offset, 1000, true)],
  [
    "segments",
    objectBytes,
    (view, section) => (
      view.setBigUint64(32, BigInt(section(".nv.constant0.k").offset), true),
      view.setUint16(54, 56, true),
      view.setUint16(56, 1, true)
    ),
  ],
  ["segments", imageBytes, (view) => add32(view, Number(view.getBigUint64(32, true)) + 32, 100_000)],
  ["generation", objectBytes, (view) => view.setUint8(8, 9)],
  // Damage of e_machine alone makes a file of nobody's, of which nothing else is known.
  ["generation", imageBytes, (view) => view.setUint16(18, 62, true)],
  ["generation", cubinBytes("linked.sm_90.cubin"), (view) => view.setUint16(18, 62, true)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint16(52, 63, true)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint32(20, 2, true)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint8(12, 1)],
  ["file-header", cubinBytes("vars.sm_75.o"), (view) => view.setUint16(56, 3, true)],
  ["flags", objectBytes, (view) => view.setUint8(7, 0x33)],
  ["flags", cubinBytes("vars.sm_75.o"), (view) => view.setUint8(48, 9)],
  ["flags", cubinBytes("vars.sm_75.o"), (view) => view.setUint8(51, 5)],
  ["file-type", objectBytes, (view) => view.setUint16(16, 4, true)],
  ["file-type", cubinBytes("linked.sm_90.cubin"), (view) => view.setUint16(16, 3, true)],
  ["no-addresses", objectBytes, (view) => view.setUint32(24, 4096, true)],
  ["section-type", objectBytes, (view, section) => view.setUint32(section(".nv.callgraph").headerOffset + 4, 1, true)],
  ["symbol-order", objectBytes, (view, section) => add32(view, section(".symtab").headerOffset + 44, 1)],
  [
    "symbol-order",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".symtab").headerOffset + 44, 1, true),
  ],
  [
    "symbol-place",
    objectBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "table") + 16, 4096, true),
  ],
  [
    "symbol-place",
    objectBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "common") + 8, 3, true),
  ],
  [
    "symbol-place",
    objectBytes,
    (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "tile") + 8, 3, true),
  ],
  ["text-symbol", objectBytes, (view, section) => add32(view, section(".text.k").headerOffset + 44, -1)],
  ["owner", objectBytes, (view, section) => view.setUint32(section(".nv.constant0.k").headerOffset + 44, 2, true)],
  ["relocations", objectBytes, (view, section) => view.setUint32(section(".rel.text.k").offset, 100_000, true)],
  ["relocations", objectBytes, (view, section) => view.setUint32(section(".rel.text.k").offset + 8, 58, true)],
  [
    "relocations",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".rel.nv.global.init").offset + 12, 10_000, true),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.callgraph").headerOffset + 40, 2),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.global.init").headerOffset + 8, 2),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.info").headerOffset + 48, 1),
  ],
  [
    "section-header",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".nv.info").headerOffset + 56, 8),
  ],
  [
    "symbol-kind",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint8(section(".symtab").offset + 24 + 4, 0x43),
  ],
  ["symbol-kind", cubinBytes("vars.sm_75.o"), (view, section) => view.setUint8(section(".symtab").offset + 24 + 8, 8)],
  [
    "relocation-width",
    cubinBytes("vars.sm_75.o"),
    (view, section) => view.setUint32(section(".rel.nv.global.init").offset, section(".nv.global.init").size - 1, true),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_90.cubin"),
    (view) => view.setUint8(Number(view.getBigUint64(32, true)) + 56, 2),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_100.cubin"),
    (view) => view.setUint8(Number(view.getBigUint64(32, true)) + 4, 7),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_90.cubin"),
    (view) => add32(view, Number(view.getBigUint64(32, true)) + 56 + 8, 2),
  ],
  [
    "segment-kind",
    cubinBytes("linked.sm_90.cubin"),
    (view) => add32(view, Number(view.getBigUint64(32, true)) + 2 * 56 + 32, -2),
  ],
  ["info", objectBytes, (view, section) => view.setUint8(section(".nv.info.k").offset, 9)],
  ["info", objectBytes, (view, section) => view.setUint32(section(".nv.info.k").offset + 4, 10_000, true)],
  ["info", objectBytes, (view, section) => view.setUint16(section(".nv.info.k").offset + 8, 0x100, true)],
  ["info", cubinBytes("linked.sm_90.cubin"), (view, section) => view.setUint8(section(".nv.info.k").offset, 9)],
  ["call-graph", objectBytes, (view, section) => view.setInt32(section(".nv.callgraph").offset + 4, -2, true)],
  ["call-graph", objectBytes, (view, section) => view.setUint32(section(".nv.callgraph").offset + 8, 1, true)],
  ["prototypes", objectBytes, (view, section) => view.setUint32(section(".nv.prototype").offset + 4, 1, true)],
  ["toolkit", objectBytes, (view, section) => view.setUint16(section(".note.nv.cuinfo").offset + 26, 120, true)],
  ["declarations", objectBytes, (view, section) => view.setUint8(section(".ptxkit.decl").offset + 4, 99)],
  ["code", objectBytes, (view, section) => add32(view, section(".rel.text.k").offset, 4)],
  ["declarations", objectBytes, (view, section) => view.setUint32(section(".rel.text.k").offset + 8, 4, true)],
  [
    "code",
    objectBytes,
    (view, section, bytes) => view.setUint32(section(".rel.text.k").offset + 12, symbolNamed(bytes, "one"), true),
  ],
  ["code", objectBytes, (view, section) => view.setUint8(section(".text.k").offset + 4, 99)],
  ["variables", imageBytes, (view, section, bytes) => view.setUint32(symbolPlace(bytes, section, "two") + 8, 16, true)],
  // sh_flags, st_other, p_flags and what an attribute says: no other rule knows them.
  ["canonical", objectBytes, (view, section) => view.setUint8(section(".ptxkit.decl").headerOffset + 8, 2)],
  ["canonical", objectBytes, (view, section, bytes) => view.setUint8(symbolPlace(bytes, section, "table") + 5, 0x40)],
  ["canonical", imageBytes, (view) => view.setUint8(Number(view.getBigUint64(32, true)) + 4, 7)],
  ["build-id", writeIdentified(image), (view, section) => view.setUint8(section(".nv.global.init").offset, 7)],
];

for (const [i, [rule, file, edit]] of breaches.entries())
  test(`${rule} is found broken (${i})`, (t) => {
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

test("every rule has something here that breaks it", (t) => {
  t.deepEqual([...new Set(breaches.map(([rule]) => rule))].sort(), RULES.map(([, { name }]) => name).sort());
});

test("nothing is found in NVIDIA's files, of either generation", (t) => {
  for (const name of cubinNames) t.deepEqual(findingsIn(cubinBytes(name)), [], name);
  // The older generation: the same file under its own numbers.
  const old = Uint8Array.from(cubinBytes("vars.sm_75.o"));
  old[7] = 0x33;
  old[8] = 7;
  new DataView(old.buffer).setUint32(48, 0x004b054b, true);
  t.deepEqual(findingsIn(old), []);
});

test("nothing is found in our objects and images", (t) => {
  for (const sm of ["sm_75", "sm_90a", "sm_100"])
    t.deepEqual(findingsIn(writeObject(assemble(richModule(sm)))), [], sm);
  const sink = createSink();
  for (const path of ptxFiles().filter((_, i) => i % 4 === 0)) {
    const made = assemble(check(readFileSync(path), path));
    t.deepEqual(findingsIn(writeObject(made)), [], path);
    const linked = linkObjects([made], {}, sink);
    if (linked !== undefined) t.deepEqual(findingsIn(writeIdentified(linked)), [], path);
  }
});

test("nothing is found in what the tools here write for each target", (t) => {
  if (spawnSync("nvlink", ["--version"]).error !== undefined) {
    t.pass("no nvlink here");
    return;
  }
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

test("whatever byte of the headers and of the symbol table is another, it is told", (t) => {
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
      for (let at = start; at < start + size; at++) {
        // A file for another machine is no file of ours; and nothing depends on the sum of shared memory in an object.
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
