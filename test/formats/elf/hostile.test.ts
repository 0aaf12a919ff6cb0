// Damaged and hostile ELF files are read, or refused with a place and a reason, without an exception and in limited
// time.
import test from "ava";
import { isAll, rounds } from "../../sample.js";
import { written } from "../../../formats/bytes/writer.js";
import {
  readElf,
  relocationsOf,
  sectionNamed,
  SHT,
  symbolsOf,
  writeElf,
  type ElfSectionSpec,
} from "../../../formats/elf/index.js";
import { exercise } from "../exercise.js";
import { mutations, truncations } from "../hostile.js";
import { cubinBytes, cubinNames } from "../recorded.js";
import { writeSymbols } from "../writers.js";

for (const [seed, name] of cubinNames.entries()) {
  test(`${name}: truncated anywhere, it is refused or read, never a throw`, (t) => {
    for (const bytes of truncations(cubinBytes(name), isAll ? 64 : 1024)) {
      t.is(exercise(bytes), 0);
      const file = readElf(bytes);
      if (file.ok) return t.fail(`${bytes.length} bytes were read`);
      t.true(file.error.offset >= 0 && file.error.what.length > 0);
    }
  });

  test(`${name}: damaged copies are each refused or read, never a throw`, (t) => {
    // Enough of them for both outcomes.
    const copies = Math.max(15, rounds(300, 16));
    let read = 0;
    for (const bytes of mutations(cubinBytes(name), seed, copies)) if (exercise(bytes) > 0) read++;
    // The mutator leaves some files readable, but not all.
    t.true(read > copies / 15 && read < copies, `${read} of ${copies} were read`);
  });
}

/** A recorded cubin with some bytes changed. */
function patched(name: string, patch: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const bytes = Uint8Array.from(cubinBytes(name));
  patch(new DataView(bytes.buffer), bytes);
  return bytes;
}

const refusals: readonly (readonly [string, (view: DataView) => void, { code: string; offset: number }])[] = [
  ["another magic", (v) => v.setUint8(1, 0), { code: "bad-magic", offset: 0 }],
  ["ELF32", (v) => v.setUint8(4, 1), { code: "unsupported", offset: 4 }],
  ["big-endian", (v) => v.setUint8(5, 2), { code: "unsupported", offset: 5 }],
  ["a class that does not exist", (v) => v.setUint8(4, 7), { code: "malformed", offset: 4 }],
  ["version 2", (v) => v.setUint8(6, 2), { code: "unsupported", offset: 6 }],
  ["section headers beyond 2^53", (v) => v.setBigUint64(40, 1n << 60n, true), { code: "out-of-range", offset: 40 }],
  ["section headers past the end", (v) => v.setBigUint64(40, 4800n, true), { code: "truncated", offset: 4800 }],
  ["section headers of 32 bytes", (v) => v.setUint16(58, 32, true), { code: "unsupported", offset: 58 }],
  ["65,279 sections", (v) => v.setUint16(60, 0xfeff, true), { code: "truncated", offset: 3248 }],
  ["names in a section that does not exist", (v) => v.setUint16(62, 500, true), { code: "out-of-range", offset: 62 }],
];

for (const [what, patch, error] of refusals)
  test(`${what}: refused with code and place`, (t) => {
    t.like(readElf(patched("vars.sm_75.o", patch)), { ok: false, error });
  });

test("section headers are checked one by one: extent, alignment, name", (t) => {
  const at = (section: number, field: number) => 3248 + section * 64 + field;
  const refuse = (section: number, field: number, value: bigint) =>
    readElf(patched("vars.sm_75.o", (v) => v.setBigUint64(at(section, field), value, true)));
  t.like(refuse(4, 32, 100_000n), { ok: false, error: { code: "truncated", offset: at(4, 0) } });
  t.like(refuse(4, 24, 100_000n), { ok: false, error: { code: "truncated", offset: at(4, 0) } });
  t.like(refuse(4, 48, 3n), { ok: false, error: { code: "out-of-range", offset: at(4, 48) } });
  t.like(refuse(4, 0, 0x1_0000_ffffn), { ok: false, error: { code: "out-of-range", offset: at(4, 0) } });
  // .nv.global has no bytes in the file, so its size is not limited by it.
  t.like(refuse(23, 32, 1n << 40n), { ok: true });
});

test("a table whose entries, strings, symbols or sections do not exist is refused with its place", (t) => {
  const file = (patch: (v: DataView) => void) => {
    const result = readElf(patched("vars.sm_75.o", patch));
    if (!result.ok) throw new Error(result.error.what);
    return result.value;
  };
  const header = (section: number, field: number) => 3248 + section * 64 + field;
  const symtab = 0x350;
  const symbols = (patch: (v: DataView) => void) => {
    const changed = file(patch);
    return symbolsOf(changed, changed.sections[3]!);
  };
  t.like(
    symbols((v) => v.setBigUint64(header(3, 56), 0n, true)),
    { ok: false, error: { code: "malformed" } },
  );
  t.like(
    symbols((v) => v.setUint32(header(3, 40), 4, true)),
    { ok: false, error: { code: "out-of-range" } },
  );
  t.like(
    symbols((v) => v.setUint32(symtab + 24, 1 << 20, true)),
    { ok: false, error: { offset: symtab + 24 } },
  );
  t.like(
    symbols((v) => v.setUint16(symtab + 30, 400, true)),
    { ok: false, error: { offset: symtab + 30 } },
  );
  t.like(
    symbols((v) => v.setUint16(symtab + 30, 0xffff, true)),
    { ok: false, error: { code: "malformed" } },
  );
  const relocated = file((v) => v.setUint32(0x828 + 12, 24, true));
  t.like(relocationsOf(relocated, sectionNamed(relocated, ".rel.text.k")!), {
    ok: false,
    error: { code: "out-of-range", offset: 0x828 + 12 },
  });
  t.like(relocationsOf(relocated, relocated.sections[3]!), { ok: false, error: { code: "malformed" } });
  t.like(symbolsOf(relocated, relocated.sections[4]!), { ok: false, error: { code: "malformed" } });
});

test("overlapping names of enormous total length are refused before any is decoded", (t) => {
  // 20,000 names, each a suffix of one string of a megabyte: 20 GB of text in a file of 1.5 MB.
  const long = new Uint8Array(1 << 20).fill(0x61);
  long[0] = 0;
  long[long.length - 1] = 0;
  const symbols = Array.from({ length: 20_000 }, (_, i) => ({ nameOffset: i, type: 0, binding: 0 }));
  const data = written((writer) => writeSymbols(writer, symbols));
  const sections: ElfSectionSpec[] = [
    { name: ".shstrtab", type: SHT.STRTAB, contents: { kind: "section-names" } },
    { name: ".strtab", type: SHT.STRTAB, contents: { kind: "bytes", bytes: long } },
    { name: ".symtab", type: SHT.SYMTAB, link: 2, entsize: 24, contents: { kind: "bytes", bytes: data } },
  ];
  const file = readElf(writeElf({ type: 1, machine: 190, osabi: 0x41, abiVersion: 8, flags: 0, sections }));
  if (!file.ok) return t.fail(file.error.what);
  t.like(symbolsOf(file.value, file.value.sections[3]!), { ok: false, error: { code: "limit" } });
});

test("sections that each claim the whole file are refused", (t) => {
  const bytes = patched("vars.sm_75.o", (v) => {
    for (let section = 4; section < 23; section++) {
      v.setBigUint64(3248 + section * 64 + 24, 0n, true);
      v.setBigUint64(3248 + section * 64 + 32, BigInt(v.byteLength), true);
    }
  });
  t.like(readElf(bytes), { ok: false, error: { code: "limit" } });
});

test("sections may overlap in the file, as in real files of sm_100", (t) => {
  const file = readElf(cubinBytes("linked.sm_100.cubin"));
  if (!file.ok) return t.fail(file.error.what);
  const user = sectionNamed(file.value, ".nv.merc.nv.constant.user")!;
  const constants = sectionNamed(file.value, ".nv.constant3")!;
  t.is(user.offset, constants.offset);
  t.deepEqual(user.data, constants.data);
});
