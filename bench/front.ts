// Measures the front end on text that nvcc made: reading the file, lexing, declarations without bodies, parsing, and parsing with
// checking. The latter in three ways: keeping the whole module; freeing the code, as `check` does; encoding function by function,
// as `as` and `link` do. Sizes are 1, 10 and 100 MB, as one module and as many. Also measures the growth of memory at its peak,
// and `ptxas -c -O0` on the same text if it is installed. (ptxas makes machine code as well, so that ratio only shows whether the
// front end matters.) Times are CPU time, the best of several runs, each kind of work in a process of its own.
//
// Run with `node dist/bench/front.js [MEGABYTES...]`.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { checkSource, type CheckOptions } from "../lib/check/check.js";
import { createSink } from "../lib/diag/sink.js";
import { createAssembler } from "../lib/object/assemble.js";
import { createLexer, readTokens, tokenize } from "../lib/ptx/lexer.js";
import { parseDeclarations, parseModule } from "../lib/ptx/parse.js";
import * as kind from "../lib/ptx/token.js";
import { manyModules, nvccModules, oneModule, type Sample } from "./nvcc-text.js";

/** Lexes the tokens of the declarations, then of each body, as the parser does. */
function lexByBody({ bytes }: Sample): void {
  const lexer = createLexer(bytes);
  readTokens(lexer, 0, bytes.length, "skip");
  const { count, kinds, starts, ends } = lexer.tokens;
  const bodies = Array.from({ length: count }, (_, i) => i)
    .filter((i) => kinds[i] === kind.BODY)
    .map((i) => [starts[i]!, ends[i]!] as const);
  for (const [start, end] of bodies) readTokens(lexer, start, end, "read");
}

function check(source: Sample, options: CheckOptions = {}): unknown {
  const sink = createSink();
  const module = checkSource(source, sink, options);
  if (sink.errorCount > 0) throw new Error(sink.all[0]!.message);
  return module;
}

/** All texts of a link share one assembler. */
const assemble = createAssembler({});

const works: Readonly<Record<string, (sample: Sample) => unknown>> = {
  "reading the file": ({ name }) => readFileSync(name),
  "lexing at once": ({ bytes }) => tokenize(bytes),
  "lexing by body": lexByBody,
  declarations: (source) => parseDeclarations(source, createSink()),
  "parsing everything": (source) => parseModule(source, createSink()),
  "parsing and checking": (source) => check(source),
  "checking, as check": (source) => check(source, { onCode: () => {} }),
  "assembling, as link": (source) => assemble(source, createSink()),
};

interface Measured {
  /** Milliseconds of CPU time of the first run, which includes the engine's warm-up, and of the best. */
  readonly first: number;
  readonly best: number;
  /** Growth of the process in bytes at its peak, in the first run. */
  readonly growth: number;
}

/** Microseconds of CPU time after which the engine has compiled all hot code, however busy the machine is. */
const warm = 4e6;

/** Measures in this process, which must be new. */
function measure(work: (sample: Sample) => unknown, samples: readonly Sample[]): Measured {
  const before = process.memoryUsage.rss();
  let growth = 0;
  const times: number[] = [];
  // The CPU clock is too coarse for work of less than some milliseconds.
  let repeats = 1;
  do {
    const start = process.cpuUsage();
    for (let i = 0; i < repeats; i++) samples.forEach(work);
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1000 / repeats);
    repeats = Math.max(1, Math.ceil(20 / times[0]!));
    if (times.length === 1) growth = process.resourceUsage().maxRSS * 1024 - before;
  } while (times.length < 3 || process.cpuUsage().user < warm);
  return { first: times[0]!, best: Math.min(...times), growth };
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "measure") {
  const [what, form, size] = rest as [string, string, string];
  const samples =
    form === "many" ? manyModules(nvccModules(), Number(size)) : [{ name: form, bytes: readFileSync(form) }];
  console.log(JSON.stringify(measure(works[what]!, samples)));
} else report(process.argv.slice(2).map(Number));

function report(given: readonly number[]): void {
  const sizes = given.length > 0 ? given : [1, 10, 100];
  const samples = nvccModules();
  const folder = mkdtempSync(join(tmpdir(), "ptxkit-bench-"));
  const file = join(folder, "one.ptx");
  for (const megabytes of sizes) {
    const text = oneModule(samples, megabytes * 1e6);
    writeFileSync(file, text);
    for (const form of [file, "many"]) {
      const size = form === file ? text.length : sum(manyModules(samples, megabytes * 1e6));
      console.log(`${(size / 1e6).toFixed(1)} MB in ${form === file ? "one module" : "many modules"}`);
      let reading = 0;
      for (const what of Object.keys(works)) {
        const measured = inProcess(what, form, megabytes * 1e6);
        if (reading === 0) reading = measured.best;
        console.log(row(what, measured, size, reading));
      }
      const theirs = form === file ? ptxas(file, size) : undefined;
      if (theirs !== undefined) console.log(theirs);
    }
  }
  rmSync(folder, { recursive: true });
}

function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { bytes }) => total + bytes.length, 0);
}

function inProcess(what: string, form: string, size: number): Measured {
  const program = fileURLToPath(import.meta.url);
  const run = spawnSync(process.execPath, [program, "measure", what, form, String(size)], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as Measured;
}

function row(what: string, { first, best, growth }: Measured, size: number, reading: number): string {
  const speed = (time: number): string => (size / 1e3 / time).toFixed(1).padStart(8);
  return (
    `  ${what.padEnd(22)} ${speed(best)} MB/s, at first ${speed(first)}; ${(best / reading).toFixed(0).padStart(5)} x reading;` +
    ` memory ${(growth / size).toFixed(1).padStart(5)} x the text`
  );
}

/** Only up to a megabyte: ptxas needs minutes for a hundred. */
function ptxas(file: string, size: number): string | undefined {
  if (size > 1.5e6) return undefined;
  const start = performance.now();
  const run = spawnSync("ptxas", ["-c", "-O0", "-arch=sm_90", file, "-o", `${file}.o`]);
  if (run.status !== 0) return undefined;
  return `  ${"ptxas -c -O0".padEnd(22)} ${(size / 1e3 / (performance.now() - start)).toFixed(1).padStart(8)} MB/s of wall time`;
}
