// Random kernels, many of them: npm run oracle:engines -- SEED COUNT [--limits | --faults] [--threads] [--ptxas]
//   [--engines] [--show]
//
// Each is run by both engines and by its translation to C (random-kernels.h), and must leave the same in every register of every
// thread and in memory; both engines must count and print the same. --threads runs each grid of several blocks also on two threads or three.
// --limits stops small ones at some of their instruction limits, --faults puts into each a statement that goes wrong for some
// threads, and interrupts those that then never end: both engines must stop alike (stops.ts).
// --engines leaves C out, which takes most of the time. Where C is out, kernels have what it has no meaning for (beyond.ts,
// async.ts). --ptxas asks ptxas too whether it takes the kernel; --show prints the
// kernel SEED and does nothing else.
// A kernel that fails is made as small as it still fails and written to a folder that the message names.

import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCHost } from "./host.js";
import { compareOnce } from "./compare.js";
import { randomKernel } from "./kernel.js";
import { withFaults } from "./faults.js";
import { minimise } from "./minimise.js";
import { readRows } from "./rows.js";
import { compareFault, compareInterruption, compareLimits } from "./stops.js";
import { cOf, linesOf, ptxOf, type KernelTree } from "./tree.js";

const flags = process.argv.slice(2).filter((each) => each.startsWith("--"));
const [seed = 1, count = 100] = process.argv
  .slice(2)
  .filter((each) => !each.startsWith("--"))
  .map(Number);
const rows = readRows();

/** Without C, kernels have what it has no meaning for. */
const beyond = ["--engines", "--limits", "--faults"].some((flag) => flags.includes(flag));

const kernelOf = (at: number): KernelTree => {
  const kernel = randomKernel(at, rows, beyond);
  return flags.includes("--faults") ? withFaults(kernel) : kernel;
};

if (flags.includes("--show")) {
  const kernel = kernelOf(seed);
  process.stdout.write(flags.includes("--c") ? cOf(kernel) : ptxOf(kernel));
  process.exit(0);
}

const host = beyond ? undefined : openCHost();
const folder = join(tmpdir(), "ptxkit-random");
mkdirSync(folder, { recursive: true });

function refusedByPtxas(kernel: KernelTree): string | undefined {
  const file = join(folder, `ptxas-${process.pid}.ptx`);
  writeFileSync(file, ptxOf(kernel));
  const { status, stderr, stdout } = spawnSync("ptxas", ["-O0", "-arch=sm_100a", file, "-o", `${file}.o`], {
    encoding: "utf8",
  });
  // Now and then ptxas crashes: that says nothing of the kernel.
  return status === 0 || status === null ? undefined : `ptxas: ${stderr}${stdout}`;
}

const onThreads = flags.includes("--threads");
let helped = 0;
let warpInstructions = 0;
const stops = new Map<string, number>();

async function stopProblem(kernel: KernelTree): Promise<string | undefined> {
  const stopped = await (flags.includes("--limits") ? compareLimits : compareFault)(kernel, onThreads);
  stops.set(stopped.kind, (stops.get(stopped.kind) ?? 0) + stopped.compared);
  helped += stopped.helped;
  if (stopped.problem !== undefined || stopped.kind !== "instruction-limit" || !flags.includes("--faults"))
    return stopped.problem;
  const interrupted = await compareInterruption(kernel);
  stops.set(interrupted.kind, (stops.get(interrupted.kind) ?? 0) + interrupted.compared);
  return interrupted.problem && `interruption: ${interrupted.problem}`;
}

async function problemOf(kernel: KernelTree): Promise<string | undefined> {
  if (flags.includes("--limits") || flags.includes("--faults")) return stopProblem(kernel);
  const compared = await compareOnce(kernel, host, onThreads);
  helped += compared.helped;
  warpInstructions += compared.warpInstructions;
  return compared.problem ?? (flags.includes("--ptxas") ? refusedByPtxas(kernel) : undefined);
}

let failures = 0;
let instructions = 0;
for (let at = seed; at < seed + count; at++) {
  const kernel = kernelOf(at);
  instructions += kernel.functions.reduce((sum, { body }) => sum + linesOf(body).length, 0);
  const problem = await problemOf(kernel);
  if (problem === undefined) continue;
  failures++;
  const kind = problem.split(/[:\d]/)[0];
  const smaller = await minimise(kernel, async (each) => (await problemOf(each))?.split(/[:\d]/)[0] === kind);
  writeFileSync(join(folder, `${at}.ptx`), ptxOf(smaller));
  writeFileSync(join(folder, `${at}.c`), cOf(smaller));
  console.log(`seed ${at}: ${(await problemOf(smaller))?.slice(0, 600)}\n  ${join(folder, `${at}.ptx`)}`);
  for (const { name, body } of smaller.functions)
    for (const { ptx } of linesOf(body)) if (failures <= 20) console.log(`    ${name}: ${ptx}`);
}
host?.close();
const told = [
  `${count} kernels from seed ${seed} with ${instructions} statements`,
  ...(stops.size > 0
    ? [`stopped: ${[...stops].map(([kind, times]) => `${kind} ${times}`).join(", ")}`]
    : [`${warpInstructions} warp instructions${host === undefined ? " (without C)" : ""}`]),
  ...(onThreads ? [`${helped} runs on which several threads had a part`] : []),
];
console.log(`${told.join("; ")}: ${failures} fail`);
process.exit(failures === 0 ? 0 : 1);
