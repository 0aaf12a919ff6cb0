// What more threads are worth: the kernels of bench/engine.ts on one thread and on two (or as many as the argument says),
// launches by turns once both are warm. Wall time is what counts, so the machine must have nothing else to do: a plain loop
// on as many threads tells what it has to give in the same minute. CPU time of the process says whether sharing costs
// anything, and "others" which part of the instructions the other threads issued.

import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { createPrograms } from "../lib/exec/bind.js";
import { createLaunch } from "../lib/exec/launch.js";
import { createWorkers } from "../lib/exec/workers/workers.js";
import { loadImage } from "../lib/load/load.js";
import { packParameters } from "../lib/load/parameters.js";
import type { LinkedImage } from "../lib/object/object.js";
import { kernelImage, kernels, type Measured } from "./kernels.js";

const WORDS = 16384 * 256;
/** Launches before: at least so many, and at most, until other threads have been called. */
const [LEAST_WARMING, MOST_WARMING] = [3, 40];
const ROUNDS = 9;

interface Times {
  /** Milliseconds. */
  readonly wall: number;
  readonly cpu: number;
  /** Of the instructions, those that other threads issued. */
  readonly others: number;
}

function word(value: number, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(value), true);
  else view.setUint32(0, value, true);
  return new Uint8Array(view.buffer);
}

interface Launcher {
  launch(): Promise<Times>;
  close(): Promise<void>;
}

/** Launches a kernel in a process of its own. */
function launcher(image: LinkedImage, threads: number, { kernel: name, grid, block, n }: Measured): Launcher {
  const loaded = loadImage(image);
  const input = Float32Array.from({ length: WORDS }, (_, i) => i % 1000);
  const buffers = [input, input, new Float32Array(WORDS)].map((content) => {
    const region = loaded.memory.allocate(4 * WORDS);
    region.bytes.set(new Uint8Array(content.buffer));
    return region.base;
  });
  const kernel = loaded.kernels.get(name)!;
  const packed = packParameters(kernel, [...buffers.map((base) => word(base, 8)), word(n, 4)]);
  if (!packed.ok) throw new Error(packed.message);
  const config = { grid: [...grid, 1], block: [...block, 1], sharedBytes: 0, parameters: packed.bytes } as const;
  const programs = createPrograms(loaded);
  let foreign = 0;
  const workers = createWorkers(loaded, Math.max(1, threads - 1), {
    onReply: (reply) => {
      if (reply !== "late" && "part" in reply) foreign += reply.part.warpInstructions;
    },
  });
  return {
    close: () => workers.close(),
    async launch() {
      foreign = 0;
      const [before, start] = [process.cpuUsage(), performance.now()];
      const one = createLaunch(loaded, kernel, config, { programs, ...(threads === 1 ? {} : { workers }) });
      const { fault, warpInstructions } = await one.run();
      const wall = performance.now() - start;
      if (fault !== undefined) throw new Error(fault.message);
      const { user, system } = process.cpuUsage(before);
      return { wall, cpu: (user + system) / 1e3, others: foreign / warpInstructions };
    },
  };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;

const summary = (times: readonly Times[]): Times => ({
  wall: Math.min(...times.map(({ wall }) => wall)),
  cpu: Math.min(...times.map(({ cpu }) => cpu)),
  others: median(times.map(({ others }) => others)),
});

// Some 50 ms that touch no memory.
const LOOP = `let x = 1; for (let i = 0; i < 2e7; i++) x = (Math.imul(x, 1103515245) + 12345) | 0;`;

/** How many times as fast so many threads of the host are as one, with nothing between them. */
async function ceiling(threads: number): Promise<number> {
  const loop = new Function(`${LOOP} return x;`) as () => number;
  const text = `require("node:worker_threads").parentPort.on("message", function (m) { ${LOOP} this.postMessage(x); });`;
  const others = Array.from({ length: threads - 1 }, () => new Worker(text, { eval: true }));
  const ask = (worker: Worker): Promise<unknown> =>
    new Promise((resolve) => {
      worker.once("message", resolve);
      worker.postMessage(0);
    });
  let [one, all] = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    loop();
    const between = performance.now();
    const answers = others.map(ask);
    loop();
    await Promise.all(answers);
    one = Math.min(one, between - start);
    all = Math.min(all, performance.now() - between);
  }
  await Promise.all(others.map((worker) => worker.terminate()));
  return (threads * one) / all;
}

async function measure(image: LinkedImage, one: Measured, threads: number): Promise<readonly [Times, Times]> {
  const devices = [1, threads].map((count) => launcher(image, count, one));
  const times: [Times[], Times[]] = [[], []];
  let hasOthers = false;
  for (let warming = 0; warming < LEAST_WARMING || (!hasOthers && warming < MOST_WARMING); warming++) {
    if (warming < LEAST_WARMING) await devices[0]!.launch();
    hasOthers ||= (await devices[1]!.launch()).others > 0;
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const which of [0, 1] as const) times[which].push(await devices[which]!.launch());
  for (const device of devices) await device.close();
  return [summary(times[0]), summary(times[1])];
}

const threads = Number(process.argv[2] ?? 2);
const image = kernelImage();
console.log(
  `${threads} threads beside one, of ${availableParallelism()} that can run; milliseconds, least of ${ROUNDS} launches`,
);
console.log(["kernel    ", "blocks", "  wall", "shared", " ratio", "   CPU", "shared", "others"].join("  "));
const ratios: number[] = [];
for (const one of kernels) {
  const [alone, shared] = await measure(image, one, threads);
  const ratio = alone.wall / shared.wall;
  ratios.push(ratio);
  const cells = [alone.wall, shared.wall, ratio, alone.cpu, shared.cpu].map((x) => x.toFixed(2).padStart(6));
  const others = `${(100 * shared.others).toFixed(0)} %`.padStart(6);
  console.log([one.kernel.padEnd(10), String(one.grid[0] * one.grid[1]).padStart(6), ...cells, others].join("  "));
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`geometric mean of the ratios: ${mean.toFixed(2)}; a plain loop: ${(await ceiling(threads)).toFixed(2)}`);
