// What an image keeps of its making: --strip-debug removes lines, --emit-relocs keeps applied relocations.

import test from "ava";
import { readFileSync } from "node:fs";
import { symbolsOf as elfSymbolsOf, readElf, relocationsOf, sectionNamed } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkRelocatable } from "../../lib/link/link-objects.js";
import { encodeFunction } from "../../lib/object/code/encode.js";
import { decodeFunction } from "../../lib/object/code/decode.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import type { ObjectFile, Section } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkAll, moduleText, objectOf } from "./build.js";

const body = `.file 1 "a.cu"
.visible .global .u32 g = 5;
.visible .const .u32 c[2] = {7, 8};
.visible .const .u64 pc = c+4;
.visible .const .u8 low = 0xFF(c+4);
.shared .u32 s;
.visible .entry k(.param .u64 out)
{
  .reg .b64 %o;
  .reg .b32 %a;
  .loc 1 7 3
  ld.param.u64 %o, [out];
  ld.const.u32 %a, [c];
  .loc 1 8 3
  ld.global.u32 %a, [g];
  st.shared.u32 [s], %a;
  ret;
}`;
const object = objectOf("a.ptx", moduleText(body));

const textOf = (file: ObjectFile): string => {
  const text = disassemble(file);
  if (!text.ok) throw new Error(text.error.what);
  return text.value;
};
const read = (bytes: Uint8Array): ObjectFile => readObject(bytes, "out", createSink())!;

/** The lines of all instructions, and the number of positions in the code. */
function linesOf({ sections }: ObjectFile): readonly number[] {
  return sections.flatMap(({ role, data }) => {
    const decoded = role.kind === "text" ? decodeFunction(data!) : undefined;
    if (decoded?.ok !== true) return [];
    const { instructions, locations } = decoded.value.code;
    return [locations.length, ...instructions.map(({ line }) => line)];
  });
}

test("--strip-debug: the same program without lines and files, for modules, objects and relocatable outputs", (t) => {
  const whole = linkAll([object]).image!;
  const stripped = linkAll([object], { stripDebug: true }).image!;
  t.deepEqual(linesOf(whole), [2, 15, 16, 18, 19, 20]);
  t.deepEqual(linesOf(stripped), [0, 0, 0, 0, 0, 0]);
  t.deepEqual(stripped.modules[0]!.files, []);
  t.is(textOf(stripped), textOf(whole).replaceAll(/^\s*\.(loc|file) .*\n/gm, ""));
  t.deepEqual(writeObject(linkAll([read(writeObject(object))], { stripDebug: true }).image!), writeObject(stripped));
  const part = linkRelocatable([object], { stripDebug: true }, createSink())!;
  t.deepEqual(linesOf(part), [0, 0, 0, 0, 0, 0]);
  t.deepEqual(writeObject(linkAll([read(writeObject(part))]).image!), writeObject(stripped));
});

test("no debugging information stays: no line, file, section, or unreferenced label", (t) => {
  const folder = new URL("../../../testdata/programs/structs-debug/structs.ptx", import.meta.url);
  const debug = objectOf("structs.ptx", readFileSync(folder, "utf8"));
  const stripped = linkAll([debug], { stripDebug: true }).image!;
  const file = Buffer.from(writeObject(stripped)).toString("latin1");
  for (const word of ["structs.cu", "$L__func_begin", "$L__func_end", ".debug_info", ".debug_line", "rela.debug"])
    t.false(file.includes(word), word);
  for (const { role, data } of stripped.sections) {
    if (role.kind !== "text") continue;
    const decoded = decodeFunction(data!);
    if (!decoded.ok) throw new Error(decoded.error.what);
    const { code, slots } = decoded.value;
    const again = encodeFunction(code, (slot) => slots[slot]!.space);
    const labels = code.labels.map(({ target }) => target);
    t.deepEqual([...new Set(labels)], labels);
    // Two bytes of each instruction said that it has no line.
    t.is(again.bytes.length - data!.length, 2 * code.instructions.length);
    // Version and flags must agree on whether there are lines.
    t.false(decodeFunction(data!.with(4, 1)).ok);
    t.false(decodeFunction(again.bytes.with(5, 5).with(4, 2)).ok);
  }
});

/** A section without applied relocations and its offset in the file, which depends on their size. */
function withoutApplied({ applied: _, fileOffset: __, ...section }: Section): Section {
  return section;
}

for (const stripDebug of [false, true])
  test(`--emit-relocs${stripDebug ? " with --strip-debug" : ""}: applied relocations are in the file, and nothing else changes`, (t) => {
    const plain = linkAll([object], { stripDebug }).image!;
    const image = linkAll([object], { emitRelocations: true, stripDebug }).image!;
    const bytes = writeObject(image);
    const file = readElf(bytes);
    if (!file.ok) return t.fail(file.error.what);
    const symtab = elfSymbolsOf(file.value, sectionNamed(file.value, ".symtab")!);
    if (!symtab.ok) return t.fail(symtab.error.what);
    const recordsOf = (name: string): readonly string[] => {
      const table = relocationsOf(file.value, sectionNamed(file.value, name)!);
      if (!table.ok) return [table.error.what];
      const { count, offset, type, symbol, addend64 } = table.value;
      return Array.from(
        { length: count },
        (_, i) => `${offset(i)}: ${type(i)} ${symtab.value.name(symbol(i))}+${addend64(i)}`,
      ).sort();
    };
    const { placement } = image.symbols.find(({ name }) => name === "pc")!;
    t.is(placement.kind === "section" && placement.offset, 0);
    // Type 2 is the offset in a bank, type 76 its lowest byte.
    t.deepEqual(recordsOf(".nv.resolvedrela.nv.constant3"), ["0: 2 c+4", "16: 76 c+4"]);
    t.deepEqual(recordsOf(".nv.resolvedrela.text.k"), ["16: 2 c+0", "32: 2 s+0"]);
    t.deepEqual(recordsOf(".rel.text.k"), ["24: 2 g+0"]);
    const { sections, ...rest } = read(bytes);
    const expected = read(writeObject(plain));
    t.deepEqual(
      { ...rest, sections: sections.map(withoutApplied) },
      { ...expected, sections: expected.sections.map(withoutApplied) },
    );
    // Reading and writing such an image gives the same bytes.
    t.deepEqual(writeObject(read(bytes)), bytes);
    const again = linkAll([read(writeObject(object))], { emitRelocations: true, stripDebug }).image!;
    t.deepEqual(writeObject(again), bytes);
  });
