// Measures linking of many modules, from object files on disk to an image on disk: CPU time and peak memory of the whole process.
// For comparison, nvlink on cubins of the same program and linkers of native objects on the same program in x86 assembly, if they
// are installed. Then from archives, from texts, and from those texts in host objects and in one shared library, like nvcc's.
// Usage: node dist/bench/link.js [FOLDER [COUNT...]]. Objects, cubins (`ptxas -c`), native objects (`as`) and host objects
// (`fatbinary`) are made in FOLDER unless they exist. Prints one row per linker, the least of a few runs, and at the end how much
// longer the largest program takes than the one before. CPU time, because other work on the machine changes it less.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkModule } from "../lib/check/check.js";
import { createSink } from "../lib/diag/sink.js";
import { assemble } from "../lib/object/assemble.js";
import { writeObject } from "../lib/object/file/write.js";
import { parseModule } from "../lib/ptx/parse.js";
import { archivings } from "./archives.js";
import { makeHostLibrary, makeHostObject, type Packing } from "./host-objects.js";
import { generateModules, generateNative, type GeneratedModule, type ProgramKind } from "./generate-modules.js";

const RUNS = 3;

type InputKind = "objects" | "cubins" | "native" | "texts" | "packed" | "lz4" | "library";

type Archiving = keyof typeof archivings;

interface Linker {
  readonly name: string;
  /** The kind of its inputs, which are made once. */
  readonly inputs: InputKind;
  /** The program (generate-modules.ts). */
  readonly kind: ProgramKind;
  /** How the files are put into archives; undefined for separate files. */
  readonly archiving?: Archiving;
  /** `list`: a file with a line for each input; `output`: the output file. */
  readonly command: (list: string, output: string) => readonly string[];
}

const program = fileURLToPath(new URL("../cli/main.js", import.meta.url));
const native = (name: string, more: readonly string[] = []): Linker => ({
  name,
  inputs: "native",
  kind: "plain",
  command: (list, output) => [name, "-shared", ...more, `@${list}`, "-o", output],
});

const ptxkit = (
  name: string,
  kind: ProgramKind,
  more: readonly string[] = [],
  inputs: InputKind = "objects",
  archiving?: Archiving,
): Linker => ({
  name,
  inputs,
  kind,
  ...(archiving === undefined ? {} : { archiving }),
  command: (list, output) => [
    process.execPath,
    program,
    "link",
    `@${list}`,
    "-o",
    output,
    ...more.map((word) => word.replace("OUTPUT", output)),
  ],
});

const nvlink = (name: string, kind: ProgramKind): Linker => ({
  name,
  inputs: "cubins",
  kind,
  command: (list, output) => ["nvlink", "-arch=sm_80", "--options-file", list, "-o", output],
});

const linkers: readonly Linker[] = [
  ptxkit("ptxkit", "plain"),
  nvlink("nvlink", "plain"),
  native("ld.bfd"),
  native("ld.gold"),
  native("ld.lld", ["--threads=1"]),
  // A single process, so that its memory can be measured.
  native("mold", ["--no-threads", "--no-fork"]),
  ptxkit("ptxkit, with printf, shared memory, barriers", "device"),
  nvlink("nvlink, with printf, shared memory, barriers", "device"),
  ptxkit("ptxkit, with lines of nvcc -lineinfo", "lines"),
  nvlink("nvlink, with lines of nvcc -lineinfo", "lines"),
  ptxkit("ptxkit, --map FILE", "plain", ["--map", "OUTPUT.map"]),
  ptxkit("ptxkit, --gc-sections", "plain", ["--gc-sections"]),
  ptxkit("ptxkit, --whole-archive", "plain", [], "objects", "whole"),
  ptxkit("ptxkit, needed members of an archive", "plain", [], "objects", "needed"),
  ptxkit("ptxkit, needed members of libraries of five", "plain", [], "objects", "libraries"),
  ptxkit("ptxkit, from texts, -j 1", "plain", ["-j1"], "texts"),
  ptxkit("ptxkit, from needed texts of an archive, -j 1", "plain", ["-j1"], "texts", "needed"),
  ptxkit("ptxkit, from host objects (Zstandard), -j 1", "plain", ["-j1"], "packed"),
  ptxkit("ptxkit, from host objects (LZ4), -j 1", "plain", ["-j1"], "lz4"),
  ptxkit("ptxkit, from a shared library of the host objects, -j 1", "plain", ["-j1"], "library"),
];

const isThere = (tool: string): boolean => spawnSync(tool, ["--version"]).error === undefined;

// --------------------------------------------------------------------------------------------------------------- inputs

/** Makes missing inputs. Returns the files in order; undefined if the tool that makes them is not installed. */
function makeInputs({ inputs, kind }: Linker, folder: string, count: number): readonly string[] | undefined {
  mkdirSync(folder, { recursive: true });
  const of = (modules: readonly GeneratedModule[], ending: string, make: (text: string, path: string) => void) =>
    modules.map(({ name, text }) => {
      const path = join(folder, name.replace(/\.\w+$/, ending));
      if (!existsSync(path)) make(text, path);
      return path;
    });
  if ((tools[inputs] ?? []).some((tool) => !isThere(tool))) return undefined;
  const texts = (): readonly string[] =>
    of(generateModules(count, undefined, kind), ".ptx", (text, path) => writeFileSync(path, text));
  const hosts = (ending: string, packing: Packing): readonly string[] =>
    texts().map((text) => {
      const object = text.replace(/\.ptx$/, ending);
      if (!existsSync(object)) makeHostObject(text, 80, packing, object);
      return object;
    });
  switch (inputs) {
    case "objects":
      return of(generateModules(count, undefined, kind), ".o", assembleInto);
    case "cubins":
      return of(generateModules(count, undefined, kind), ".cubin", (text, path) => {
        run(["ptxas", "-c", "-arch=sm_80", "-", "-o", path], text);
      });
    case "native":
      return of(generateNative(count), ".native.o", (text, path) => run(["as", "-", "-o", path], text));
    case "texts":
      return texts();
    case "packed":
      return hosts(".host.o", "balance");
    case "lz4":
      return hosts(".lz4.o", "speed");
    case "library": {
      const library = join(folder, "library.so");
      if (!existsSync(library)) makeHostLibrary(hosts(".host.o", "balance"), library);
      return [library];
    }
  }
}

/** The tools that make each kind of inputs. */
const tools: Partial<Readonly<Record<InputKind, readonly string[]>>> = {
  cubins: ["ptxas"],
  native: ["as"],
  packed: ["fatbinary", "as"],
  lz4: ["fatbinary", "as"],
  library: ["fatbinary", "as", "ld"],
};

function assembleInto(text: string, path: string): void {
  const sink = createSink();
  const name = path.replace(/\.o$/, ".ptx");
  const module = checkModule(parseModule({ name, bytes: Buffer.from(text) }, sink), sink);
  if (sink.errorCount > 0) throw new Error(sink.all[0]!.message);
  writeFileSync(path, writeObject(assemble(module)));
}

function run([tool, ...args]: readonly string[], input: string): void {
  const { status, stderr } = spawnSync(tool!, args, { input });
  if (status !== 0) throw new Error(stderr.toString());
}

// ------------------------------------------------------------------------------------------------------------ measuring

interface Cost {
  /** Milliseconds of CPU time of the command and its children. */
  readonly cpu: number;
  /** Megabytes (10^6 bytes) of its largest resident set; undefined without GNU time. */
  readonly peak: number | undefined;
}

const quoted = (command: readonly string[]): string => command.map((word) => `'${word}'`).join(" ");

/** The numbers in the last line that a bash script writes to standard error. */
function lastLine(script: string): readonly number[] {
  const { status, stderr, error } = spawnSync("bash", ["-c", script], { maxBuffer: 1 << 28 });
  if (error !== undefined || status !== 0)
    throw new Error(`${script.slice(0, 200)}: ${error?.message ?? String(stderr)}`);
  return (stderr.toString().trim().split("\n").at(-1) ?? "").split(" ").map(Number);
}

/** The least of a few runs, by the shell's `time`, and the peak memory by GNU time. */
function costOf(command: readonly string[]): Cost {
  const runs = Array.from({ length: RUNS }, () => {
    const [user = 0, system = 0] = lastLine(`TIMEFORMAT='%U %S'; time ${quoted(command)}`);
    return (user + system) * 1000;
  });
  const [kibibytes = 0] = hasTime ? lastLine(`/usr/bin/time -f %M ${quoted(command)}`) : [];
  return { cpu: Math.min(...runs), peak: hasTime ? (kibibytes * 1024) / 1e6 : undefined };
}

const hasTime = existsSync("/usr/bin/time");

// --------------------------------------------------------------------------------------------------------------- the table

const folderOf = (base: string, kind: ProgramKind, count: number): string =>
  join(base, kind === "plain" ? String(count) : `${count}-${kind}`);

/** The cost of a linker for programs of these sizes; undefined if it, or a tool that makes its inputs, is not installed. */
function measure(linker: Linker, base: string, counts: readonly number[]): readonly Cost[] | undefined {
  if (!isThere(linker.command("", "")[0]!)) return undefined;
  const costs = counts.map((count) => {
    const folder = folderOf(base, linker.kind, count);
    const inputs = makeInputs(linker, folder, count);
    if (inputs === undefined) return undefined;
    const list = join(folder, `${linker.inputs}.txt`);
    const words = linker.archiving === undefined ? inputs : archivings[linker.archiving](inputs, folder);
    writeFileSync(list, `${words.join("\n")}\n`);
    const output = join(folder, "output");
    const cost = costOf(linker.command(list, output));
    rmSync(output);
    return cost;
  });
  return costs.every((cost) => cost !== undefined) ? costs : undefined;
}

const endings = [".o", ".cubin", ".native.o", ".ptx", ".host.o"] as const;

function inputSizes(base: string, kind: ProgramKind, counts: readonly number[]): string {
  const of = (count: number, ending: string): number =>
    generateModules(count).reduce((sum, { name }) => {
      const path = join(folderOf(base, kind, count), name.replace(".ptx", ending));
      return sum + (existsSync(path) ? statSync(path).size : 0);
    }, 0) / 1e6;
  return counts
    .map((count) => `${count}: ${endings.map((ending) => of(count, ending).toFixed(1)).join(" / ")}`)
    .join(", ");
}

const [base = join(tmpdir(), "ptxkit-bench-link"), ...words] = process.argv.slice(2);
const counts = words.length === 0 ? [10, 100, 1000] : words.map(Number);
const row = (cells: readonly string[]): void => console.log(`| ${cells.join(" | ")} |`);
row(["linker", ...counts.map((count) => `${count} modules, CPU ms (peak MB)`), "growth at the end"]);
row(["---", ...counts.map(() => "---"), "---"]);
for (const linker of linkers) {
  const costs = measure(linker, base, counts);
  if (costs === undefined) {
    console.log(`| ${linker.name} | not installed |`);
    continue;
  }
  const cells = costs.map(({ cpu, peak }) => `${cpu.toFixed(0)} (${peak?.toFixed(0) ?? "-"})`);
  const growth = costs.length < 2 ? "-" : (costs.at(-1)!.cpu / costs.at(-2)!.cpu).toFixed(1);
  row([linker.name, ...cells, growth]);
}
for (const kind of ["plain", "device", "lines"] as const)
  console.log(
    `\n${kind} program, megabytes of objects / cubins / native objects / texts / host objects: ${inputSizes(base, kind, counts)}`,
  );
