// `.debug_line` compared with that of `ptxas -c -O0` (testdata/oracle/debug-line.json): the same files, and for each
// function the same sequence of lines, each with the inlined function and the calls it is inlined at. Not compared are
// addresses (machine code there, encoded PTX here), columns (ptxas has none), rows of no instruction, and repeated
// rows. Optimised code has other sequences, but each of its lines must be among ours. With the tools installed,
// PTXKIT_UPDATE=1 npx ava test/object/debug-line.test.ts writes the record.

import test from "ava";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { need } from "../../formats/bytes/malformed.js";
import { readElf, sectionNamed, type ElfFile } from "../../formats/elf/index.js";
import { writeObject } from "../../lib/object/file/write.js";
import { linkAll, objectOf } from "../link/build.js";
import { lineFactsOf, type ModuleLines } from "./line-facts.js";
import { linePrograms } from "./line-program.js";
import { installed, testWith } from "../tools.js";

const root = new URL("../../../testdata/", import.meta.url);
const recordFile = new URL("oracle/debug-line.json", root);

/** Modules that are linked together, and their target. */
const programs = [
  { target: "sm_80", modules: ["oracle/debug-line/nested.ptx"] },
  { target: "sm_80", modules: ["oracle/debug-line/first.ptx", "oracle/debug-line/second.ptx"] },
  { target: "sm_80", modules: ["oracle/debug-line/quirks.ptx"] },
  { target: "sm_90", modules: ["programs/reduce-lineinfo/reduce.ptx"] },
] as const;
type Program = (typeof programs)[number];

const QUIRKS = "oracle/debug-line/quirks.ptx";

/** Finds the names of inlined functions. */
interface Names {
  /** Offsets in `.debug_str`, by module, each once. */
  readonly offsets: readonly (readonly number[])[];
  readonly strings: readonly string[];
}

interface Recording {
  readonly commands: readonly string[];
  readonly modules: Readonly<Record<string, ModuleLines & { readonly optimised: readonly string[] }>>;
  /** Names that nvlink gives to the first module of a name and to later ones. */
  readonly joined: { readonly objects: readonly Names[]; readonly linked: Names };
}

const bytesOf = (module: string): Buffer => readFileSync(new URL(module, root));
const once = <T>(values: readonly T[]): readonly T[] => [...new Set(values)];
const placesOf = ({ functions }: ModuleLines): readonly string[] => once(Object.values(functions).flat()).toSorted();

function namesOf(file: ElfFile): Names {
  const rows = linePrograms(sectionNamed(file, ".debug_line")!.data).map(({ sequences }) =>
    sequences.flatMap((sequence) => sequence.rows.filter(({ call }) => call > 0).map(({ name }) => name)),
  );
  const strings = Buffer.from(sectionNamed(file, ".debug_str")!.data).toString().split("\0").slice(0, -1);
  return { offsets: rows.map((names) => once(names).toSorted((a, b) => a - b)), strings };
}

function ask(): Recording {
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-lines-"));
  const run = (tool: string, ...words: readonly string[]): unknown => execFileSync(tool, words, { cwd: folder });
  const made = (name: string): ElfFile => need(readElf(readFileSync(join(folder, name))));
  const assembled = (module: string, target: string, level: string, name: string): ElfFile => {
    writeFileSync(join(folder, "m.ptx"), bytesOf(module));
    run("ptxas", "-c", level, "-lineinfo", `-arch=${target}`, "m.ptx", "-o", name);
    return made(name);
  };
  try {
    const modules: Record<string, Recording["modules"][string]> = {};
    for (const { target, modules: names } of programs)
      for (const name of names) {
        const [lines] = lineFactsOf(assembled(name, target, "-O0", "m.o"));
        const [optimised] = lineFactsOf(assembled(name, target, "-O3", "m.o"));
        modules[name] = { ...lines!, optimised: placesOf(optimised!) };
      }
    const { target, modules: names } = programs[1];
    const objects = names.map((name, i) => namesOf(assembled(name, target, "-O0", `${i}.o`)));
    run("nvlink", `-arch=${target}`, ...names.map((_, i) => `${i}.o`), "-o", "linked");
    return {
      commands: [
        "ptxas -c -O0 -lineinfo -arch=<target> m.ptx -o m.o (optimised: -O3); ptxas 13.0",
        `nvlink -arch=${target} ${names.map((_, i) => `${i}.o`).join(" ")} -o linked, of the objects of ${names.join(" and ")}; nvlink 13.0`,
      ],
      modules,
      joined: { objects, linked: namesOf(made("linked")) },
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tools = installed("ptxas", "nvlink");
const live = tools.isMet ? ask() : undefined;
if (live !== undefined && process.env["PTXKIT_UPDATE"] === "1")
  writeFileSync(recordFile, `${JSON.stringify(live, undefined, 1)}\n`);
const recorded = JSON.parse(readFileSync(recordFile, "utf8")) as Recording;

/** Lines of a link with `--debug-line`, by module. */
function ours({ modules }: Program): readonly ModuleLines[] {
  const objects = modules.map((name) => objectOf(name, bytesOf(name).toString()));
  return lineFactsOf(need(readElf(writeObject(linkAll(objects, { lineTables: true }).image!))));
}

for (const program of programs)
  test(`${program.modules.join(" and ")}: files, lines and calls equal those of ptxas`, (t) => {
    const made = ours(program);
    t.is(made.length, program.modules.length);
    for (const [i, name] of program.modules.entries()) {
      const { files, functions, optimised } = recorded.modules[name]!;
      t.deepEqual(made[i]!.files, files);
      if (name !== QUIRKS) t.deepEqual(made[i]!.functions, functions, name);
      const places = placesOf(made[i]!);
      t.true(places.some((place) => place.includes(" in ")));
      t.deepEqual(optimised.filter((place) => !places.includes(place)), [], name); // prettier-ignore
    }
  });

test("code of two functions inlined at one place has separate rows; ptxas -O0 names the first", (t) => {
  const [{ functions }] = ours({ target: "sm_80", modules: [QUIRKS] }) as [ModuleLines];
  const call = "quirks.cu:10";
  const [product, clamped] = [`vector.cuh:10 in _Z7productfff at ${call}`, `quirks.cu:5 in _Z7clampedf at ${call}`];
  const turn = [product, clamped, call];
  t.deepEqual(functions["quirks"], ["quirks.cu:7", call, ...turn, ...turn, ...turn, "quirks.cu:11", "quirks.cu:12"]);
  // ptxas writes no row if address and line are those of the row before, though the file differs, and 0x90 if only the
  // call changes.
  const named = clamped.replace("_Z7clampedf", "_Z7productfff");
  const theirs = ["quirks.cu:7", call, clamped, call, named, call, named, call, "quirks.cu:11", "quirks.cu:12"];
  t.deepEqual(recorded.modules[QUIRKS]!.functions["quirks"], theirs);
});

test("nvlink merges .debug_str, and does not adjust the offsets of each module's names", (t) => {
  const { objects, linked } = recorded.joined;
  t.deepEqual(linked.strings, objects.flatMap(({ strings }) => strings)); // prettier-ignore
  t.deepEqual(linked.offsets, objects.flatMap(({ offsets }) => offsets)); // prettier-ignore
  // So that names of the second module are also names of the first.
  const textAt = (offset: number): string => linked.strings.join("\0").slice(offset).split("\0")[0]!;
  t.not(textAt(linked.offsets[1]![0]!), objects[1]!.strings[0]);
});

testWith(tools)("ptxas and nvlink answer as recorded", (t) => {
  t.deepEqual(live, recorded);
});
