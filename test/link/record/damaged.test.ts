// Damaged objects: the reader into columns refuses what the reader into values refuses, and both give the same meaning
// to the rest (docs/format.md, "Sections").

import test, { type ExecutionContext } from "ava";
import fc from "fast-check";
import { rounds } from "../../sample.js";
import { generateModules } from "../../../bench/generate-modules.js";
import { readElf, sectionNamed, SHT, type ElfFile, type ElfSection } from "../../../formats/elf/index.js";
import { createSink } from "../../../lib/diag/sink.js";
import { readObject } from "../../../lib/object/file/read.js";
import { fileOf, linkQuietly, program, programFiles, withRecord } from "./links.js";
import { moduleText } from "../build.js";
import type { PassOptions } from "../../../lib/link/state/options.js";

const { agree, testRecord } = withRecord(import.meta.url);

test("the columns linker refuses a damaged file that the reader of objects refuses", (t) => {
  const kinds = [
    program(3),
    generateModules(3, "sm_80", "device").map(({ text }, i) => fileOf(text, i)),
    programFiles("modules-debug"),
    programFiles("modules-registry").slice(1),
    ["f", "g", "k"].map((name, i) => {
      const use = `.visible .func ${name}() { .reg .u64 %d; mov.u64 %d, t; mov.u64 %d, i; ret; }`;
      const body = `.visible .global .texref t = { width = 300 };\n.global .surfref i;\n.common .global .align 8 .u32 c[3];\n${use}`;
      return fileOf(moduleText(body), i);
    }),
  ];
  const options: readonly PassOptions[] = [
    {},
    { gcSections: true },
    { gcSections: true, roots: { keepExports: false } },
  ];
  const places = fc.array(fc.record({ at: fc.nat(), byte: fc.nat({ max: 255 }) }), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...kinds), places, fc.constantFrom(...options), (files, changes, how) => {
      const spoilt = files[1]!.slice();
      // Mostly in header and declarations, rarely in code.
      for (const { at, byte } of changes) {
        const end = spoilt.length - 64 - (at % 5000);
        spoilt[at % 2 === 0 ? at % 4000 : Math.max(0, end)] = byte;
      }
      agree(t, [files[0]!, spoilt, files[2]!], JSON.stringify(changes), how);
    }),
    { numRuns: rounds(500, 12) },
  );
});

const elfOf = (file: Uint8Array): ElfFile => {
  const read = readElf(file);
  if (!read.ok) throw new Error(read.error.what);
  return read.value;
};

/** The file with one word of a section header changed. */
function withHeaderWord(file: Uint8Array, name: string, offset: number, word: number): Uint8Array {
  const { headerOffset } = sectionNamed(elfOf(file), name)!;
  const spoilt = new Uint8Array(file);
  new DataView(spoilt.buffer).setUint32(headerOffset + offset, word, true);
  return spoilt;
}

test("problems that the reader of objects finds through headers are found by plain links, too", (t) => {
  const [file, ...others] = program(2);
  const [type, link] = [4, 40];
  for (const wrong of [SHT.NULL, SHT.NOBITS]) {
    const spoilt = withHeaderWord(file!, ".ptxkit.decl", type, wrong);
    t.is(readObject(spoilt, "a.o", createSink()), undefined);
    t.is(linkQuietly([spoilt, ...others]), undefined, `declarations of type ${wrong}`);
  }
  const nameOf = (name: string): number => sectionNamed(elfOf(file!), name)!.nameOffset;
  for (const [name, other] of [
    [".ptxkit.decl", ".text.helper"],
    [".note.ptxkit", ".debug_frame"],
    [".symtab", ".strtab"],
    [".nv.callgraph", ".nv.info"],
  ] as const) {
    const spoilt = withHeaderWord(file!, other, 0, nameOf(name));
    t.is(linkQuietly([spoilt, ...others]), undefined, `a second ${name}`);
    const sink = createSink();
    t.is(readObject(spoilt, "a.o", sink), undefined);
    t.is(sink.all[0]?.code, "malformed-file");
    t.regex(sink.all[0]!.message, new RegExp(`^section \\d+ is a second \\${name}; `));
  }
  const caller = fileOf(
    moduleText(
      ".visible .func f(.param .u64 p) { .reg .u64 %d; ld.param.u64 %d, [p]; P: .callprototype _ (.param .u32 _);\n" +
        "{ .param .u32 a; call %d, (a), P; } ret; }",
    ),
    0,
  );
  t.true(agree(t, [caller, ...others], "an indirect call"));
  const spoilt = withHeaderWord(caller, ".nv.callgraph", link, 4);
  t.is(readObject(spoilt, "a.o", createSink()), undefined);
  t.is(linkQuietly([spoilt, ...others]), undefined, "prototypes by way of another section");
});

/** Diagnostics of the reader into values for a file that the reader into columns must refuse, too. */
function refusal(t: ExecutionContext, spoilt: Uint8Array, others: readonly Uint8Array[]): string | undefined {
  const sink = createSink();
  t.is(readObject(spoilt, "a.o", sink), undefined);
  t.is(linkQuietly([spoilt, ...others]), undefined, sink.all[0]?.message);
  t.is(sink.all[0]?.code, "malformed-file");
  return sink.all[0]?.message;
}

test("a call graph has its four lists, each once and in order", (t) => {
  const [file, ...others] = program(2);
  const { offset, data } = sectionNamed(elfOf(file!), ".nv.callgraph")!;
  for (const [bytes, lists] of [
    [0, "none"],
    [8, "1"],
  ] as const) {
    const short = withHeaderWord(file!, ".nv.callgraph", 32, bytes);
    t.is(refusal(t, short, others), `lists of the call graph: ${lists}, not 1, 2, 3, 4`);
  }
  const second = 8 * Array.from({ length: data.length / 8 }, (_, i) => i).find((i) => data[8 * i + 4] === 0xfe)!;
  for (const [number, lists] of [
    [-1, "1, 1, 3, 4"],
    [-3, "1, 3, 3, 4"],
    [-5, "1, 5, 3, 4"],
  ] as const) {
    const spoilt = new Uint8Array(file!);
    new DataView(spoilt.buffer).setInt32(offset + second + 4, number, true);
    t.is(refusal(t, spoilt, others), `lists of the call graph: ${lists}, not 1, 2, 3, 4`);
  }
});

test("attributes have their type, and are of one function's code each, or of the module", (t) => {
  const [file, ...others] = program(2);
  const [type, flags, info] = [4, 8, 44];
  const { sections } = elfOf(file!);
  const ofKernel = sections.find(({ name }) => name.startsWith(".nv.info."))!;
  const { index, name } = ofKernel;
  const said = (offset: number, word: number) => refusal(t, withHeaderWord(file!, name, offset, word), others);
  t.is(said(type, SHT.PROGBITS), `attributes in section ${index}, ${name}, are of type 1, not 1879048192`);
  t.is(said(info, 4), `attributes in section ${index}, ${name}, are of section 4, which is not a function's code`);
  t.is(said(info, 0), `attributes in section ${index}, ${name}, are of section 0, which is not a function's code`);
  t.is(said(flags, 0), `attributes in section ${index}, ${name}, are the module's, and of section ${ofKernel.info}`);
  const another = sections.find((each) => each.name.startsWith(".nv.info.") && each.index !== index)!;
  t.is(
    refusal(t, withHeaderWord(file!, another.name, info, ofKernel.info), others),
    `attributes in section ${another.index}, ${another.name}, are the second ones of a function`,
  );
});

test("a file with any changed section header is refused as the reader of objects refuses it", (t) => {
  const kinds = [program(3), programFiles("modules-debug"), programFiles("modules-registry").slice(1)];
  // Offsets in a section header: name, type, flags, offset, size, link, info, alignment, entry size.
  const fields = [0, 4, 8, 24, 32, 40, 44, 48, 56];
  const changes = fc.record({
    section: fc.nat(),
    from: fc.nat(),
    field: fc.constantFrom(...fields, -1),
    near: fc.nat(9),
  });
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.array(changes, { minLength: 1, maxLength: 2 }), (files, all) => {
      const spoilt = new Uint8Array(files[1]!);
      const view = new DataView(spoilt.buffer);
      const { sections } = elfOf(spoilt);
      for (const { section, from, field, near } of all) {
        const [at, other] = [section, from].map((each) => sections[each % sections.length]!.headerOffset) as [
          number,
          number,
        ];
        // A whole header, a field of another section's, or a value close to the right one.
        if (field < 0) spoilt.copyWithin(at, other, other + 64);
        else view.setUint32(at + field, view.getUint32((near < 5 ? other : at) + field, true) + (near % 5) * 4, true);
      }
      agree(t, [files[0]!, spoilt, files[2]!], JSON.stringify(all));
    }),
    { numRuns: rounds(400, 12) },
  );
});

test("sections follow each other at their alignments, and are aligned as their contents", (t) => {
  const text = ".visible .global .align 16 .u32 a[4] = {1};\n.visible .func f() { ret; }\n.visible .entry k() { ret; }";
  const file = fileOf(moduleText(`${text}\n.visible .shared .align 8 .u32 s[2];`), 0);
  const others = program(1);
  const [offset, align] = [24, 48];
  const section = (name: string) => sectionNamed(elfOf(file), name)!;
  const said = (name: string, field: number, word: number) =>
    refusal(t, withHeaderWord(file, name, field, word), others);
  t.is(said(".nv.global.init", align, 4), "a, aligned to 16, is in a section aligned to 4");
  t.is(said(".nv_debug.shared", align, 4), "s, aligned to 8, is in a section aligned to 4");
  t.is(said(".text.f", align, 64), ".text.f is aligned to 64, not 128");
  const { index, offset: at } = section(".nv.global.init");
  for (const near of [at - 16, at + 16, at + 4])
    t.regex(
      said(".nv.global.init", offset, near)!,
      new RegExp(`^section ${index} \\(.nv.global.init\\), aligned to 16, is at ${near}: the one before ends at `),
    );
  t.regex(said(".nv.global.init", align, 4096)!, /aligned to 4096, is at /);
});

test("variables that overlap are refused", (t) => {
  const text = ".visible .global .u32 a[4] = {1};\n.visible .global .u32 b[4] = {2};\n.visible .global .u32 c = 3;";
  const file = fileOf(moduleText(text), 0);
  const [symtab, strings] = [".symtab", ".strtab"].map((name) => sectionNamed(elfOf(file), name)!) as [
    ElfSection,
    ElfSection,
  ];
  const nameAt = Buffer.from(strings.data).indexOf("\0b\0") + 1;
  const record = Array.from({ length: symtab.size / 24 }, (_, i) => symtab.offset + 24 * i).find(
    (at) => new DataView(file.buffer, file.byteOffset).getUint32(at, true) === nameAt,
  )!;
  const moved = (offset: number): Uint8Array => {
    const spoilt = new Uint8Array(file);
    new DataView(spoilt.buffer).setUint32(record + 8, offset, true);
    return spoilt;
  };
  // c is first, at 0, and a follows.
  t.is(refusal(t, moved(16), program(1)), "b at 16 overlaps a, 16 bytes at 4");
  t.is(refusal(t, moved(0), program(1)), "c at 0 overlaps b, 16 bytes at 0");
});

testRecord();
