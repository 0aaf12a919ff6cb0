// Addresses in DWARF: their symbols are those of ptxas (testdata/oracle/debug-relocations.json), their offsets in
// functions those of our encoded code. Also the line program that DW_AT_stmt_list refers to.

import test from "ava";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, relocationsOf, sectionNamed, symbolsOf, type ElfFile } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { linkRelocatable } from "../../lib/link/link-objects.js";
import { decodeFunction } from "../../lib/object/code/decode.js";
import type { ObjectFile } from "../../lib/object/object.js";
import { readObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkAll, moduleText, objectOf } from "../link/build.js";
import { lineProgramAt, linePrograms } from "./line-program.js";
import { asMade } from "./made-here.js";

const root = new URL("../../../testdata/", import.meta.url);

type Record = readonly [offset: number, type: number, symbol: string];

const elfOf = (object: ObjectFile): ElfFile => need(readElf(writeObject(object)));

/** Relocations of a debug section with their addends; scoped variables by their names in the text. */
function recordsOf(file: ElfFile, name: string): readonly { readonly record: Record; readonly addend: bigint }[] {
  const section = sectionNamed(file, `.rela${name}`);
  if (section === undefined) return [];
  const symbols = need(symbolsOf(file, sectionNamed(file, ".symtab")!));
  const table = need(relocationsOf(file, section));
  return Array.from({ length: table.count }, (_, i) => ({
    record: [table.offset(i), table.type(i), symbols.name(table.symbol(i)).replace(/^\$__(.*)__\d+$/, "$1")],
    addend: table.addend64(i),
  }));
}

const word = (file: ElfFile, name: string, offset: number): bigint => {
  const { data } = sectionNamed(file, name)!;
  return new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true);
};

const recorded = JSON.parse(readFileSync(new URL("oracle/debug-relocations.json", root), "utf8")) as {
  files: { readonly [file: string]: { readonly [section: string]: readonly Record[] } };
};

for (const [name, sections] of Object.entries(recorded.files))
  test(`${name}: each location refers to the symbol that it refers to in ptxas's file`, (t) => {
    const object = objectOf(name, readFileSync(new URL(`programs/${name}`, root), "utf8"));
    const file = elfOf(object);
    for (const [section, expected] of Object.entries(sections))
      t.deepEqual(recordsOf(file, section).map(({ record }) => record), expected, section); // prettier-ignore
    // An offset in a function is the beginning of an instruction, or the end of the last one.
    for (const section of Object.keys(sections))
      for (const { record, addend } of recordsOf(file, section)) {
        t.is(word(file, section, record[0]), addend + valueOf(object, record[2]));
        const text = textOf(object, record[2]);
        if (text === undefined) continue;
        const starts: number[] = [];
        t.true(decodeFunction(text, 0, (at) => void starts.push(at)).ok);
        t.true(starts.includes(Number(addend)), `${record[2]}+${addend}`);
      }
  });

function textOf(object: ObjectFile, name: string): Uint8Array | undefined {
  const index = object.symbols.findIndex((symbol) => symbol.kind === "function" && symbol.name === name);
  return object.sections.find(({ role }) => role.kind === "text" && role.symbol === index)?.data;
}

/** Offset of a variable in its section; shared variables of an object have none. */
function valueOf({ symbols }: ObjectFile, name: string): bigint {
  const symbol = symbols.find((each) => each.name === name);
  if (symbol?.kind !== "variable" || symbol.placement.kind !== "section") return 0n;
  return symbol.space === "shared" ? 0n : BigInt(symbol.placement.offset);
}

const module = (name: string, weak: string): string => `.version 8.5
.target sm_90, debug
.address_size 64
.file 2 "/src/a.cu"
.file 4 "b.h"
.visible .global .align 8 .b8 first_${name}[8];
.visible .global .align 4 .b8 second_${name}[4];
.visible .const .align 4 .b8 bank_${name}[4];
.weak .func weak() {
weak_begin:
	${weak}
	ret;
}
.visible .entry ${name}(.param .u64 ${name}_p, .param .u32 ${name}_n)
{
	.shared .align 4 .b8 pad[4];
	.shared .align 4 .b8 own[16];
	.reg .b32 %r<4>;
begin:
	.loc 2 30 5
	mov.b32 %r1, pad;
	mov.b32 %r2, own;
	.loc 4 2000 0
	call weak, ();
	.loc 9 1 1
	st.shared.b32 [%r1], %r2;
	.loc 2 31 7
middle:
	ret;
end:
}
.section .debug_info {
	.b64 begin
	.b64 end
	.b64 middle+1
	.b64 end-begin
	.b64 weak_begin
	.b64 ${name}
	.b64 first_${name}
	.b64 second_${name}+2
	.b64 bank_${name}
	.b64 ${name}_n
	.b64 own
	.b64 nothing
	.b32 .debug_line
	.b32 .debug_abbrev
}
.section .debug_abbrev { .b8 1, 2, 3 }
`;
const a = objectOf("a.ptx", module("k", "bar.sync 0;"));
const b = objectOf("b.ptx", module("l", "bar.sync 1;\n\tbar.sync 2;"));
const PART = 12 * 8 + 2 * 4;

const starts = (object: ObjectFile, name: string): readonly number[] => {
  const list: number[] = [];
  need(decodeFunction(textOf(object, name)!, 0, (at) => void list.push(at)));
  return list;
};

const words = (object: ObjectFile, part: number): readonly number[] => {
  const file = elfOf(object);
  return Array.from({ length: 12 }, (_, i) => Number(word(file, ".debug_info", part + 8 * i)));
};

test("the bytes are offsets in code, in data sections, in the parameter bank and in shared memory", (t) => {
  const [code, weak] = [starts(a, "k"), starts(a, "weak")];
  const [begin, middle, end] = [code[0]!, code[4]!, code[5]!];
  const sm90 = 0x210;
  t.deepEqual(words(a, 0), [begin, end, middle + 1, end - begin, weak[0]!, 0, 0, 8 + 2, 0, sm90 + 8, 0, 0]);
  const types = recordsOf(elfOf(a), ".debug_info").map(({ record: [, type, symbol] }) => `${symbol} ${type}`);
  t.deepEqual(types, ["k 2", "k 2", "k 2", "weak 2", "k 2", "first_k 2", "second_k 2", "bank_k 4", "own 2"]);
});

test("in an image data has moved, shared memory is resolved, and a lost weak function's address is 0 without a relocation", (t) => {
  const image = linkAll([a, b]).image!;
  const [code, sm90] = [starts(b, "l"), 0x210];
  const [begin, middle, end] = [code[0]!, code[4]!, code[5]!];
  const own = Number(need(decodeSymbol(image, "own", "l")));
  // nvlink 13.0 puts the first of these at 0, and those of b.ptx after them: 16 bytes of globals of a.ptx, 4 of its
  // constant bank.
  t.deepEqual(words(image, PART), [begin, end, middle + 1, end - begin, 0, 0, 16, 16 + 8 + 2, 4, sm90 + 8, own, 0]);
  t.deepEqual(words(image, 0).slice(0, 5), words(a, 0).slice(0, 5));
  const records = recordsOf(elfOf(image), ".debug_info").map(({ record }) => record[2]);
  t.deepEqual(records.slice(8), ["l", "l", "l", "l", "first_l", "second_l", "bank_l"]);
  // After the first KiB, which the system reserves on sm_90.
  t.is(own, 1024 + 4);
});

function decodeSymbol({ symbols }: ObjectFile, name: string, scope: string) {
  const found = symbols.find((s) => s.kind === "variable" && s.scope === scope && s.name.includes(`_${name}_`));
  const offset = found?.placement.kind === "section" ? found.placement.offset : -1;
  return { ok: true, value: offset } as const;
}

test("files, -r and links of both give the same bytes; references to removed code are 0", (t) => {
  const image = writeObject(linkAll([a, b]).image!);
  const again = (object: ObjectFile): ObjectFile => readObject(writeObject(object), object.name, createSink())!;
  t.deepEqual(writeObject(again(linkAll([a, b]).image!)), image);
  t.deepEqual(writeObject(linkAll([again(a), again(b)]).image!), image);
  t.deepEqual(writeObject(linkAll([again(linkRelocatable([a, b], {}, createSink())!)]).image!), image);
  const dead = objectOf(
    "dead.ptx",
    module("k", "ret;").replaceAll(".visible .global", ".global").replaceAll("call weak, ();", ""),
  );
  const pruned = linkAll([dead], { gcSections: true }).image!;
  t.deepEqual(words(pruned, 0).slice(4, 8), [0, 0, 0, 0]);
  t.is(words(pruned, 0)[0], starts(pruned, "k")[0]);
});

/** The rows of the unit at an offset, and the files of its table. */
function linesAt(data: Uint8Array, unit: number) {
  const { files, sequences } = lineProgramAt(data, unit);
  const rows = sequences.flatMap((sequence) => [
    ...sequence.rows.map(({ address, file, line, column }) => `${address} ${file}:${line}:${column}`),
    `end ${sequence.end}`,
  ]);
  return { files, rows };
}

test("`.loc` lines become a line program, to which each module's DW_AT_stmt_list refers", (t) => {
  const image = linkAll([a, b]).image!;
  const file = elfOf(image);
  const { data } = sectionNamed(file, ".debug_line")!;
  const info = sectionNamed(file, ".debug_info")!.data;
  const stmtList = (part: number): number => new DataView(info.buffer, info.byteOffset).getUint32(part + 96, true);
  t.is(stmtList(0), 0);
  for (const [object, kernel, at] of [
    [a, "k", stmtList(0)],
    [b, "l", stmtList(PART)],
  ] as const) {
    const code = starts(object, kernel);
    // There is no file 9, so its line is omitted.
    t.deepEqual(linesAt(data, at), {
      files: ["-", "/src/a.cu", "-", "b.h"],
      rows: [`${code[0]} 2:30:5`, `${code[2]} 4:2000:0`, `${code[4]} 2:31:7`, `end ${code[5]}`],
    });
  }
  t.deepEqual(
    recordsOf(file, ".debug_line").map(({ record, addend }) => [record[2], addend]),
    [
      ["k", 0n],
      ["l", 0n],
    ],
  );
  // Stripping removes it; text with a line program keeps its own.
  t.is(sectionNamed(elfOf(linkAll([a], { stripDebug: true }).image!), ".debug_line"), undefined);
  const given = elfOf(objectOf("c.ptx", `${module("k", "ret;")}.section .debug_line { .b8 9 }\n`));
  t.deepEqual([...sectionNamed(given, ".debug_line")!.data], [9]);
});

test("inlined code has the row of its call and its function, as in ptxas; names are the file's", (t) => {
  const text = (kernel: string, inner: string): string => `.version 8.5
.target sm_80
.address_size 64
.visible .entry ${kernel}()
{
	.reg .b32 %r;
	.loc 1 9 0
	mov.u32 %r, 0;
	.loc 1 7 3
	.loc 1 3 1, function_name $outer, inlined_at 1 7 3
	.loc 1 1 5, function_name $inner, inlined_at 1 3 1
	mov.u32 %r, 1;
	.loc 1 3 1, function_name $outer, inlined_at 1 7 3
	mov.u32 %r, 2;
	.loc 1 7 3
	ret;
}
.file 1 "${kernel}.cu"
.section .debug_str
{
$outer:
.b8 111, 0
$inner:
.b8 ${[...Buffer.from(inner)].join()}, 0
}
`;
  const objects = [objectOf("a.ptx", text("k", "first")), objectOf("b.ptx", text("l", "second"))];
  const image = linkAll(objects).image!;
  const names = sectionNamed(elfOf(image), ".debug_str")!.data;
  const { data } = sectionNamed(elfOf(image), ".debug_line")!;
  // Call and name of each row, where they differ from the row before.
  const calls = linePrograms(data).flatMap(({ sequences }) =>
    sequences[0]!.rows
      .map(({ call, name }) =>
        call === 0 ? "none" : `${call} ${Buffer.from(names.subarray(name, names.indexOf(0, name))).toString()}`,
      )
      .filter((row, i, all) => row !== all[i - 1]),
  );
  t.deepEqual(
    calls,
    ["first", "second"].flatMap((inner) => ["none", "2 o", `3 ${inner}`, "2 o", "none"]),
  );
  const through = (object: ObjectFile) =>
    readObject(writeObject(object), object.name, createSink()) as (typeof objects)[number];
  const files = objects.map(through);
  t.deepEqual(writeObject(linkAll(files).image!), writeObject(image));
  const joined = linkRelocatable(files, {}, createSink())!;
  t.deepEqual(writeObject(linkAll([through(joined)]).image!), writeObject(image));
});

test("--debug-line does the same for modules with only .loc, along with those that have debug sections", (t) => {
  const plain = (name: string, kernel: string): ReturnType<typeof objectOf> => {
    const text = module(kernel, "ret;");
    return objectOf(name, text.slice(0, text.indexOf(".section")).replace(", debug", ""));
  };
  const [c, e, mute] = [plain("c.ptx", "m"), plain("e.ptx", "n"), objectOf("f.ptx", moduleText("", "sm_90"))];
  t.is(sectionNamed(elfOf(linkAll([c]).image!), ".debug_line"), undefined);
  const image = linkAll([c, a, mute, e], { lineTables: true }).image!;
  const file = elfOf(image);
  const { data } = sectionNamed(file, ".debug_line")!;
  const own = [c, a, e].map((object) => linkAll([object], { lineTables: true }).image!);
  const tables = own.map((each) => sectionNamed(elfOf(each), ".debug_line")!.data);
  let at = 0;
  for (const [i, table] of tables.entries()) {
    const { files, rows } = linesAt(data, at);
    t.deepEqual({ files, rows }, linesAt(table, 0));
    t.is(rows.length, 4, String(i));
    at += new DataView(data.buffer, data.byteOffset).getUint32(at, true) + 4;
  }
  t.is(at, data.length);
  t.deepEqual(recordsOf(file, ".debug_line").map(({ record }) => record[2]), ["m", "k", "n"]); // prettier-ignore
  // Nothing else changes, and --strip-debug comes first.
  const without = linkAll([c, a, mute, e]).image!;
  t.deepEqual(asMade(image, writeObject(image)).sections, asMade(without, writeObject(without)).sections);
  t.is(sectionNamed(elfOf(linkAll([c], { lineTables: true, stripDebug: true }).image!), ".debug_line"), undefined);
});

test("the local readelf and llvm-dwarfdump read the addresses and lines of an image", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-dwarf-"));
  try {
    const names = ["main", "algebra", "data"].map((name) => `modules-debug/${name}.ptx`);
    const objects = names.map((name) => objectOf(name, readFileSync(new URL(`programs/${name}`, root), "utf8")));
    const image = linkAll(objects).image!;
    writeFileSync(join(folder, "image"), writeObject(image));
    const dump = spawnSync("readelf", ["--debug-dump=info,decodedline", "image"], { cwd: folder, encoding: "utf8" });
    if (dump.error === undefined) {
      t.is(dump.stderr, "");
      t.is(dump.stdout.split("Compilation Unit @").length - 1, 3);
      for (const { symbol } of image.kernels) {
        const { name } = image.symbols[symbol]!;
        t.regex(dump.stdout, new RegExp(`DW_AT_low_pc +: 0x${starts(image, name)[0]!.toString(16)}\n`));
      }
    }
    // All sections of functions begin at 0, as in cubins, so the only complaint is that addresses overlap.
    const verified = spawnSync("llvm-dwarfdump", ["--verify", "image"], { cwd: folder, encoding: "utf8" });
    const faults = (verified.stdout ?? "").split("\n").filter((line) => line.startsWith("error:"));
    t.deepEqual(
      [...new Set(faults)].filter((line) => !line.includes("overlapping address ranges")),
      [],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a module of 32-bit addresses has 32-bit relocations for them", (t) => {
  const text = `.version 4.0
.target sm_20, debug
.address_size 32
.visible .global .u32 counter;
.visible .entry k() {
$L__begin:
  ret;
}
.section .debug_info { .b8 1, 2, 3, 4 .b32 counter .b32 $L__begin }`;
  const records = recordsOf(elfOf(objectOf("old.ptx", text)), ".debug_info");
  t.deepEqual(
    records.map(({ record }) => record),
    [
      [4, 1, "counter"],
      [8, 1, "k"],
    ],
  );
});
