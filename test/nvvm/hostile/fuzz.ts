// Reader, verifier and compiler of NVVM IR on files with faults in them.
//
//   npm run fuzz:nvvm -- [MUTANTS [FIRST]] [--only-mutants] [--seed FILE]... [--seconds N]
//
// Each token of the tests' modules is left out, then so many random mutants (10,000) are made, from number FIRST on, and each prefix
// is read (test/nvvm/hostile/mutants.ts). --seed: of these files, not of the tests' modules. --seconds: as many as fit into that
// time. What throws, or takes seconds, is named and kept in a folder for temporary files; the exit status says whether anything did.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { deletionsOf, mutantOf, outcomeOf, prefixesOf, seeds as ours, type Outcome, type Seed } from "./mutants.js";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "only-mutants": { type: "boolean", default: false },
    seed: { type: "string", multiple: true },
    seconds: { type: "string", default: "Infinity" },
  },
});
const [count = 10_000, first = 1] = positionals.map(Number);
if (!Number.isInteger(count) || count < 0 || !Number.isInteger(first)) {
  process.stderr.write(
    "npm run fuzz:nvvm -- [MUTANTS [FIRST]] [--only-mutants] [--seed FILE]... [--seconds N]: how many mutants, and the number of the first\n",
  );
  process.exit(2);
}

/** CPU seconds that a file of a few kilobytes may take. */
const MOST_SECONDS = 3;

const seeds = options.seed?.map((name): Seed => ({ name, bytes: readFileSync(name) })) ?? ours;

function* cases(): Generator<Seed> {
  const all = options["only-mutants"] ? [] : seeds;
  for (const seed of all) yield* deletionsOf(seed);
  for (let number = first; number < first + count; number++) yield mutantOf(seeds, number);
  for (const seed of all) yield* prefixesOf(seed);
}

const folder = join(tmpdir(), "ptxkit-fuzz-nvvm");
const outcomes: Record<Outcome, number> = { refused: 0, right: 0, compiled: 0 };
const broken = new Map<string, number>();

function note(each: Seed, what: string, details: string): void {
  const times = (broken.get(what) ?? 0) + 1;
  broken.set(what, times);
  if (times > 1) return;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${broken.size}-${process.pid}`);
  writeFileSync(file, each.bytes);
  console.log(`${each.name} (${file}): ${details}`);
}

const end = performance.now() + Number(options.seconds) * 1000;
for (const each of cases()) {
  if (performance.now() > end) break;
  const before = process.cpuUsage();
  try {
    outcomes[outcomeOf(each)]++;
  } catch (error) {
    const { stack = "" } = error as Error;
    const [message = "", place = ""] = stack.split("\n");
    note(each, `${message.replaceAll(/\d+/g, "N")} ${place.trim()}`, stack);
  }
  const { user } = process.cpuUsage(before);
  if (user > MOST_SECONDS * 1e6) note(each, "slow", `${(user / 1e6).toFixed(1)} s of CPU`);
}
const { refused, right, compiled } = outcomes;
let defects = 0;
for (const [what, times] of broken) {
  defects += times;
  console.log(`${times} × ${what}`);
}
console.log(
  `${refused + right + compiled + defects} files: ${refused} refused, ${compiled} compiled, ${right} right without being compiled, ${defects} defects`,
);
process.exitCode = defects === 0 ? 0 : 1;
