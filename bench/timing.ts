// Measures the speed of the timing model: million warp instructions per second of CPU time on four small kernels with the whole
// H200, and the peak memory. Each launch has a process of its own. Its time includes execution, the recorder and the simulation,
// and all threads of the process (the host's compiler and garbage collector). "start" is the remaining time of the process:
// loading the program, making the buffers. Kernels take turns, so that other load on the machine affects all of them; the best
// turn of each counts.
// Usage: node dist/bench/timing.js [--turns N] [--gpu NAME] [KERNEL...]

import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { openDevice } from "../lib/exec/device/device.js";
import { timedOn } from "../lib/report/timed.js";
import { findGpu } from "../lib/timing/gpus/gpus.js";
import { kernelImage, kernels as engineKernels, type Measured } from "./kernels.js";

/** Words in each buffer. */
const WORDS = 16384 * 256;
/** With this many rows and columns, the product has an eighth of the instructions of bench/engine.ts. */
const ROWS = 384;

const kernels: readonly Measured[] = engineKernels
  .filter(({ ocelot }) => ocelot !== undefined)
  .map((each) => (each.kernel === "matmul" ? { ...each, grid: [ROWS / 16, ROWS / 16], n: ROWS } : each));

interface Figures {
  readonly instructions: number;
  readonly cycles: number;
  /** Seconds of CPU time of the launch, and before it. */
  readonly seconds: number;
  readonly start: number;
  readonly megabytes: number;
}

/** Seconds of CPU time of this process so far. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

async function measure({ kernel, grid, block, n }: Measured, gpu: string): Promise<Figures> {
  const model = findGpu(gpu);
  if (model === undefined) throw new Error(`there is no GPU model '${gpu}'`);
  const device = openDevice(kernelImage(), { time: timedOn(model) });
  const buffers = [0, 1, 2].map(() => device.alloc(4 * WORDS));
  const data = new Float32Array(WORDS);
  for (let i = 0; i < WORDS; i++) data[i] = 1 + (i % 7);
  for (const buffer of buffers.slice(0, 2)) device.write(buffer, data);
  const start = cpuSeconds();
  const result = await device.launch(kernel, { grid, block, args: [...buffers, { type: "u32", value: n }] });
  if (result.fault !== undefined) throw new Error(result.fault.message);
  return {
    instructions: result.warpInstructions,
    cycles: result.timing!.cycles,
    seconds: cpuSeconds() - start,
    start,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

/** Measures in a process of its own. */
const measureApart = (kernel: string, gpu: string): Promise<Figures> =>
  new Promise((resolve, reject) => {
    const child = fork(process.argv[1]!, ["--child", "--gpu", gpu, kernel]);
    child.on("message", (figures) => resolve(figures as Figures));
    child.on("close", (status) => reject(new Error(`${kernel}: exit status ${status}`)));
  });

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      turns: { type: "string", default: "3" },
      gpu: { type: "string", default: "h200" },
      child: { type: "boolean", default: false },
    },
  });
  const chosen = positionals.length === 0 ? kernels : kernels.filter(({ kernel }) => positionals.includes(kernel));
  if (values.child) {
    process.send!(await measure(chosen[0]!, values.gpu));
    return;
  }
  const best = new Map<string, Figures>();
  for (let turn = 0; turn < Number(values.turns); turn++)
    for (const { kernel } of chosen) {
      const figures = await measureApart(kernel, values.gpu);
      if (figures.seconds < (best.get(kernel)?.seconds ?? Infinity)) best.set(kernel, figures);
    }
  const columns = ["warp instr.", "cycles", "CPU s", "M/s", "start s", "peak MB"];
  console.log(`${"timing".padEnd(12)}${columns.map((text) => text.padStart(12)).join("")}`);
  for (const [kernel, { instructions, cycles, seconds, start, megabytes }] of best) {
    const numbers = [
      seconds.toFixed(1),
      (instructions / seconds / 1e6).toFixed(2),
      start.toFixed(1),
      megabytes.toFixed(0),
    ];
    const cells = [`${instructions}`, `${cycles}`, ...numbers];
    console.log(`${kernel.padEnd(12)}${cells.map((text) => text.padStart(12)).join("")}`);
  }
}

await main();
