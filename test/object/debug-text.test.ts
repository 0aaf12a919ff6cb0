// DWARF of several modules in one text: one section of each name, unique labels, common abbreviations and file numbers,
// and what cannot be combined. If the tools are installed, ptxas's output for the text is compared with nvlink's for
// the parts.

import test from "ava";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx } from "../../lib/link/link-objects.js";
import type { DebugSection } from "../../lib/object/dwarf/debug-sections.js";
import { debugTextOf } from "../../lib/object/dwarf/debug-text.js";
import { mergeFiles } from "../../lib/object/dwarf/merged-files.js";
import { objectOf } from "../link/build.js";
import { installed, testWith } from "../tools.js";

interface Shape {
  readonly name: string;
  readonly files: readonly string[];
  /** Forms of the entry's abbreviation, as DWARF numbers them. */
  readonly fileForm?: number;
  readonly file?: string;
  readonly macros?: string;
  /** Bytes of the abbreviation table before the entry's. */
  readonly front?: string;
}

/**
 * A module with one unit of one entry: a file, the address of a function's shared variable, a text, the function's
 * range.
 */
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

test("parts follow each other, labels are renamed apart, and file numbers are the text's", (t) => {
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
  // The second module's weak function is discarded, so its code is absent.
  const places = (begin: string, end: string, mark: string, at: number): string =>
    `\t.b64 ${begin}\n\t.b64 ${end}\n\t.b64 depot${mark}\n\t.b64 p${mark}\n\t.b32 .debug_ranges+${at}\n\t.b32 .debug_line\n\t.b32 .debug_aranges\n`;
  t.is(sectionOf(text, ".debug_ranges"), places("$begin", "$end", "", 8) + places("0", "0", "_1", 52));
  // The second module's unit by number, because ptxas reads `.debug_info+43` as 0 there.
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

test("a file number without room gets a longer form; one in LEB128 keeps its size", (t) => {
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
  // The second unit's entry has an abbreviation of its own, with data2 instead of data1.
  const wide = text({});
  const [one, two] = [11, 5].map((form) => `46, 0, 58, ${form}, 2, 10, 3, 14, 17, 1, 18, 1, 0, 0`);
  t.is(sectionOf(wide, ".debug_abbrev"), `\t.b8 1, ${one!}, 2, ${two!}, 0\n`);
  t.regex(sectionOf(wide, ".debug_info"), /\.b8 8, 1\n\t\.b8 3\n[^]*\.b8 8, 2\n\t\.b8 47, 1\n/);
  t.regex(sectionOf(wide, ".debug_pubnames"), /\.b32 43\n\t\.b32 44, 11\n\t\.b8 107, 0\n\t\.b32 14\n/);
});

test("sections that cannot be merged into one text are left out with a warning that says why", (t) => {
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

test("macros have the text's file numbers", (t) => {
  const many = Array.from({ length: 300 }, (_, i) => `${i}.h`);
  const macros = (files: readonly string[]): string =>
    sectionOf(merge({ name: "k", files }, { name: "l", files: ["b.cu"], macros: "1, 7, 88, 0, 3, 0, 1, 4, 0" }).text, ".debug_macinfo"); // prettier-ignore
  t.is(macros(["a.cu"]), "\t.b8 0\n\t.b8 1, 7, 88, 0, 3, 0, 2, 4, 0\n");
  t.is(macros(many), `\t.b8 0\n\t.b8 1, 7, 88, 0, 3, 0, ${(301 % 128) + 128}, 2, 4, 0\n`);
});

test("tables that cannot be joined are left out, with a warning that names them", (t) => {
  const text = (name: string): string =>
    module({ name, files: [] }).replace(
      ".section .debug_str",
      ".section .debug_aranges { .b8 0 }\n.section .debug_str",
    );
  const sink = createSink();
  const merged = emitPtx([objectOf("k.ptx", text("k")), objectOf("l.ptx", text("l").replace(".b16 2\n\t.b32 .debug_info", ".b16 3\n\t.b32 .debug_info"))], {}, sink); // prettier-ignore
  t.deepEqual(sink.all.map(({ message }) => message), ["lookup tables of debug information are left out: .debug_aranges, .debug_pubnames (.debug_pubnames of version 3); the information itself is kept"]); // prettier-ignore
  const said = Buffer.from(merged!).toString();
  t.notRegex(said, /section \.debug_aranges/);
  t.is(sectionOf(said, ".debug_pubnames").match(/\.b16 2/g)?.length, 1);
  t.regex(said, /section \.debug_info/);
});

test("section counts that would take too long to join are left out", (t) => {
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

testWith(installed("ptxas", "nvlink", "llvm-dwarfdump"))(
  "ptxas makes of the text what nvlink makes of the parts",
  (t) => {
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
      // Calls change the scheduling of machine code, and offsets of tables differ by design.
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
  },
);
