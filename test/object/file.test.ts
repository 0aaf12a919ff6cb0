import test from "ava";
import fc from "fast-check";
import { rounds } from "../sample.js";
import { createSink } from "../../lib/diag/sink.js";
import { assemble } from "../../lib/object/assemble.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, SYMBOL_SIZE, symbolsOf } from "../../formats/elf/index.js";
import { decodeObject, readObject } from "../../lib/object/file/read.js";
import { objectParts, writeObject } from "../../lib/object/file/write.js";
import type { ObjectSymbol, RelocObject } from "../../lib/object/object.js";
import { asMade } from "./made-here.js";
import { check } from "./pipeline.js";
import { richModule } from "./samples.js";

for (const sm of ["sm_75", "sm_90a", "sm_100"]) {
  test(`reading what was written gives the same object (${sm})`, (t) => {
    const object = assemble(richModule(sm));
    const bytes = writeObject(object);
    t.true(Buffer.concat([...objectParts(object)]).equals(bytes), "in parts");
    const read = decodeObject(bytes, object.name);
    if (!read.ok) return t.fail(`${read.error.offset}: ${read.error.what}`);
    t.deepEqual(asMade(read.value, bytes), object);
    t.deepEqual(writeObject(read.value), bytes);
  });
}

test("an executable is written and read back, too", (t) => {
  const object = { ...assemble(richModule()), type: "executable" as const };
  const shared = object.kernels.map((kernel) => ({ ...kernel, sharedBytes: 12, dynamicSharedOffset: 64 }));
  const image = { ...object, kernels: shared };
  const bytes = writeObject(image);
  const read = decodeObject(bytes, image.name);
  if (!read.ok) return t.fail(`${read.error.offset}: ${read.error.what}`);
  t.deepEqual(asMade(read.value, bytes), image);
});

test("large contents are written like small ones, and are not copied", (t) => {
  const object = assemble(
    check(`.version 8.0
.target sm_90
.address_size 64
.visible .global .align 4 .b8 small[5] = {1, 2, 3, 4, 5};
.visible .global .align 16 .b8 large[70000] = {9, 8};
.visible .const .align 8 .b8 table[8] = {7};
`),
  );
  const data = object.sections.find(({ size }) => size > 70000)?.data;
  const parts = objectParts(object);
  t.true(parts.some(({ buffer }) => buffer === data?.buffer));
  const read = decodeObject(writeObject(object), object.name);
  if (!read.ok) return t.fail(`${read.error.offset}: ${read.error.what}`);
  t.deepEqual(
    read.value.sections.map((section) => section.data),
    object.sections.map((section) => section.data),
  );
});

test("an object that exceeds the file format is refused with the reason", (t) => {
  const object = assemble(richModule());
  const at = object.sections.findIndex(({ role }) => role.kind === "global-init");
  const { size } = object.sections[at]!;
  const withData = (data: Uint8Array | undefined) => {
    const { data: _, ...rest } = object.sections[at]!;
    return { ...object, sections: object.sections.with(at, data === undefined ? rest : { ...rest, data }) };
  };
  const refused = (of: () => unknown, message: string): void => {
    t.throws(of, { instanceOf: RangeError, message });
  };
  refused(() => writeObject(withData(undefined)), `section ${at}: 0 bytes of data, and a size of ${size}`);
  refused(
    () => writeObject(withData(new Uint8Array(size + 1))),
    `section ${at}: ${size + 1} bytes of data, and a size of ${size}`,
  );
  for (const align of [NaN, 12, -8, 2 ** 54, 2 ** 52 + 1]) {
    const sections = object.sections.with(at, { ...object.sections[at]!, align });
    refused(
      () => writeObject({ ...object, sections }),
      `section ${at}: an alignment of ${align} bytes, which is no power of two`,
    );
  }
  const symbols = object.symbols.with(0, { ...object.symbols[0]!, name: "a\0b" });
  refused(() => writeObject({ ...object, symbols }), 'a string table cannot hold "a\\u0000b"');
  const changed = (change: Partial<ObjectSymbol>) => ({
    ...object,
    symbols: object.symbols.with(0, { ...object.symbols[0]!, ...change } as ObjectSymbol),
  });
  refused(() => writeObject(changed({ name: "" })), 'a string table cannot hold ""');
  refused(() => writeObject(changed({ name: "a\ud800" })), 'a string table cannot hold "a\\ud800"');
  const { name, origin } = object.symbols[0]!;
  const none = `which is none up to ${2 ** 31 - 1}`;
  for (const line of [2 ** 31, -1, 1.5])
    refused(() => writeObject(changed({ origin: { ...origin, line } })), `${name}: declared in line ${line}, ${none}`);
  refused(
    () => writeObject(changed({ origin: { ...origin, column: 2 ** 31 } })),
    `${name}: declared in column ${2 ** 31}, ${none}`,
  );
  const referring = object.sections.findIndex(({ relocations }) => relocations.length > 0);
  for (const offset of [2 ** 32, -1, NaN]) {
    const section = object.sections[referring]!;
    const relocations = section.relocations.with(0, { ...section.relocations[0]!, offset });
    refused(
      () => writeObject({ ...object, sections: object.sections.with(referring, { ...section, relocations }) }),
      `section ${referring}: a relocation at byte ${offset}`,
    );
  }
  refused(() => writeObject(object, { buildId: new Uint8Array(32) }), "a build ID has 20 bytes, not 32");
});

test("targets, versions, modules and indices that no file can hold are refused with the reason", (t) => {
  const object = assemble(richModule());
  const refused = (change: Partial<RelocObject>, message: string): void => {
    t.throws(() => writeObject({ ...object, ...change }), { instanceOf: RangeError, message });
  };
  const { target, modules, sections, symbols } = object;
  const none = `is not a whole number from 0 to ${2 ** 31 - 1}`;
  for (const version of [2 ** 32 + 80, -1, 8.5, NaN]) {
    refused({ version }, `the object: PTX version ${version} ${none}`);
    refused({ modules: [{ ...modules[0]!, version }] }, `module 0: PTX version ${version} ${none}`);
  }
  refused({ target: { ...target, name: "gfx90a" } }, 'the object: "gfx90a" is not a target, such as "sm_90a"');
  refused({ target: { ...target, name: "" } }, 'the object: "" is not a target, such as "sm_90a"');
  refused({ target: { ...target, sm: 7 } }, `the object: the target ${target.name} has the architecture 7`);
  const half = (text: string): string => `module 0: ${text} contains half of a surrogate pair`;
  refused({ modules: [{ ...modules[0]!, name: "\ud800.ptx" }] }, half('"\\ud800.ptx"'));
  refused({ modules: [{ ...modules[0]!, files: [{ index: 1, path: "a\udc00" }] }] }, half('"a\\udc00"'));
  refused({ modules: [{ ...modules[0]!, targetLine: -1 }] }, `module 0: line or file number -1 ${none}`);

  const at = sections.findIndex(({ relocations }) => relocations.length > 0);
  const relocation = sections[at]!.relocations[0]!;
  const relocated = (change: Partial<typeof relocation>) => ({
    sections: sections.with(at, { ...sections[at]!, relocations: [{ ...relocation, ...change }] }),
  });
  for (const symbol of [2 ** 32, symbols.length, -1, 0.5])
    refused(
      relocated({ symbol }),
      `section ${at}: a relocation to symbol ${symbol}; the object has ${symbols.length} symbols`,
    );
  for (const width of [2 ** 32 + 8, 0, 3])
    refused(relocated({ width }), `section ${at}: a relocation of ${width} bytes; relocations have 1, 2, 4 or 8`);
  refused(relocated({ type: 2 ** 32 }), `section ${at}: a relocation of type ${2 ** 32}`);
  refused(
    relocated({ addend: 2n ** 63n }),
    `section ${at}: a relocation with the addend ${2n ** 63n}, which does not fit 64 bits`,
  );
  const count = symbols.length;
  refused(
    { kernels: [{ ...object.kernels[0]!, symbol: count }] },
    `a kernel: symbol ${count}; the object has ${count} symbols`,
  );
  refused({ calls: [{ caller: 0, callee: -1 }] }, `a callee: symbol -1; the object has ${count} symbols`);
  const placed = (placement: ObjectSymbol["placement"]) => ({
    symbols: symbols.with(0, { ...symbols[0]!, placement }),
  });
  refused(
    placed({ kind: "section", section: sections.length, offset: 0 }),
    `${symbols[0]!.name}: defined in section ${sections.length} of ${sections.length}`,
  );
});

test("a cubin of NVIDIA's is refused as machine code", (t) => {
  const bytes = writeObject(assemble(richModule()));
  bytes[8] = 8;
  const sink = createSink();
  t.is(readObject(bytes, "a.cubin", sink), undefined);
  t.deepEqual(
    sink.all.map(({ code, message }) => [code, message]),
    [["machine-code", "machine code (SASS) of NVIDIA's; ptxkit links PTX and its own objects"]],
  );
});

test("a malformed object is reported with its file and offset", (t) => {
  const bytes = writeObject(assemble(richModule()));
  const sink = createSink();
  t.is(readObject(bytes.subarray(0, 200), "a.o", sink), undefined);
  t.is(sink.errorCount, 1);
  t.like(sink.all[0]!.place, { kind: "bytes", file: "a.o" });
});

test("objects truncated at any length are refused", (t) => {
  const bytes = writeObject(assemble(richModule()));
  for (let length = 0; length < bytes.length; length += 7)
    t.false(decodeObject(bytes.subarray(0, length), "a.o").ok, `${length}`);
});

test("a symbol in a section of another kind is refused, and code whose function is in another section", (t) => {
  const text = `.version 8.5
.target sm_80
.address_size 64
.visible .global .u32 g = 1;
.visible .const .u32 c = 2;
.visible .func f() { ret; }
.visible .func h() { ret; }
`;
  const bytes = writeObject(assemble(check(text)));
  const file = need(readElf(bytes));
  const symtab = sectionNamed(file, ".symtab")!;
  const table = need(symbolsOf(file, symtab));
  const indexOf = (name: string): number => file.sections.find((section) => section.name === name)!.index;
  const moved = (name: string, section: string) => {
    const symbol = Array.from({ length: table.count }, (_, i) => i).find((i) => table.name(i) === name)!;
    const copy = bytes.slice();
    new DataView(copy.buffer).setUint16(symtab.offset + SYMBOL_SIZE * symbol + 6, indexOf(section), true);
    const read = decodeObject(copy, "a.o");
    return read.ok ? "" : read.error.what;
  };
  for (const [name, section] of [
    ["g", ".nv.constant3"],
    ["c", ".nv.global.init"],
    ["g", ".text.f"],
    ["f", ".nv.global.init"],
  ] as const)
    t.is(moved(name, section), `${name} is in section ${indexOf(section)} (${section}), which holds other kinds`);
  t.is(moved("f", ".text.h"), ".text.f belongs to f, which stands elsewhere");
  t.is(moved("f", ".text.f"), "");
});

test("an alias may be named like a function that contains variables", (t) => {
  const object = assemble(richModule());
  const symbols = object.symbols.map((symbol) => (symbol.name === "alias" ? { ...symbol, name: "k" } : symbol));
  const printed = disassemble({ ...object, symbols });
  t.true(printed.ok && printed.value.includes(".alias k, f;"));
});

test("damaged bytes never throw", (t) => {
  const bytes = writeObject(assemble(richModule()));
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (damage) => {
      const copy = bytes.slice();
      for (const [offset, value] of damage) copy[offset] = value;
      const read = decodeObject(copy, "a.o");
      if (read.ok) {
        accepted++;
        writeObject(read.value);
        disassemble(read.value);
      }
    }),
    { numRuns: rounds(2000, 8) },
  );
  t.log(`${accepted} accepted`);
  t.pass();
});
