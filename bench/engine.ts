// Measures the engines: million warp instructions per second of CPU time on six small kernels, and, if gcc is installed, the time
// of the same computation in C (gcc -O2, one thread); both leave the same memory. "all" is a second of launches starting with
// nothing compiled, including the host's compilation in all its threads; "first" is the first launch, "best" the best. The
// figures to beat are those of GPU Ocelot's LLVM JIT on the first four; compare ratios within one run.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDevice } from "../lib/exec/device/device.js";
import type { EngineName } from "../lib/exec/state/launch.js";
import type { LinkedImage } from "../lib/object/object.js";
import { C, kernelImage, kernels, type Measured } from "./kernels.js";

/** Words in each buffer. */
const WORDS = 16384 * 256;
/** Seconds of CPU time for a kernel, after which no further launch starts. */
const ENOUGH = 1;

const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

interface Times {
  readonly instructions: number;
  /** CPU time in seconds. */
  readonly first: number;
  readonly best: number;
  /** Mean over all launches. */
  readonly all: number;
  /** Sum over the kernel's results. */
  readonly sum: number;
}

async function run(image: LinkedImage, { kernel, grid, block, n }: Measured, engine: EngineName): Promise<Times> {
  const device = openDevice(image);
  const [a, b, c] = [0, 1, 2].map(() => device.alloc(4 * WORDS)) as [never, never, never];
  device.write(
    a,
    Float32Array.from({ length: WORDS }, (_, i) => i % 1000),
  );
  device.write(
    b,
    Float32Array.from({ length: WORDS }, (_, i) => 1 + (i % 7)),
  );
  const times: number[] = [];
  let instructions = 0;
  for (let spent = 0; spent < ENOUGH; spent += times.at(-1)!) {
    const start = process.cpuUsage();
    const result = await device.launch(kernel, { grid, block, args: [a, b, c, { type: "u32", value: n }], engine });
    times.push(cpuSeconds(start));
    if (result.fault !== undefined) throw new Error(result.fault.message);
    instructions = result.warpInstructions;
  }
  let sum = 0;
  for (const bits of device.read(c, new Uint32Array(WORDS))) sum = (Math.imul(sum, 31) + bits) >>> 0;
  const all = times.reduce((total, time) => total + time, 0) / times.length;
  return { instructions, first: times[0]!, best: Math.min(...times), all, sum };
}

/** Seconds, and the sum, by kernel; undefined without gcc. */
function compileC(): ((each: Measured) => readonly [seconds: number, sum: number]) | undefined {
  if (spawnSync("gcc", ["--version"]).status !== 0) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-bench-"));
  const program = path.join(folder, "kernels");
  writeFileSync(`${program}.c`, C);
  const flags = ["-O2", "-mfma", "-ffp-contract=off"];
  const compiled = spawnSync("gcc", [...flags, `${program}.c`, "-o", program, "-lm"], { encoding: "utf8" });
  if (compiled.status !== 0) throw new Error(compiled.stderr);
  process.on("exit", () => rmSync(folder, { recursive: true }));
  return ({ kernel, grid, block, n }) => {
    const threads = grid[0] * grid[1] * block[0] * block[1];
    const { stdout } = spawnSync(program, [kernel, threads, n, WORDS].map(String), { encoding: "utf8" });
    const [seconds, sum] = stdout.split(" ").map(Number);
    return [seconds!, sum!];
  };
}

const geometricMean = (values: readonly number[]): number =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

async function main(): Promise<void> {
  const image = kernelImage();
  const c = compileC();
  const columns = ["warp instr.", "reference", "first", "all", "best", "x ref.", "Ocelot", "C, x time"];
  console.log(`${"M/s of CPU time".padEnd(16)}${columns.map((text) => text.padStart(12)).join("")}`);
  const ratios: number[] = [];
  for (const each of kernels) {
    // The interpreter runs an eighth of the grid.
    const small = { ...each, grid: [Math.ceil(each.grid[0] / 8), each.grid[1]] as const };
    const reference = await run(image, small, "reference");
    const fast = await run(image, each, "fast");
    const [seconds, sum] = c?.(each) ?? [undefined, undefined];
    if (sum !== undefined && sum !== fast.sum) throw new Error(`${each.kernel}: C leaves other results`);
    const rate = (instructions: number, time: number): number => instructions / time / 1e6;
    const slow = rate(reference.instructions, reference.all);
    const [first, all, best] = [fast.first, fast.all, fast.best].map((time) => rate(fast.instructions, time)) as [
      number,
      number,
      number,
    ];
    if (each.ocelot !== undefined) ratios.push(all / each.ocelot);
    const cells = [
      String(fast.instructions),
      slow.toFixed(1),
      first.toFixed(1),
      all.toFixed(1),
      best.toFixed(1),
      (all / slow).toFixed(1),
      each.ocelot?.toFixed(0) ?? "",
      seconds === undefined ? "" : (fast.best / seconds).toFixed(1),
    ];
    console.log(`${each.kernel.padEnd(16)}${cells.map((text) => text.padStart(12)).join("")}`);
  }
  console.log(`geometric mean of all / Ocelot's JIT: ${geometricMean(ratios).toFixed(2)}`);
}

await main();
