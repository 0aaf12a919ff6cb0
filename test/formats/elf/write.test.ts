// The reader reads what the writer makes: header, symbols, relocations, notes, numbers beyond 16 bits.
import test from "ava";
import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rounds } from "../../sample.js";
import { written } from "../../../formats/bytes/writer.js";
import { crossCheck, elfyWitness } from "../../../formats/elf/elfy-witness.js";
import {
  encodeNotes,
  EM,
  ET,
  notesOf,
  PF,
  PT,
  readElf,
  relocationsOf,
  SHF,
  SHN,
  SHT,
  STB,
  stringTable,
  stringTableBuilder,
  STT,
  symbolsOf,
  writeElf,
  type ElfFile,
  type ElfSectionSpec,
  type ElfSpec,
} from "../../../formats/elf/index.js";
import {
  encodeExtended,
  writeRel,
  writeRela,
  writeSymbols,
  type RelocationRecord,
  type SymbolRecord,
} from "../writers.js";

const NAMES: ElfSectionSpec = { name: ".shstrtab", type: SHT.STRTAB, contents: { kind: "section-names" } };

function spec(sections: readonly ElfSectionSpec[], more: Partial<ElfSpec> = {}): ElfSpec {
  return { type: ET.REL, machine: EM.CUDA, osabi: 0x41, abiVersion: 9, flags: 0x06005a04, sections, ...more };
}

function section(name: string, type: number, bytes: Uint8Array, more: Partial<ElfSectionSpec> = {}): ElfSectionSpec {
  return { name, type, contents: { kind: "bytes", bytes }, ...more };
}

const symbolTable = (symbols: readonly SymbolRecord[]): Uint8Array =>
  written((writer) => writeSymbols(writer, symbols));

const relocations = (write: typeof writeRel, list: readonly RelocationRecord[]): Uint8Array =>
  written((writer) => list.forEach((relocation) => write(writer, relocation)));

function read(bytes: Uint8Array): ElfFile {
  const file = readElf(bytes);
  if (!file.ok) throw new Error(file.error.what);
  return file.value;
}

const name = fc.stringMatching(/^[.a-z0-9_]{1,12}$/);
const u32 = fc.nat({ max: 0xffff_ffff });
const anySection = fc.record({
  name,
  type: fc.constantFrom<number>(SHT.PROGBITS, SHT.NOBITS, 0x7000_0007, 0x7000_0067),
  flags: fc.nat({ max: 0x7fff_ffff }),
  link: u32,
  info: u32,
  addralign: fc.constantFrom(0, 1, 2, 8, 128, 2 ** 31),
  entsize: fc.nat({ max: 100 }),
  bytes: fc.uint8Array({ maxLength: 300 }),
});

test("every section is read back: names, numbers, bytes, and sizes without bytes", (t) => {
  fc.assert(
    fc.property(fc.array(anySection, { maxLength: 12 }), u32, fc.bigInt(0n, 2n ** 64n - 1n), (list, flags, entry) => {
      const sections = list.map(({ bytes, ...rest }): ElfSectionSpec => {
        const isMemoryOnly = rest.type === SHT.NOBITS || rest.type === 0x7000_0007;
        return {
          ...rest,
          contents: isMemoryOnly ? { kind: "no-bytes", size: bytes.length } : { kind: "bytes", bytes },
        };
      });
      const bytes = writeElf(spec([NAMES, ...sections], { flags, entry }));
      const file = read(bytes);
      t.is(file.header.flags, flags);
      t.is(file.header.entry, entry);
      t.is(file.sections.length, list.length + 2);
      for (const [i, { bytes: expected, ...fields }] of list.entries()) {
        const seen = file.sections[i + 2]!;
        t.like(seen, { ...fields, size: expected.length });
        t.deepEqual(Uint8Array.from(seen.data), sections[i]!.contents.kind === "bytes" ? expected : new Uint8Array(0));
      }
      t.deepEqual(crossCheck(bytes, file), []);
      t.deepEqual(writeElf(spec([NAMES, ...sections], { flags, entry })), bytes);
    }),
    { numRuns: rounds(60, 6) },
  );
});

test("segments cover the named sections, and the program headers come last", (t) => {
  const bytes = writeElf(
    spec(
      [
        NAMES,
        section(".text.k", SHT.PROGBITS, new Uint8Array(100), { addralign: 128 }),
        section(".data", SHT.PROGBITS, new Uint8Array(20), { addralign: 16 }),
        { name: ".bss", type: SHT.NOBITS, addralign: 64, contents: { kind: "no-bytes", size: 1000 } },
      ],
      {
        type: ET.EXEC,
        segments: [
          { type: PT.PHDR, flags: PF.R, covers: { kind: "program-headers" } },
          { type: PT.LOAD, flags: PF.R | PF.X, covers: { kind: "sections", first: 2, last: 2 } },
          { type: PT.LOAD, flags: PF.R | PF.W, covers: { kind: "sections", first: 3, last: 4 } },
        ],
      },
    ),
  );
  const file = read(bytes);
  t.is(file.header.programHeaderOffset + 3 * 56, bytes.length);
  const [headers, text, data] = file.segments;
  t.like(headers, { offset: file.header.programHeaderOffset, fileSize: 168, memorySize: 168 });
  t.like(text, { offset: 128, fileSize: 100, memorySize: 100 });
  // .data ends at 260, .bss is aligned to 320: the gap belongs to the segment.
  t.like(data, { offset: 240, fileSize: 80, memorySize: 1080 });
  t.throws(() => writeElf(spec([NAMES], { segments: [{ ...segmentOver(2) }] })), { instanceOf: RangeError });
});

function segmentOver(index: number) {
  return { type: PT.LOAD, flags: PF.R, covers: { kind: "sections", first: index, last: index } } as const;
}

test("symbols are read back, with special sections and sizes beyond 32 bits", (t) => {
  const symbol = fc.record({
    name: fc.oneof(name, fc.constant("")),
    type: fc.nat({ max: 15 }),
    binding: fc.nat({ max: 15 }),
    other: fc.nat({ max: 255 }),
    place: fc.constantFrom({ sectionIndex: 1 }, { sectionIndex: 4 }, { special: SHN.ABS }, { special: SHN.COMMON }, {}),
    value: fc.maxSafeNat(),
    size: fc.maxSafeNat(),
  });
  fc.assert(
    fc.property(fc.array(symbol, { maxLength: 30 }), (list) => {
      const strings = stringTableBuilder();
      const records = list.map(({ name, place, ...rest }) => ({ ...rest, ...place, nameOffset: strings.add(name) }));
      t.is(encodeExtended(records), undefined);
      const file = read(
        writeElf(
          spec([
            NAMES,
            section(".strtab", SHT.STRTAB, strings.bytes()),
            section(".symtab", SHT.SYMTAB, symbolTable(records), { link: 2, entsize: 24, addralign: 8 }),
            section(".text", SHT.PROGBITS, new Uint8Array(8)),
          ]),
        ),
      );
      const table = symbolsOf(file, file.sections[3]!);
      if (!table.ok) return t.fail(table.error.what);
      t.is(table.value.count, list.length);
      for (const [i, { place, ...expected }] of list.entries())
        t.deepEqual(table.value.at(i), { index: i, sectionIndex: 0, special: 0, ...expected, ...place });
    }),
    { numRuns: rounds(60, 6) },
  );
});

test("relocations are read back, with addends of both signs", (t) => {
  const relocation = fc.record({
    offset: fc.maxSafeNat(),
    type: u32,
    symbol: fc.nat({ max: 2 }),
    addend: fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  });
  fc.assert(
    fc.property(fc.array(relocation, { maxLength: 20 }), (list) => {
      const symbols = Array.from({ length: 3 }, () => ({ nameOffset: 0, type: 0, binding: 0 }));
      const bare = list.map((record) => ({ ...record, addend: 0 }));
      const file = read(
        writeElf(
          spec([
            NAMES,
            section(".strtab", SHT.STRTAB, stringTableBuilder().bytes()),
            section(".symtab", SHT.SYMTAB, symbolTable(symbols), { link: 2, entsize: 24 }),
            section(".rela.x", SHT.RELA, relocations(writeRela, list), { link: 3, entsize: 24 }),
            section(".rel.x", SHT.REL, relocations(writeRel, bare), { link: 3, entsize: 16 }),
          ]),
        ),
      );
      for (const [index, expected] of [list, bare].entries()) {
        const table = relocationsOf(file, file.sections[4 + index]!);
        if (!table.ok) return t.fail(table.error.what);
        t.is(table.value.kind, index === 0 ? "rela" : "rel");
        const seen = expected.map((_, i) => table.value.at(i));
        t.deepEqual(
          seen,
          expected.map((record, i) => ({ index: i, ...record })),
        );
        t.deepEqual(
          seen.map((_, i) => table.value.addend64(i)),
          expected.map((record) => BigInt(record.addend)),
        );
      }
    }),
    { numRuns: rounds(60, 6) },
  );
  t.throws(() => relocations(writeRel, [{ offset: 0, type: 4, symbol: 0, addend: 8 }]), { instanceOf: RangeError });
});

test("notes are read back", (t) => {
  const note = fc.record({ name: fc.stringMatching(/^[A-Za-z ]{0,9}$/), type: u32, description: fc.uint8Array() });
  fc.assert(
    fc.property(fc.array(note, { maxLength: 5 }), (list) => {
      const file = read(writeElf(spec([NAMES, section(".note", SHT.NOTE, encodeNotes(list), { addralign: 4 })])));
      const notes = notesOf(file, file.sections[2]!);
      if (!notes.ok) return t.fail(notes.error.what);
      t.deepEqual(
        notes.value.map((n) => ({ name: n.name, type: n.type, description: Uint8Array.from(n.description) })),
        list.map((n) => ({ ...n, description: Uint8Array.from(n.description) })),
      );
    }),
    { numRuns: rounds(60, 6) },
  );
});

test("equal strings share an offset, and a string with a NUL byte is refused", (t) => {
  const builder = stringTableBuilder();
  t.deepEqual([builder.add("a"), builder.add("bc"), builder.add("a"), builder.add("")], [1, 3, 1, 0]);
  const table = stringTable(builder.bytes());
  t.deepEqual([table.at(0), table.at(1), table.at(3), table.at(4), table.at(6)], ["", "a", "bc", "c", undefined]);
  t.throws(() => builder.add("x\0y"), { instanceOf: RangeError });
});

test("a new table does not share strings with the one before", (t) => {
  const builder = stringTableBuilder();
  builder.add("old");
  builder.clear();
  t.is(builder.add("new"), 1);
  t.is(builder.add("old"), 5);
  t.deepEqual(builder.bytes(), new TextEncoder().encode("\0new\0old\0"));
});

test("more sections than 16 bits can count use section header 0 and SHT_SYMTAB_SHNDX", (t) => {
  const many = 0xff10;
  const symbols = [
    { nameOffset: 0, type: 0, binding: 0 },
    { nameOffset: 0, type: STT.SECTION, binding: STB.LOCAL, sectionIndex: many },
    { nameOffset: 0, type: STT.OBJECT, binding: STB.LOCAL, special: SHN.ABS, value: 5 },
  ];
  const fillers = Array.from({ length: many - 3 }, () => section(".x", SHT.PROGBITS, new Uint8Array(0)));
  const bytes = writeElf(
    spec(
      [
        section(".strtab", SHT.STRTAB, stringTableBuilder().bytes()),
        section(".symtab", SHT.SYMTAB, symbolTable(symbols), { link: 1, entsize: 24 }),
        section(".symtab_shndx", SHT.SYMTAB_SHNDX, encodeExtended(symbols)!, { link: 2, entsize: 4 }),
        ...fillers,
        NAMES,
      ],
      { sectionNameTable: many + 1 },
    ),
  );
  const file = read(bytes);
  t.is(file.sections.length, many + 2);
  t.is(file.header.sectionNameTable, many + 1);
  t.is(file.sections[many]!.name, ".x");
  const table = symbolsOf(file, file.sections[2]!);
  if (!table.ok) return t.fail(table.error.what);
  t.like(table.value.at(1), { sectionIndex: many, special: 0 });
  t.like(table.value.at(2), { sectionIndex: 0, special: SHN.ABS });
  t.is(elfyWitness(bytes, file).kind, "not-asked");
});

test("a variable aligned to a gigabyte does not cost a gigabyte of file", (t) => {
  const big = section(".nv.global.init", SHT.PROGBITS, Uint8Array.of(1), { addralign: 2 ** 30, flags: SHF.ALLOC });
  t.true(writeElf(spec([NAMES, big])).length < 10_000);
});

test("a file without section names, and names missing from a table that is given, are refused", (t) => {
  t.throws(() => writeElf(spec([])), { instanceOf: RangeError });
  const given = section(".shstrtab", SHT.STRTAB, new TextEncoder().encode("\0.shstrtab\0"));
  t.is(read(writeElf(spec([given]))).sections[1]!.name, ".shstrtab");
  t.throws(() => writeElf(spec([given, section(".x", SHT.PROGBITS, new Uint8Array(0))])), { message: /lacks "\.x"/ });
});

/** A tool's output for `bytes`, or undefined if it is not installed. */
function ask(command: string, options: readonly string[], bytes: Uint8Array): string | undefined {
  const folder = mkdtempSync(path.join(tmpdir(), "elf-"));
  try {
    const file = path.join(folder, "file.o");
    writeFileSync(file, bytes);
    return execFileSync(command, [...options, file], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("readelf and llvm-readobj, where present, read what we write without a warning", (t) => {
  const strings = stringTableBuilder();
  const symbols = [
    { nameOffset: 0, type: 0, binding: 0 },
    { nameOffset: strings.add("counter"), type: STT.OBJECT, binding: STB.GLOBAL, sectionIndex: 4, value: 8, size: 4 },
  ];
  const bytes = writeElf(
    spec(
      [
        NAMES,
        section(".strtab", SHT.STRTAB, strings.bytes()),
        section(".symtab", SHT.SYMTAB, symbolTable(symbols), { link: 2, info: 1, entsize: 24, addralign: 8 }),
        section(".data", SHT.PROGBITS, new Uint8Array(16), { flags: SHF.WRITE | SHF.ALLOC, addralign: 16 }),
        section(".rela.data", SHT.RELA, relocations(writeRela, [{ offset: 0, type: 2, symbol: 1, addend: -8 }]), {
          link: 3,
          info: 4,
          flags: SHF.INFO_LINK,
          entsize: 24,
          addralign: 8,
        }),
      ],
      { segments: [segmentOver(4)] },
    ),
  );
  const gnu = ask("readelf", ["-a", "-W"], bytes);
  if (gnu !== undefined) {
    t.regex(gnu, /0000000000000008 +4 OBJECT +GLOBAL DEFAULT +4 counter/);
    t.regex(gnu, /0000000100000002 .* counter - 8/);
    t.notRegex(gnu, /warning|error/i);
  }
  const llvm = ["llvm-readobj", "llvm-readobj-14"]
    .map((tool) => ask(tool, ["--file-headers", "--sections", "--symbols", "--relocations", "--segments"], bytes))
    .find((text) => text !== undefined);
  if (llvm !== undefined) {
    t.regex(llvm, /Name: counter/);
    t.notRegex(llvm, /warning|error/i);
  }
  t.true(readElf(bytes).ok);
});
