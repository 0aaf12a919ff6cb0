// How fast PTX text is parsed and checked, beside what `ptxas -c -O0` needs for the same modules where there is one (it also
// makes machine code, so the ratio says how far the checker is from being felt, and no more). The text is every PTX module of
// testdata that is right; run with `node dist/bench/check.js [MEGABYTES]`.

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkModule } from "../lib/check/check.js";
import { createSink } from "../lib/diag/sink.js";
import { parseModule } from "../lib/ptx/parse.js";

interface Sample {
  readonly path: string;
  readonly bytes: Uint8Array;
}

function errorsOf({ path, bytes }: Sample): number {
  const sink = createSink();
  checkModule(parseModule({ name: path, bytes }, sink), sink);
  return sink.errorCount;
}

const samples: readonly Sample[] = readdirSync("testdata", { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ptx") && !name.startsWith("hostile"))
  .map((name) => ({ path: join("testdata", name), bytes: readFileSync(join("testdata", name)) }))
  .filter((sample) => errorsOf(sample) === 0);
const size = samples.reduce((sum, { bytes }) => sum + bytes.length, 0);
const rounds = Math.max(1, Math.round((Number(process.argv[2] ?? 10) * 1e6) / size));

/** Best of several runs of `rounds` times all samples, in milliseconds for one time all samples. */
function best(runs: number, work: (sample: Sample) => void): number {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const before = performance.now();
    for (let round = 0; round < rounds; round++) samples.forEach(work);
    least = Math.min(least, performance.now() - before);
  }
  return least / rounds;
}

const parsing = best(5, ({ path, bytes }) => parseModule({ name: path, bytes }, createSink()));
const both = best(5, errorsOf);

function ptxas(): number | undefined {
  let total = 0;
  for (const { path, bytes } of samples) {
    const target = /^\.target\s+(sm_\w+)/m.exec(Buffer.from(bytes).toString("latin1"))?.[1] ?? "sm_75";
    const before = performance.now();
    const run = spawnSync("ptxas", ["-c", "-O0", `-arch=${target}`, path, "-o", "/dev/null"]);
    if (run.status !== 0) return undefined;
    total += performance.now() - before;
  }
  return total;
}

const row = (what: string, time: number): string =>
  `${what.padEnd(24)} ${time.toFixed(1).padStart(8)} ms ${(size / 1e3 / time).toFixed(1).padStart(7)} MB/s ` +
  `${(time / parsing).toFixed(1).padStart(6)} x parsing`;
console.log(`${samples.length} modules, ${(size / 1e6).toFixed(2)} MB, ${rounds} times over`);
console.log(row("parsing", parsing));
console.log(row("parsing and checking", both));
const theirs = ptxas();
console.log(theirs === undefined ? "no ptxas here" : row("ptxas -c -O0", theirs));
