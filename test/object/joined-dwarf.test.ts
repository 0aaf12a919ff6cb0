// DWARF of two modules that together have more than 127 abbreviations and more than 255 files, where nvcc -G uses one
// byte for each number. Every entry, with its references and file paths, equals that of `ptxas -g -c` and nvlink for
// the parts (testdata/oracle/joined-dwarf.json): in an image, in the text of `--emit ptx`, and in ptxas's output for
// that text. With the tools installed, PTXKIT_UPDATE=1 npx ava test/object/joined-dwarf.test.ts writes the record.

import test from "ava";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, type ElfFile } from "../../formats/elf/index.js";
import { createSink } from "../../lib/diag/sink.js";
import { emitPtx } from "../../lib/link/link-objects.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkAll, objectOf } from "../link/build.js";
import { abbreviationsAt, entryFactsOf } from "./dwarf-facts.js";
import { installed, testWith } from "../tools.js";

/** Tags, attributes and forms of DWARF 2. */
const [COMPILE_UNIT, BASE_TYPE] = [0x11, 0x24];
/** Of variables and members, each of 96 shapes. */
const TAGS = [0x34, 0x0d] as const;
const [NAME, STMT_LIST, DECL_FILE, DECL_LINE, EXTERNAL, TYPE] = [0x03, 0x10, 0x3a, 0x3b, 0x3f, 0x49];
const [DATA1, DATA2, DATA4, STRING, FLAG, REF4] = [0x0b, 0x05, 0x06, 0x08, 0x0c, 0x13];
/** A variable's attributes for each bit of its abbreviation; its line has one byte, two or four. */
const OPTIONAL = [
  [NAME, STRING],
  [EXTERNAL, FLAG],
  [TYPE, REF4],
  [DECL_FILE, DATA1],
  [0x1c, DATA1],
] as const;
const LINES = [DATA1, DATA2, DATA4] as const;

type Attribute = readonly [name: number, form: number];

const typeOf = (number: number): readonly Attribute[] => [
  [DECL_LINE, LINES[Math.floor(number / 32) % 3]!],
  ...OPTIONAL.filter((_, bit) => ((number >> bit) & 1) === 1),
];

const little = (value: number, bytes: number): readonly number[] =>
  Array.from({ length: bytes }, (_, i) => Math.floor(value / 2 ** (8 * i)) % 256);
const list = (bytes: readonly number[]): string => bytes.join(", ");

interface Shape {
  readonly kernel: string;
  readonly files: number;
  /** Numbers of abbreviations, each with one variable. */
  readonly shapes: readonly number[];
}

/** One unit: a type, the variables, and another type; the variables refer to them alternately. */
function moduleText({ kernel, files, shapes }: Shape): string {
  const abbreviations = [
    [1, COMPILE_UNIT, 1, STMT_LIST, DATA4, 0, 0],
    [2, BASE_TYPE, 0, NAME, STRING, 0, 0],
    ...shapes.map((typeId, i) => [3 + i, TAGS[Math.floor(typeId / 96)]!, 0, ...typeOf(typeId).flat(), 0, 0]),
  ];
  const entry = (i: number, types: readonly number[]): readonly number[] => [
    3 + i,
    ...typeOf(shapes[i]!).flatMap(([name, form]) => {
      if (form === REF4) return little(types[i % 2]!, 4);
      if (form === STRING) return [...Buffer.from(`${kernel}${i}`), 0];
      if (name === DECL_FILE) return [1 + ((i * 7) % files)];
      return little(1 + i, form === DATA4 ? 4 : form === DATA2 ? 2 : 1);
    }),
  ];
  const all = (types: readonly number[]): readonly number[] => shapes.flatMap((_, i) => [...entry(i, types)]);
  const typeEntry = (name: string): readonly number[] => [2, ...Buffer.from(name), 0];
  // After the header and the unit's own entry.
  const first = 11 + 5;
  const last = first + typeEntry("front").length + all([0, 0]).length;
  const tail = [...typeEntry("front"), ...all([first, last]), ...typeEntry("back"), 0];
  return `.version 8.5
.target sm_80, debug
.address_size 64
.visible .entry ${kernel}()
{
	.loc 1 1 1
	ret;
}
${Array.from({ length: files }, (_, i) => `.file ${i + 1} "${kernel}/${i + 1}.h"`).join("\n")}
.section .debug_abbrev
{
	.b8 ${list(abbreviations.flat())}, 0
}
.section .debug_info
{
	.b32 ${first - 4 + tail.length}
	.b16 2
	.b32 .debug_abbrev
	.b8 8, 1
	.b32 .debug_line
	.b8 ${list(tail)}
}
`;
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i);
const texts = [
  moduleText({ kernel: "k", files: 200, shapes: range(0, 90) }),
  moduleText({ kernel: "l", files: 120, shapes: range(70, 160).toReversed() }),
] as const;
const names = ["k.ptx", "l.ptx"] as const;

const merged = (): string => {
  const sink = createSink();
  const text = emitPtx(texts.map((each, i) => objectOf(names[i]!, each)), {}, sink); // prettier-ignore
  if (text === undefined || sink.all.length > 0) throw new Error(sink.all.map(({ message }) => message).join("\n"));
  return Buffer.from(text).toString();
};

interface Recording {
  readonly commands: readonly string[];
  readonly units: readonly (readonly string[])[];
}

interface Live {
  readonly parts: Recording;
  /** ptxas's output for the merged text. */
  readonly whole: Recording["units"];
}

function ask(): Live {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-joined-"));
  const run = (tool: string, ...words: readonly string[]): unknown => execFileSync(tool, words, { cwd: folder });
  const made = (name: string): ElfFile => need(readElf(readFileSync(join(folder, name))));
  try {
    for (const [i, text] of [...texts, merged()].entries()) {
      writeFileSync(join(folder, `${i}.ptx`), text);
      run("ptxas", "-g", ...(i < texts.length ? ["-c"] : []), "-arch=sm_80", `${i}.ptx`, "-o", `${i}.o`);
    }
    run("nvlink", "-arch=sm_80", "0.o", "1.o", "-o", "linked");
    const commands = ["ptxas -g -c -arch=sm_80 N.ptx -o N.o", "nvlink -arch=sm_80 0.o 1.o -o linked; CUDA 13.0"];
    return { parts: { commands, units: entryFactsOf(made("linked")) }, whole: entryFactsOf(made("2.o")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const recordFile = new URL("../../../testdata/oracle/joined-dwarf.json", import.meta.url);
const tools = installed("ptxas", "nvlink");
const live = tools.isMet ? ask() : undefined;
if (live !== undefined && process.env["PTXKIT_UPDATE"] === "1")
  writeFileSync(recordFile, `${JSON.stringify(live.parts, undefined, 1)}\n`);
const recorded = JSON.parse(readFileSync(recordFile, "utf8")) as Recording;

const fileOf = (...modules: readonly string[]): ElfFile =>
  need(readElf(writeObject(linkAll(modules.map((text, i) => objectOf(`${i}.ptx`, text))).image!)));
const entriesOf = (...modules: readonly string[]): Recording["units"] => entryFactsOf(fileOf(...modules));

test("the recorded case needs longer numbers", (t) => {
  const [first, second] = texts.map((text) => {
    const shown = sectionNamed(fileOf(text), ".debug_abbrev")!.data;
    return [...abbreviationsAt(shown, 0).values()].map((each) => JSON.stringify(each));
  });
  t.true(first!.length < 128 && second!.length < 128);
  t.is(new Set([...first!, ...second!]).size, 162);
  const numbers = [...merged().matchAll(/^\.file (\d+) /gm)].map(([, number]) => Number(number));
  t.is(Math.max(...numbers), 320);
});

test("an image has the entries of the parts", (t) => {
  t.deepEqual(entriesOf(...texts), recorded.units);
});

test("a merged text has them, with one abbreviation table and one file numbering", (t) => {
  t.deepEqual(entriesOf(merged()), recorded.units);
});

testWith(tools)("ptxas and nvlink answer as recorded, and ptxas makes the same of the merged text", (t) => {
  t.deepEqual([live!.parts, live!.whole], [recorded, recorded.units]);
});
