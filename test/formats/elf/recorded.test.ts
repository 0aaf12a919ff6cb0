// Real cubins: our reader agrees with readelf and elfy, and the writer gives NVIDIA's bytes again.
import test from "ava";
import { crossCheck, elfyWitness } from "../../../formats/elf/elfy-witness.js";
import {
  EM,
  hasFileBytes,
  isSymbolTable,
  notesOf,
  relocationsOf,
  sectionNamed,
  SHT,
  stringAt,
  symbolsOf,
  writeElf,
  type ElfFile,
  type ElfSegmentSpec,
  type ElfSpec,
} from "../../../formats/elf/index.js";
import { cubin, cubinBytes, cubinFacts, cubinNames } from "../recorded.js";

for (const name of cubinNames) {
  const file = cubin(name);
  const facts = cubinFacts(name);

  test(`${name}: header, sections and segments are as readelf read them`, (t) => {
    const { machineName, segments, sections, ...header } = facts.header;
    t.is(machineName, "NVIDIA CUDA architecture");
    t.like(file.header, { ...header, machine: EM.CUDA, version: 1, entry: 0n });
    t.deepEqual([file.segments.length, file.sections.length], [segments, sections]);
    for (const [index, section] of facts.sections.entries()) t.like(file.sections[index], { ...section, index });
    for (const [index, segment] of facts.segments.entries()) t.like(file.segments[index], segment);
  });

  test(`${name}: symbols are as readelf read them`, (t) => {
    const symbols = symbolsOf(file, file.sections[3]!);
    if (!symbols.ok) return t.fail(symbols.error.what);
    t.is(symbols.value.count, facts.symbols.length);
    for (const [index, { shndx, ...symbol }] of facts.symbols.entries()) {
      const ours = symbols.value.at(index);
      t.like(ours, { ...symbol, index });
      t.is(ours.special || ours.sectionIndex, shndx);
      t.is(symbols.value.value64(index), BigInt(symbol.value));
    }
  });

  test(`${name}: relocations are as readelf read them`, (t) => {
    t.true(Object.keys(facts.relocations).length > 0);
    for (const [sectionName, expected] of Object.entries(facts.relocations)) {
      const table = relocationsOf(file, sectionNamed(file, sectionName)!);
      if (!table.ok) return t.fail(table.error.what);
      t.is(table.value.count, expected.length);
      for (const [index, relocation] of expected.entries()) {
        t.like(table.value.at(index), { ...relocation, index });
        t.is(table.value.addend64(index), BigInt(table.value.addend(index)));
      }
    }
  });

  test(`${name}: elfy reads the same`, (t) => {
    t.is(elfyWitness(cubinBytes(name), file).kind, "heard");
    t.deepEqual(crossCheck(cubinBytes(name), file), []);
  });

  test(`${name}: types without file bytes have a size and no data`, (t) => {
    const memoryOnly = file.sections.filter((s) => s.type !== SHT.NULL && !hasFileBytes(EM.CUDA, s.type));
    t.is(memoryOnly.length > 0, !/^(saxpy|use)/.test(name));
    for (const section of memoryOnly) {
      t.is(section.data.length, 0);
      t.true(section.size > 0);
    }
  });
}

// Others have gaps after the string tables, or overlapping sections, which our writer never makes.
for (const name of cubinNames.filter((name) => /sm_(75|80)|linked.sm_90/.test(name)))
  test(`${name}: written again, it has the same bytes`, (t) => {
    const rewritten = writeElf(specOf(cubin(name)));
    t.deepEqual(Buffer.compare(rewritten, cubinBytes(name)), 0);
  });

test("elfy's disagreement is reported, each point by name", (t) => {
  const bytes = cubinBytes("vars.sm_75.o");
  const file = cubin("vars.sm_75.o");
  const sections = file.sections.map((section) => (section.index === 4 ? { ...section, size: 1, link: 9 } : section));
  t.deepEqual(crossCheck(bytes, { ...file, sections }), [
    "section 4: size: 1, elfy reads 224",
    "section 4: sh_link: 9, elfy reads 0",
  ]);
});

test("a file that elfy would misread is not given to it, and the reason is reported", (t) => {
  const file = cubin("vars.sm_75.o");
  const header = { ...file.header, sectionNameTable: 0 };
  t.deepEqual(elfyWitness(file.bytes, { ...file, header }), {
    kind: "not-asked",
    reason: "the file has no section names",
  });
});

test("weak symbols come before sh_info, which is the first STB_GLOBAL symbol, not the first non-local one", (t) => {
  const file = cubin("vars.sm_75.o");
  const table = symbolsOf(file, file.sections[3]!);
  if (!table.ok) return t.fail(table.error.what);
  const symbols = Array.from({ length: table.value.count }, (_, i) => table.value.at(i));
  const weak = symbols.find((symbol) => symbol.name === "preferred")!;
  t.is(weak.binding, 2);
  t.true(weak.index < table.value.section.info);
});

test("strings and notes are found at their sections' offsets", (t) => {
  const file = cubin("vars.sm_75.o");
  t.deepEqual(stringAt(file, 2, 0), { ok: true, value: "" });
  t.deepEqual(stringAt(file, 2, 1), { ok: true, value: "#ii" });
  t.like(stringAt(file, 2, 1e6), { ok: false, error: { code: "out-of-range" } });
  t.like(stringAt(file, 3, 1), { ok: false, error: { code: "out-of-range" } });
  const notes = notesOf(file, sectionNamed(file, ".note.nv.cuinfo")!);
  t.like(notes, { ok: true, value: [{ name: "NVIDIA Corp", type: 1000 }] });
});

test("the second symbol table of sm_100 is read too", (t) => {
  const file = cubin("linked.sm_100.cubin");
  const section = sectionNamed(file, ".nv.merc.symtab")!;
  t.true(isSymbolTable(EM.CUDA, section.type));
  t.false(isSymbolTable(EM.X86_64, section.type));
  t.true(symbolsOf(file, section).ok);
});

/** The parts of a file, for the writer. */
function specOf(file: ElfFile): ElfSpec {
  const segments = file.segments.map((segment): ElfSegmentSpec => {
    const { type, flags, align, offset, fileSize } = segment;
    if (offset === file.header.programHeaderOffset) return { type, flags, align, covers: { kind: "program-headers" } };
    const allocated = file.sections.filter((s) => s.flags % 4 >= 2);
    const first = allocated.find((s) => s.offset === offset && s.data.length > 0)!;
    // A section without bytes at the very end of a segment belongs to it if the segment's size includes it.
    const counted = segment.memorySize > fileSize;
    const inside = (s: (typeof allocated)[number]) =>
      s.offset + s.data.length <= offset + fileSize && (s.data.length > 0 ? s.offset >= offset : counted);
    const last = allocated.findLast((s) => s.index >= first.index && inside(s))!;
    return { type, flags, align, covers: { kind: "sections", first: first.index, last: last.index } };
  });
  return {
    ...file.header,
    sections: file.sections.slice(1).map((section) => ({
      ...section,
      contents: hasFileBytes(file.header.machine, section.type)
        ? { kind: "bytes", bytes: section.data }
        : { kind: "no-bytes", size: section.size },
    })),
    segments,
  };
}
