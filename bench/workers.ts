// Measures the gain from more threads: the kernels of bench/engine.ts on one thread and on two (or as many as the argument says),
// on the same memory, because the host's pages of a buffer change the time of one thread by half. Wall time counts.
// The capacity of the machine is measured in the same rounds: the same number of threads that share nothing, each with an image
// and memory of its own, launch the whole kernel at the same time. If sharing were free, two threads would finish one launch in
// half of that time. Launches take turns, once all are warm; a ratio is the median of the rounds' own ratios, so that changes in
// the machine's speed affect it little.
// Usage: node dist/bench/workers.js [THREADS [KERNEL...]].

import { once } from "node:events";
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createLaunch } from "../lib/exec/launch/launch.js";
import { createWorkers, type Workers } from "../lib/exec/launch/workers/workers.js";
import { createPrograms } from "../lib/exec/program/programs.js";
import { loadImage } from "../lib/load/load.js";
import { packParameters } from "../lib/load/parameters.js";
import { kernelImage, kernels, type Measured } from "./kernels.js";

const WORDS = 16384 * 256;
/** Warm-up launches: at least this many, and at most, until other threads have taken part. */
const [MIN_WARMING, MAX_WARMING] = [3, 40];
/** Rounds: at least this many, and for short kernels more, until that many milliseconds have passed. */
const [ROUNDS, SPENT] = [9, 2500];

interface Times {
  /** Times in milliseconds. */
  readonly wall: number;
  readonly cpu: number;
  /** Fraction of the instructions that other threads issued. */
  readonly others: number;
}

function word(value: number, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 8) view.setBigUint64(0, BigInt(value), true);
  else view.setUint32(0, value, true);
  return new Uint8Array(view.buffer);
}

interface Launcher {
  /** Launches the kernel, alone or with the other threads. */
  launch(how: "alone" | "shared"): Promise<Times>;
  close(): Promise<void>;
}

/** Launches a kernel in an image and memory of its own. */
function launcher(threads: number, { kernel: name, grid, block, n }: Measured): Launcher {
  const loaded = loadImage(kernelImage());
  const input = Float32Array.from({ length: WORDS }, (_, i) => i % 1000);
  const buffers = [input, input, new Float32Array(WORDS)].map((content) => {
    const region = loaded.memory.allocate(4 * WORDS);
    region.bytes.set(new Uint8Array(content.buffer));
    return region.base;
  });
  const kernel = loaded.kernels.get(name)!;
  const packed = packParameters(kernel, [...buffers.map((base) => ({ bytes: word(base, 8) })), { bytes: word(n, 4) }]);
  if (!packed.ok) throw new Error(packed.message);
  const config = { grid: [...grid, 1], block: [...block, 1], sharedBytes: 0, parameters: packed.bytes } as const;
  const programs = createPrograms(loaded);
  let foreign = 0;
  const workers: Workers = createWorkers(loaded, Math.max(1, threads - 1), {
    onReply: (reply) => {
      if (reply !== "late" && "part" in reply) foreign += reply.part.warpInstructions;
    },
  });
  return {
    close: () => workers.close(),
    async launch(how) {
      foreign = 0;
      const [before, start] = [process.cpuUsage(), performance.now()];
      const one = createLaunch(loaded, kernel, config, { programs, ...(how === "alone" ? {} : { workers }) });
      const { fault, warpInstructions } = await one.run();
      const wall = performance.now() - start;
      if (fault !== undefined) throw new Error(fault.message);
      const { user, system } = process.cpuUsage(before);
      return { wall, cpu: (user + system) / 1e3, others: foreign / warpInstructions };
    },
  };
}

/** Threads that share nothing with this one, each of which launches the kernel on request. */
function strangers(count: number, { kernel }: Measured): { launch(): Promise<unknown>; close(): Promise<unknown> } {
  const workers = Array.from({ length: count }, () => new Worker(new URL(import.meta.url), { workerData: kernel }));
  const ask = (worker: Worker): Promise<unknown> => {
    const answer = once(worker, "message");
    worker.postMessage(0);
    return answer;
  };
  return {
    launch: () => Promise.all(workers.map(ask)),
    close: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const least = (numbers: readonly number[]): number => Math.min(...numbers);

interface Round {
  readonly alone: Times;
  readonly shared: Times;
  /** Milliseconds of a launch on separate threads. */
  readonly apart: number;
}

async function measure(one: Measured, threads: number): Promise<readonly Round[]> {
  const device = launcher(threads, one);
  const others = strangers(threads - 1, one);
  const apart = async (): Promise<number> => {
    const start = performance.now();
    // The others have started when this thread starts, and are awaited when it has finished.
    const theirs = others.launch();
    await device.launch("alone");
    await theirs;
    return performance.now() - start;
  };
  let hasOthers = false;
  for (let warming = 0; warming < MIN_WARMING || (!hasOthers && warming < MAX_WARMING); warming++) {
    if (warming < MIN_WARMING) await apart();
    hasOthers ||= (await device.launch("shared")).others > 0;
  }
  const rounds: Round[] = [];
  for (const start = performance.now(); rounds.length < ROUNDS || performance.now() - start < SPENT;)
    rounds.push({
      alone: await device.launch("alone"),
      shared: await device.launch("shared"),
      apart: await apart(),
    });
  await device.close();
  await others.close();
  return rounds;
}

async function report(threads: number, names: readonly string[]): Promise<void> {
  console.log(
    `${threads} threads beside one, of ${availableParallelism()} that can run; least milliseconds, medians of ratios`,
  );
  console.log(
    ["kernel    ", "blocks", "  wall", "shared", " ratio", " apart", "   CPU", "shared", "others"].join("  "),
  );
  const means: [number, number] = [0, 0];
  const chosen = kernels.filter(({ kernel }) => names.length === 0 || names.includes(kernel));
  for (const one of chosen) {
    const rounds = await measure(one, threads);
    const of = (pick: (round: Round) => number) => rounds.map(pick);
    const ratio = median(of(({ alone, shared }) => alone.wall / shared.wall));
    const ceiling = median(of(({ alone, apart }) => (threads * alone.wall) / apart));
    means[0] += Math.log(ratio);
    means[1] += Math.log(ceiling);
    const cells = [
      least(of(({ alone }) => alone.wall)),
      least(of(({ shared }) => shared.wall)),
      ratio,
      ceiling,
      least(of(({ alone }) => alone.cpu)),
      least(of(({ shared }) => shared.cpu)),
    ].map((x) => x.toFixed(2).padStart(6));
    const others = `${(100 * median(of(({ shared }) => shared.others))).toFixed(0)} %`.padStart(6);
    console.log([one.kernel.padEnd(10), String(one.grid[0] * one.grid[1]).padStart(6), ...cells, others].join("  "));
  }
  const [ratio, ceiling] = means.map((sum) => Math.exp(sum / chosen.length));
  console.log(`geometric means: ratio ${ratio!.toFixed(2)}, threads that share nothing ${ceiling!.toFixed(2)}`);
}

if (isMainThread) await report(Number(process.argv[2] ?? 2), process.argv.slice(3));
else {
  const device = launcher(
    1,
    kernels.find(({ kernel }) => kernel === workerData)!,
  );
  parentPort!.on("message", () => void device.launch("alone").then(() => parentPort!.postMessage(0)));
}
