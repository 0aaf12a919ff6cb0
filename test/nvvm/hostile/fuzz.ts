// Reads, verifies and compiles NVVM IR with faults in it.
//
// npm run fuzz:nvvm -- [MUTANTS [FIRST]] [--only-mutants] [--seed FILE]... [--seconds N] [--skip FILES]
//
// Files are: each of the tests' modules without one of its tokens, then MUTANTS random mutants (10,000) from number
// FIRST on, and each prefix (test/nvvm/hostile/mutants.ts). --seed: files to use instead of the tests' modules.
// --seconds: as many files as fit into that time. --skip: omits the first FILES files. A file that throws, hangs or
// needs too much memory is named and kept in a temporary folder; the exit status tells whether there is one.
//
// A thread reads the files, and this one watches it. If it takes too long for a file, this thread ends it, names the
// file, and starts another thread at the next file. The file `current` has the number of the file, in case the whole
// process ends.

import { mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { deletionsOf, mutantOf, outcomeOf, prefixesOf, seeds as ours, type Outcome, type Seed } from "./mutants.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "only-mutants": { type: "boolean", default: false },
    seed: { type: "string", multiple: true },
    seconds: { type: "string", default: "Infinity" },
    skip: { type: "string", default: "0" },
  },
});
const [count = 10_000, first = 1] = positionals.map(Number);

/** CPU seconds that a file of a few kilobytes may take, and after which it counts as hanging. */
const MAX_SECONDS = 3;
const HANGING_SECONDS = 30;
/** Megabytes of objects, and of buffers, that a file may need or leave behind. */
const MAX_HEAP = 1024;
const MAX_BUFFERS = 1024;

const seeds = options.seed?.map((name): Seed => ({ name, bytes: readFileSync(name) })) ?? ours;

function* cases(): Generator<Seed> {
  const all = options["only-mutants"] ? [] : seeds;
  for (const seed of all) yield* deletionsOf(seed);
  for (let number = first; number < first + count; number++) yield mutantOf(seeds, number);
  for (const seed of all) yield* prefixesOf(seed);
}

const folder = join(tmpdir(), "ptxkit-fuzz-nvvm");

/** What a thread reports of one file. */
interface Defect {
  readonly index: number;
  /** The same for all defects of one cause. */
  readonly what: string;
  readonly details: string;
}

interface Work {
  readonly from: number;
  readonly seconds: number;
  /** The current file, and the number of files with each outcome. */
  readonly counts: Int32Array;
}

const outcomeNames: readonly Outcome[] = ["refused", "compiled", "right"];

function readAll({ from, seconds, counts }: Work): void {
  const end = performance.now() + seconds * 1000;
  const current = openSync(join(folder, "current"), "w");
  const report = (defect: Defect): void => parentPort!.postMessage(defect);
  let index = -1;
  for (const each of cases()) {
    if (++index < from) continue;
    if (performance.now() > end) break;
    Atomics.store(counts, 0, index);
    writeSync(current, `${index}\n`, 0);
    const before = process.cpuUsage();
    const buffers = process.memoryUsage().arrayBuffers;
    try {
      Atomics.add(counts, 1 + outcomeNames.indexOf(outcomeOf(each)), 1);
    } catch (error) {
      const { stack = String(error) } = error as Error;
      const [message = "", place = ""] = stack.split("\n");
      report({ index, what: `${message.replaceAll(/\d+/g, "N")} ${place.trim()}`, details: stack });
    }
    const { user } = process.cpuUsage(before);
    if (user > MAX_SECONDS * 1e6) report({ index, what: "slow", details: `${(user / 1e6).toFixed(1)} s of CPU` });
    const grown = (process.memoryUsage().arrayBuffers - buffers) / 2 ** 20;
    if (grown > MAX_BUFFERS) report({ index, what: "large", details: `${grown.toFixed(0)} MB of buffers` });
  }
}

function caseAt(index: number): Seed {
  let at = 0;
  for (const each of cases()) if (at++ === index) return each;
  throw new RangeError(`no file ${index}`);
}

const broken = new Map<string, number>();

function note({ index, what, details }: Defect): void {
  const times = (broken.get(what) ?? 0) + 1;
  broken.set(what, times);
  if (times > 1) return;
  const { name, bytes } = caseAt(index);
  const file = join(folder, `${broken.size}-${process.pid}`);
  writeFileSync(file, bytes);
  console.log(`${name} (${file}, file ${index}): ${details}`);
}

/** Reads files from a given one to the last. Returns the file for which the thread was ended, if any. */
async function watch(from: number, counts: Int32Array, seconds: number): Promise<Defect | undefined> {
  const worker = new Worker(fileURLToPath(import.meta.url), {
    argv: process.argv.slice(2),
    workerData: { from, counts, seconds } satisfies Work,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP },
  });
  worker.on("message", note);
  let hanging: Defect | undefined;
  let [last, since] = [-1, process.cpuUsage()];
  const timer = setInterval(() => {
    const index = Atomics.load(counts, 0);
    if (index !== last) [last, since] = [index, process.cpuUsage()];
    const used = process.cpuUsage(since).user / 1e6;
    if (used < HANGING_SECONDS || hanging !== undefined) return;
    hanging = { index, what: "hangs", details: `more than ${used.toFixed(0)} s of CPU` };
    void worker.terminate();
  }, 1000);
  return new Promise((resolve) => {
    worker.on("error", (error: NodeJS.ErrnoException) => {
      hanging ??= { index: Atomics.load(counts, 0), what: error.code ?? error.name, details: String(error.stack) };
    });
    worker.on("exit", () => {
      clearInterval(timer);
      resolve(hanging);
    });
  });
}

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const counts = new Int32Array(new SharedArrayBuffer(16));
  const end = performance.now() + Number(options.seconds) * 1000;
  for (let from = Number(options.skip); ;) {
    const stopped = await watch(from, counts, (end - performance.now()) / 1000);
    if (stopped === undefined) break;
    note(stopped);
    from = stopped.index + 1;
  }
  const [, refused = 0, compiled = 0, right = 0] = counts;
  let defects = 0;
  for (const [what, times] of broken) {
    defects += times;
    console.log(`${times} × ${what}`);
  }
  console.log(
    `${refused + right + compiled + defects} files: ${refused} refused, ${compiled} compiled, ${right} right without being compiled, ${defects} defects`,
  );
  process.exitCode = defects === 0 ? 0 : 1;
}

if (!isMainThread) readAll(workerData as Work);
else if (Number.isInteger(count) && count >= 0 && Number.isInteger(first)) await main();
else {
  process.stderr.write(
    "npm run fuzz:nvvm -- [MUTANTS [FIRST]] [--only-mutants] [--seed FILE]... [--seconds N] [--skip FILES]: how many mutants, and the number of the first\n",
  );
  process.exitCode = 2;
}
