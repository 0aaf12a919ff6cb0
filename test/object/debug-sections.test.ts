// DWARF of PTX in objects: the text comes back, the bytes are valid DWARF, modules are joined, and malformed files are
// reported.

import test from "ava";
import { readElf, sectionNamed } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkRelocatable } from "../../lib/link/link-objects.js";
import { decodeDebugSection, encodeDebugSection } from "../../lib/object/dwarf/debug-sections.js";
import { disassemble } from "../../lib/object/print/disassemble.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { SECTION_TYPES } from "../../lib/ptx/section-data.js";
import type { SectionDirective } from "../../lib/ptx/tree.js";
import { linkAll, objectOf } from "../link/build.js";
import { printedSection, sectionOf, type SectionItem } from "../ptx/section-items.js";

const sections = `.section .debug_abbrev {
	.b8 1, 2, 255, 0
	.b8 -1, -128, 127
}
.section .debug_info {
	.b32 10
info_start:
	.b16 2
	.b32 .debug_abbrev
	.b8 8
	.b64 begin
	.b64 k
	.b32 .debug_str+4
	.b32 text
	.b32 text+2
	.b32 text-empty
	.b64 18446744073709551615
info_end:
}
.section .debug_str {
empty:
	.b8 0
text:
	.b8 107
	.b8 0
}
`;
const module = (name: string): string => `.version 8.5
.target sm_80, debug
.address_size 64
.file 1 "a.cu"
.visible .entry ${name}()
{
begin:
	.loc 1 3 1
	.loc 1 4 1, function_name text+1, inlined_at 1 3 1
	ret;
}
`;
const object = objectOf("a.ptx", `${module("k")}${sections}`);

const read = (bytes: Uint8Array): ObjectFile => readObject(bytes, "a.o", createSink())!;

function textOf(file: ObjectFile): string {
  const text = disassemble(file);
  if (!text.ok) throw new Error(text.error.what);
  return text.value;
}

/** The bytes of a section of the object's file. */
function bytesOf(file: ObjectFile, name: string): string {
  const elf = readElf(writeObject(file));
  if (!elf.ok) throw new Error(elf.error.what);
  return Buffer.from(sectionNamed(elf.value, name)?.data ?? []).toString("hex");
}

test("text to object to text gives the same, through a file and in an image of one module", (t) => {
  const whole = `${module("k")}${sections}`;
  for (const file of [
    object,
    read(writeObject(object)),
    linkAll([object]).image!,
    read(writeObject(linkAll([object]).image!)),
  ])
    t.is(textOf(file), whole);
});

test("adjacent sections of one name stay separate, and become one in a text of several modules", (t) => {
  const neighbours = `.section .debug_str {
	.b8 1
}
.section .debug_str {
second:
	.b8 2, 3
}
.section .debug_str {
}
.section .debug_loc {
	.b32 second
	.b32 .debug_str+1
}
.section .debug_str {
	.b8 4
}
`;
  const kernel = (name: string): string =>
    `.version 8.5\n.target sm_80\n.address_size 64\n.visible .entry ${name}()\n{\n\tret;\n}\n`;
  const one = objectOf("one.ptx", `${kernel("k")}${neighbours}`);
  t.is(one.debugSections?.length, 3);
  for (const file of [one, read(writeObject(one)), linkAll([one]).image!])
    t.is(textOf(file), `${kernel("k")}${neighbours}`);
  t.is(bytesOf(one, ".debug_str"), "01020304");
  t.is(bytesOf(one, ".debug_loc"), "0100000001000000");
  const two = objectOf("two.ptx", `${kernel("k2")}${neighbours}`);
  const image = linkAll([one, two]).image!;
  t.is(bytesOf(image, ".debug_str"), "0102030401020304");
  t.is(bytesOf(image, ".debug_loc"), "01000000010000000500000005000000");
  t.is([...textOf(image).matchAll(/\.section \.debug_str/g)].length, 1);
});

test("references are offsets in the file, and in the encoded code", (t) => {
  t.is(bytesOf(object, ".debug_abbrev"), "0102ff00ff807f");
  t.is(
    bytesOf(object, ".debug_info"),
    // length, version, abbreviations, pointer size, begin, k, .debug_str+4, text, text+2, text-empty, a whole word
    "0a000000" +
      "0200" +
      "00000000" +
      "08" +
      "3900000000000000" +
      "00".repeat(8) +
      "04000000" +
      "01000000" +
      "03000000" +
      "01000000" +
      "ff".repeat(8),
  );
});

test("modules are joined section by section, and references are adjusted", (t) => {
  const other = objectOf(
    "b.ptx",
    `${module("k2").replaceAll("k;", "k2;")}${sections.replace(".b64 k\n", ".b64 k2\n")}`,
  );
  const image = linkAll([object, other]).image!;
  t.is(bytesOf(image, ".debug_abbrev"), "0102ff00ff807f".repeat(2));
  const info = bytesOf(image, ".debug_info");
  t.is(info.slice(0, info.length / 2), bytesOf(object, ".debug_info"));
  t.is(
    info.slice(info.length / 2),
    "0a000000" +
      "0200" +
      "07000000" +
      "08" +
      "3900000000000000" +
      "00".repeat(8) +
      "07000000" +
      "04000000" +
      "06000000" +
      "01000000" +
      "ff".repeat(8),
  );
  // Labels of two modules cannot be in one text.
  t.notRegex(textOf(image), /\.section|debug|inlined_at/);
  const files = [object, other].map((each) => read(writeObject(each)) as typeof object);
  t.deepEqual(writeObject(linkAll(files).image!), writeObject(image));
  const part = linkRelocatable(files, {}, createSink())!;
  t.deepEqual(writeObject(linkAll([read(writeObject(part)) as typeof object]).image!), writeObject(image));
});

test("--strip-debug and --gc-sections remove them", (t) => {
  t.notRegex(textOf(linkAll([object], { stripDebug: true }).image!), /\.section|debug|\.loc/);
  const dead = objectOf(
    "dead.ptx",
    `${module("k").replace("entry k", "func f")}${sections.replace(".b64 k\n", ".b64 f\n")}`,
  );
  const image = linkAll([object, dead], { gcSections: true }).image!;
  t.deepEqual(writeObject(image), writeObject(linkAll([object]).image!));
});

test("a section with another's name becomes a separate one in the file", (t) => {
  const odd = objectOf(
    "a.ptx",
    `${module("k").replace(", function_name text+1, inlined_at 1 3 1", "")}.section .symtab { .b8 1 }\n.section .debug_frame { .b8 7 }\n`,
  );
  t.is(bytesOf(odd, ".ptxkit.debug.symtab"), "01");
  t.is(bytesOf(odd, ".debug_frame"), "07");
  t.regex(
    textOf(read(writeObject(odd))),
    /\.section \.symtab \{\n\t\.b8 1\n\}\n\.section \.debug_frame \{\n\t\.b8 7\n\}\n$/,
  );
});

/** Random numbers below `limit`, the same on every run. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

function randomSection(next: (limit: number) => number): SectionDirective {
  const items = Array.from({ length: next(40) }, (): SectionItem => {
    const log = next(4);
    const type = SECTION_TYPES[log]!;
    if (next(9) === 0) return { isNext: true };
    if (next(5) === 0) return { label: `l${next(9)}` };
    if (next(5) === 0) {
      const rest = [{}, { minus: `l${next(9)}` }, { offset: BigInt(next(99)) }][next(3)]!;
      return { type, name: `l${next(9)}`, ...rest };
    }
    const half = 1n << BigInt((8 << log) - 1);
    const isSigned = next(3) === 0;
    const values = Array.from({ length: 1 + next(4) }, () => {
      const bits = (BigInt(next(2 ** 32)) << 32n) | BigInt(next(2 ** 32));
      return isSigned ? (bits % half) - (next(2) === 0 ? half : 0n) : bits % (2n * half);
    });
    return { type, values };
  });
  return sectionOf(".debug_info", items, next(4) === 0);
}

test("random sections are read back", (t) => {
  const next = random(1);
  for (let i = 0; i < 300; i++) {
    const section = randomSection(next);
    const decoded = decodeDebugSection(encodeDebugSection(section, 0));
    t.true(decoded.ok);
    if (decoded.ok) t.is(printedSection(decoded.value), printedSection(section));
  }
});

test("damaged shapes are malformed, never a crash, and files with them can be written", (t) => {
  const next = random(2);
  for (let i = 0; i < 2000; i++) {
    const section = encodeDebugSection(randomSection(next), 0);
    const record = section.record.slice(0, 1 + next(section.record.length));
    record[next(record.length)] = next(256);
    const damaged = { ...section, shape: record, data: section.data.subarray(0, next(section.data.length + 1)) };
    const decoded = decodeDebugSection(damaged);
    t.is(typeof decoded.ok, "boolean");
    if (i % 20 === 0) t.notThrows(() => writeObject({ ...object, debugSections: [damaged] }));
  }
});
