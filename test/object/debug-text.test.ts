// DWARF of several modules in one text: one section of each name, labels that do not clash, common abbreviations and numbers of
// files; and what does not go together. That ptxas makes of the text what nvlink makes of the parts is asked where they are.

import test from "ava";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decoding } from "../../formats/bytes/malformed.js";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx } from "../../lib/link/emit.js";
import type { DebugSection } from "../../lib/object/debug-sections.js";
import { mayNameEntries } from "../../lib/object/dwarf-expressions.js";
import { debugTextOf } from "../../lib/object/debug-text.js";
import { checkLocations } from "../../lib/object/dwarf-tables.js";
import { joinUnits, type JoinedUnit } from "../../lib/object/dwarf-units.js";
import { mergeFiles } from "../../lib/object/merged-files.js";
import { objectOf } from "../link/build.js";

interface Shape {
  readonly name: string;
  readonly files: readonly string[];
  /** Of the entry's abbreviation, as DWARF numbers forms. */
  readonly fileForm?: number;
  readonly file?: string;
  readonly macros?: string;
  /** Bytes of the table in front of the entry's abbreviation. */
  readonly front?: string;
}

/** A module with one unit of one entry: a file, where a function's own shared variable is, a text, the function's range. */
const module = ({
  name,
  files,
  fileForm = 11,
  file = ".b8 3",
  macros = "0",
  front = "",
}: Shape): string => `.version 8.5
.target sm_80, debug
.address_size 64
${files.map((path, i) => `.file ${i + 1} "${path}"`).join("\n")}
.weak .func twice()
{
$begin:
	.loc 1 1 1
	ret;
$end:
}
.visible .entry ${name}(.param .u64 p)
{
	.shared .align 4 .b8 own[4];
	.local .align 4 .b8 depot[4];
	.reg .b64 %rd<4>;
$start:
	.loc 1 3 1
	mov.u64 %rd1, own;
	mov.u64 %rd2, depot;
	.loc 1 4 1, function_name $text+1, inlined_at 1 3 1
	call twice;
	bra $stop;
$stop:
	ret;
}
.section .debug_abbrev {
	.b8 ${front}1, 46, 0, 58, ${fileForm}, 2, 10, 3, 14, 17, 1, 18, 1, 0, 0, 0
}
.section .debug_info {
	.b32 $unit_end-$unit
$unit:
	.b16 2
	.b32 .debug_abbrev
	.b8 8, 1
	${file}
	.b8 9, 3
	.b64 own
	.b32 $text
	.b64 $start
	.b64 $stop
$unit_end:
}
.section .debug_ranges {
	.b64 $begin
	.b64 $end
	.b64 depot
	.b64 p
	.b32 .debug_ranges+8
	.b32 .debug_line
	.b32 .debug_aranges
}
.section .debug_macinfo { .b8 ${macros} }
.section .debug_pubnames {
	.b32 $names_end-$names
$names:
	.b16 2
	.b32 .debug_info
	.b32 43, 11
	.b8 107, 0
	.b32 13
	.b8 108, 0
	.b32 0
$names_end:
}
.section .debug_str {
$text:
	.b8 107, 0
}
`;

interface Merged {
  readonly text: string;
  readonly said: readonly string[];
}

function merge(...shapes: readonly Shape[]): Merged {
  const sink = createSink();
  const text = emitPtx(
    shapes.map((shape) => objectOf(`${shape.name}.ptx`, module(shape))),
    {},
    sink,
  );
  return { text: Buffer.from(text ?? []).toString(), said: sink.all.map(({ message }) => message) };
}

const sectionOf = (text: string, name: string): string =>
  new RegExp(`^\\.section ${name.replace(".", "\\.")} \\{\n([^}]*)\\}`, "m").exec(text)?.[1] ?? "";

test("parts follow each other, labels have names of their own, numbers of files are those of the text", (t) => {
  const { text, said } = merge(
    { name: "k", files: ["a.cu", "common.h", "a.h"] },
    { name: "l", files: ["b.cu", "b.h", "common.h"], front: "9, 36, 0, 0, 0, " },
  );
  t.deepEqual(said, []);
  t.deepEqual(text.match(/^\.file .*$/gm), ['.file 1 "a.cu"', '.file 2 "common.h"', '.file 3 "a.h"', '.file 4 "b.cu"', '.file 5 "b.h"']); // prettier-ignore
  t.is(sectionOf(text, ".debug_abbrev"), "\t.b8 1, 46, 0, 58, 11, 2, 10, 3, 14, 17, 1, 18, 1, 0, 0, 0\n");
  const unit = (file: number, mark: string): string =>
    `\t.b32 $unit_end${mark}-$unit${mark}\n$unit${mark}:\n\t.b16 2\n\t.b32 .debug_abbrev\n\t.b8 8, 1\n\t.b8 ${file}\n\t.b8 9, 3\n\t.b64 own${mark}\n` +
    `\t.b32 $text${mark}\n\t.b64 $start${mark}\n\t.b64 $stop${mark}\n$unit_end${mark}:\n`;
  t.is(sectionOf(text, ".debug_info"), unit(3, "") + unit(2, "_1"));
  // The second module's weak function has lost, and its code is not there.
  const places = (begin: string, end: string, mark: string, at: number): string =>
    `\t.b64 ${begin}\n\t.b64 ${end}\n\t.b64 depot${mark}\n\t.b64 p${mark}\n\t.b32 .debug_ranges+${at}\n\t.b32 .debug_line\n\t.b32 .debug_aranges\n`;
  t.is(sectionOf(text, ".debug_ranges"), places("$begin", "$end", "", 8) + places("0", "0", "_1", 52));
  // The second module's unit by its number, because ptxas takes `.debug_info+43` for 0 there.
  const table = (mark: string, unit: string): string =>
    `\t.b32 $names_end${mark}-$names${mark}\n$names${mark}:\n\t.b16 2\n\t.b32 ${unit}\n\t.b32 43, 11\n\t.b8 107, 0\n\t.b32 13\n\t.b8 108, 0\n\t.b32 0\n$names_end${mark}:\n`;
  t.is(sectionOf(text, ".debug_pubnames"), table("", ".debug_info") + table("_1", "43"));
  t.is(sectionOf(text, ".debug_str"), "$text:\n\t.b8 107, 0\n$text_1:\n\t.b8 107, 0\n");
  t.deepEqual(text.match(/inlined_at.*|function_name [^,]*/g), ["function_name $text+1", "inlined_at 1 3 1", "function_name $text_1+1", "inlined_at 4 3 1"]); // prettier-ignore
  for (const line of ["$start_1:", "bra $stop_1;", ".shared .align 4 .b8 own_1[4];", "mov.u64 %rd2, depot_1;"])
    t.true(text.includes(`\t${line}\n`) || text.includes(`\n${line}\n`), line);
  t.regex(text, /^\.target sm_80, debug\n/m);
  const again = createSink();
  t.is(Buffer.from(emitPtx([objectOf("m.ptx", text)], {}, again)!).toString(), text);
});

test("a number of a file that has no room gets a longer form; one in LEB128 keeps its bytes", (t) => {
  const many = Array.from({ length: 300 }, (_, i) => `${i}.h`);
  const text = (shape: Partial<Shape>): string =>
    merge({ name: "k", files: many }, { name: "l", files: ["b.cu", "b.h", "c.h"], ...shape }).text;
  const fileOf = (shape: Partial<Shape>): string =>
    sectionOf(text(shape), ".debug_info")
      .split("\n")
      .filter((line) => /^\t\.b(8|16) (\d+|\d+, \d+)$/.test(line))[6]!;
  t.is(fileOf({}), `\t.b8 ${303 % 256}, 1`);
  t.is(fileOf({ fileForm: 5, file: ".b16 3" }), "\t.b16 303");
  t.is(fileOf({ fileForm: 15, file: ".b8 131, 0" }), `\t.b8 ${(303 % 128) + 128}, ${Math.floor(303 / 128)}`);
  t.is(fileOf({ fileForm: 15 }), `\t.b8 ${(303 % 128) + 128}, ${Math.floor(303 / 128)}`);
  // The second unit's entry has a shape of its own, with data2 for data1.
  const wide = text({});
  const [one, two] = [11, 5].map((form) => `46, 0, 58, ${form}, 2, 10, 3, 14, 17, 1, 18, 1, 0, 0`);
  t.is(sectionOf(wide, ".debug_abbrev"), `\t.b8 1, ${one!}, 2, ${two!}, 0\n`);
  t.regex(sectionOf(wide, ".debug_info"), /\.b8 8, 1\n\t\.b8 3\n[^]*\.b8 8, 2\n\t\.b8 47, 1\n/);
  t.regex(sectionOf(wide, ".debug_pubnames"), /\.b32 43\n\t\.b32 44, 11\n\t\.b8 107, 0\n\t\.b32 14\n/);
});

test("what does not go into one text is left out with a warning that says why", (t) => {
  const first = { name: "k", files: ["a.cu"] };
  for (const [shape, why] of [
    [{ fileForm: 99 }, /a value of form 0x63, which is not known/],
    [{ macros: "3, 1, 1, 9, 0" }, /\.debug_macinfo with a macro of kind 9/],
    [{ front: "1, 2, " }, /a value of form 0x0, which is not known/],
  ] as const) {
    const { text, said } = merge(first, { name: "l", files: ["b.cu"], ...shape });
    t.is(said.length, 1);
    t.regex(said[0]!, why);
    t.notRegex(text, /\.section|inlined_at|debug/);
    t.regex(text, /\.loc 2 4 1\n/);
  }
});

test("macros have the numbers of files of the text", (t) => {
  const many = Array.from({ length: 300 }, (_, i) => `${i}.h`);
  const macros = (files: readonly string[]): string =>
    sectionOf(merge({ name: "k", files }, { name: "l", files: ["b.cu"], macros: "1, 7, 88, 0, 3, 0, 1, 4, 0" }).text, ".debug_macinfo"); // prettier-ignore
  t.is(macros(["a.cu"]), "\t.b8 0\n\t.b8 1, 7, 88, 0, 3, 0, 2, 4, 0\n");
  t.is(macros(many), `\t.b8 0\n\t.b8 1, 7, 88, 0, 3, 0, ${(301 % 128) + 128}, 2, 4, 0\n`);
});

test("tables that cannot be joined are left out alone, with a warning that names them", (t) => {
  const text = (name: string): string =>
    module({ name, files: [] }).replace(
      ".section .debug_str",
      ".section .debug_aranges { .b8 0 }\n.section .debug_str",
    );
  const sink = createSink();
  const merged = emitPtx([objectOf("k.ptx", text("k")), objectOf("l.ptx", text("l").replace(".b16 2\n\t.b32 .debug_info", ".b16 3\n\t.b32 .debug_info"))], {}, sink); // prettier-ignore
  t.deepEqual(sink.all.map(({ message }) => message), ["tables for finding debug information are left out: .debug_aranges, .debug_pubnames (.debug_pubnames of version 3); all that they lead to stays"]); // prettier-ignore
  const said = Buffer.from(merged!).toString();
  t.notRegex(said, /section \.debug_aranges/);
  t.is(sectionOf(said, ".debug_pubnames").match(/\.b16 2/g)?.length, 1);
  t.regex(said, /section \.debug_info/);
});

test("so many sections that to join them takes long are left out", (t) => {
  const one = objectOf("k.ptx", module({ name: "k", files: [] }));
  const [section] = one.debugSections!.filter(({ name }) => name === ".debug_str");
  const many = Array<DebugSection>(2 ** 20 + 1).fill(section!);
  const object = { ...one, modules: [...one.modules, ...one.modules], debugSections: many };
  const text = debugTextOf({
    ...object,
    files: mergeFiles(object.modules),
    nameOf: String,
    isDeclared: () => true,
    functions: () => ({ all: [], others: new Set() }),
  });
  t.is(text.ok ? "" : text.error.what, "there are more than 1048576 of them");
});

/** A unit of DWARF 2 with an entry for each code. */
const unitOf = (codes: readonly number[], abbrev = 0): Uint8Array =>
  Uint8Array.from([7 + codes.length, 0, 0, 0, 2, 0, abbrev, 0, 0, 0, 8, ...codes]);

test("shapes of entries are said once", (t) => {
  const shapes = (from: number, count: number): readonly number[] => [
    ...Array.from({ length: count }, (_, i) => [i + 1, from + i, 0, 0, 0]).flat(),
    0,
  ];
  const codes = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i + 1);
  const join = (first: readonly number[], second: readonly number[], unused: readonly number[] = []) => {
    const front = shapes(1, first.length);
    const parts = [unitOf(first), unitOf(second, front.length)];
    const abbrev = Uint8Array.from([...front, ...shapes(3, second.length + unused.length)]);
    return joinUnits(parts.map((info) => ({ info, numberOf: (file: number) => file })), abbrev); // prettier-ignore
  };
  const joined = join(codes(4), codes(3), [4]);
  t.true(joined.ok);
  if (!joined.ok) return;
  // Tags 1 to 4, then 3 to 5.
  t.deepEqual(joined.value.infos.map(({ info }) => [...info.slice(11)]), [[1, 2, 3, 4], [3, 4, 5]]); // prettier-ignore
  t.deepEqual([...joined.value.abbrev], shapes(1, 5));
});

/** A unit's bytes after its edits. */
function edited({ info, edits, moved }: JoinedUnit): Uint8Array {
  const bytes: number[] = [];
  let from = 0;
  for (const edit of edits) {
    bytes.push(...info.subarray(from, edit.at), ...edit.bytes);
    from = edit.at + edit.length;
  }
  bytes.push(...info.subarray(from));
  return Uint8Array.from({ length: moved(info.length) }, (_, i) => bytes[i]!);
}

test("entries of more than 127 shapes get longer, and what refers to entries follows", (t) => {
  // Each module has a shape that refers to an entry by ref4, then some of a tag and a flag.
  const table = (from: number, count: number): readonly number[] => [
    ...[1, 46, 0, 73, 0x13, 0, 0],
    ...Array.from({ length: count }, (_, i) => [
      2 + i,
      1 + ((from + i) % 100),
      from + i < 100 ? 0 : 1,
      3,
      12,
      0,
      0,
    ]).flat(),
    0,
  ];
  const unit = (count: number, abbrev: number): Uint8Array => {
    const last = 11 + 5 + 2 * (count - 1);
    const entries = [1, last, 0, 0, 0, ...Array.from({ length: count }, (_, i) => [2 + i, i]).flat()];
    const bytes = Uint8Array.from([0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, ...entries]);
    new DataView(bytes.buffer).setUint32(0, bytes.length - 4, true);
    new DataView(bytes.buffer).setUint32(6, abbrev, true);
    return bytes;
  };
  const first = table(0, 100);
  const abbrev = Uint8Array.from([...first, ...table(0x50, 60)]);
  const parts = [unit(100, 0), unit(60, first.length)].map((info) => ({ info, numberOf: (file: number) => file }));
  const joined = joinUnits(parts, abbrev);
  if (!joined.ok) return t.fail(joined.error.what);
  const [one, two] = joined.value.infos.map(edited);
  // 101 shapes and 40 new ones: codes from 128 on have two bytes.
  t.is(one!.length, parts[0]!.info.length);
  t.is(two!.length, parts[1]!.info.length + 101 + 40 - 127);
  const view = new DataView(two!.buffer);
  t.is(view.getUint32(0, true), two!.length - 4);
  const target = view.getUint32(12, true);
  t.deepEqual([...two!.subarray(target)], [13 | 128, 1, 59]); // prettier-ignore
  t.is(joined.value.infos[1]!.moved(parts[1]!.info.length - 2), target);
});

test("expressions that may name entries are refused where entries move", (t) => {
  const expressions: readonly (readonly [boolean, readonly number[]])[] = [
    [false, [0x03, 0, 0, 0, 0, 0, 0, 0, 0, 0x23, 0x80, 1]],
    [false, [0x90, 0xb3, 0xe4, 0x95, 1]],
    [false, [0x9e, 2, 0x99, 0x99, 0x9f, 0x08, 0x98, 0x92, 1, 0x7f, 0x30, 0x70, 1]],
    [true, [0x30, 0x98, 0, 0]],
    [true, [0xf2]],
  ];
  for (const [names, bytes] of expressions) t.is(mayNameEntries(Uint8Array.from(bytes), 8), names, bytes.join());
});

test("lists of locations that may name entries are refused, those of registers and addresses are not", (t) => {
  const address = (value: bigint): readonly number[] => [...new Uint8Array(BigUint64Array.of(value).buffer)];
  const list = (begin: bigint, end: bigint, ...expression: readonly number[]): readonly number[] => [
    ...address(begin),
    ...address(end),
    expression.length,
    0,
    ...expression,
  ];
  const end = [...address(0n), ...address(0n)];
  const refused = (bytes: readonly number[], places: readonly number[] = []): string => {
    const checked = decoding(() => checkLocations(Uint8Array.from(bytes), (at) => places.includes(at)));
    return checked.ok ? "" : checked.error.code;
  };
  const base = [...address(0xffff_ffff_ffff_ffffn), ...address(16n)];
  t.is(refused([...list(0n, 8n, 0x90, 0xb3, 0x01), ...base, ...list(8n, 16n, 0x50), ...end, ...list(0n, 4n, 0x9f), ...end]), ""); // prettier-ignore
  // DW_OP_call2.
  t.is(refused([...list(0n, 8n, 0x98, 4, 0), ...end]), "unsupported");
  // Labels whose places are 0 here end no list.
  t.is(refused([...list(0n, 0n, 0x98, 4, 0), ...end]), "truncated");
  t.is(refused([...list(0n, 0n, 0x98, 4, 0), ...end], [0, 8]), "unsupported");
});

test("units that are cut off or of another kind are refused", (t) => {
  const abbrev = Uint8Array.from([1, 46, 0, 58, 11, 0, 0, 0]);
  const whole = Uint8Array.from([9, 0, 0, 0, 2, 0, 0, 0, 0, 0, 8, 1, 7]);
  const join = (info: Uint8Array) => joinUnits([{ info, numberOf: () => 8 }], abbrev);
  const joined = join(whole);
  t.deepEqual(joined.ok ? joined.value.infos[0]!.info.at(-1) : undefined, 8);
  for (let size = 1; size < whole.length; size++) t.false(join(whole.slice(0, size)).ok, String(size));
  for (const [at, value] of [
    [4, 1],
    [4, 6],
    [4, 5],
    [6, 9],
    [11, 2],
    [0, 8],
  ] as const)
    // prettier-ignore
    t.false(join(whole.with(at, value)).ok, `${at}`);
  t.false(join(Uint8Array.from([255, 255, 255, 255, 0, 0, 0, 0])).ok);
  // Tables inside others could be read again and again.
  const nested = joinUnits(
    [unitOf([1]), unitOf([1], 5)].map((info) => ({ info, numberOf: () => 8 })),
    Uint8Array.from([2, 46, 0, 0, 0, 1, 46, 0, 0, 0, 0]),
  );
  t.is(nested.ok ? "" : nested.error.code, "limit");
});

test("ptxas makes of the text what nvlink makes of the parts", (t) => {
  const tools = ["ptxas", "nvlink", "llvm-dwarfdump"];
  if (tools.some((tool) => spawnSync(tool, ["--version"]).error !== undefined)) {
    t.pass("not all of the tools are here");
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-debug-"));
  const run = (tool: string, ...words: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(tool, words, { cwd: folder, encoding: "utf8" });
    t.is(status, 0, `${tool} ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  try {
    const names = ["main", "algebra", "data"];
    const texts = names.map((name) =>
      readFileSync(new URL(`../../../testdata/programs/modules-debug/${name}.ptx`, import.meta.url), "utf8"),
    );
    const sink = createSink();
    const merged = emitPtx(texts.map((text, i) => objectOf(names[i]!, text)), {}, sink)!; // prettier-ignore
    t.deepEqual(sink.all, []);
    writeFileSync(join(folder, "merged.ptx"), merged);
    run("ptxas", "-g", "-arch=sm_80", "merged.ptx", "-o", "merged.cubin");
    texts.forEach((text, i) => {
      writeFileSync(join(folder, `${names[i]}.ptx`), text);
      run("ptxas", "-c", "-g", "-arch=sm_80", `${names[i]}.ptx`, "-o", `${names[i]}.cubin`);
    });
    run("nvlink", "-arch=sm_80", ...names.map((name) => `${name}.cubin`), "-o", "parts.cubin");
    // Machine code is scheduled otherwise where calls are; offsets of tables are other by design.
    const shown = (file: string): string =>
      run("llvm-dwarfdump", "--debug-info", file)
        .replace(/^.*file format.*$/m, "")
        .replaceAll(
          /(abbr_offset = |DW_AT_(?:low|high)_pc\t\(|DW_AT_stmt_list\t\(|\[)0x[0-9a-f]+(, 0x[0-9a-f]+)?/g,
          "$1",
        );
    t.is(shown("merged.cubin"), shown("parts.cubin"));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
