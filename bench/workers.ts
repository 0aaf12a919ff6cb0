// What a second thread is worth: the kernels of bench/engine.ts on one thread and on two, launches of a device one after the
// other once both are warm. Wall time matters here, so the machine must have nothing else to do; CPU time of the process and
// the instructions of the launch beside it tell whether sharing costs anything.

import { availableParallelism } from "node:os";
import { createSink } from "../lib/diag/sink.js";
import { type Device, openDevice } from "../lib/exec/device.js";
import { linkObjects } from "../lib/link/link.js";
import { assembleInput } from "../lib/link/open-input.js";
import type { LinkedImage } from "../lib/object/object.js";
import { PTX } from "./kernels.js";

interface Measured {
  readonly kernel: string;
  readonly grid: readonly [number, number];
  readonly block: readonly [number, number];
  readonly n: number;
}

const measured: readonly Measured[] = [
  { kernel: "vecadd", grid: [16384, 1], block: [256, 1], n: 16384 * 256 },
  { kernel: "matmul", grid: [48, 48], block: [16, 16], n: 768 },
  { kernel: "reduce", grid: [8192, 1], block: [256, 1], n: 0 },
  { kernel: "collatz", grid: [2048, 1], block: [256, 1], n: 0 },
  { kernel: "hash", grid: [2048, 1], block: [256, 1], n: 0 },
  { kernel: "fma", grid: [2048, 1], block: [256, 1], n: 0 },
];

const WORDS = 16384 * 256;
const WARMING = 4;
const ROUNDS = 9;

function link(text: string): LinkedImage {
  const sink = createSink();
  const input = assembleInput({ name: "bench.ptx", bytes: Buffer.from(text) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((diagnostic) => diagnostic.message).join("\n"));
  return image;
}

interface Times {
  /** Milliseconds. */
  readonly wall: number;
  readonly cpu: number;
}

/** Launches a kernel on one device. */
function launcher(image: LinkedImage, threads: number, { kernel, grid, block, n }: Measured) {
  const device: Device = openDevice(image, { threads });
  const input = Float32Array.from({ length: WORDS }, (_, i) => i % 1000);
  const args = [device.alloc(input), device.alloc(input), device.alloc(4 * WORDS), { type: "u32", value: n } as const];
  return {
    close: () => device.close(),
    async launch(): Promise<Times> {
      const [before, start] = [process.cpuUsage(), performance.now()];
      const { fault } = await device.launch(kernel, { grid, block, args });
      const wall = performance.now() - start;
      if (fault !== undefined) throw new Error(fault.message);
      const { user, system } = process.cpuUsage(before);
      return { wall, cpu: (user + system) / 1e3 };
    },
  };
}

const least = (times: readonly Times[]): Times => ({
  wall: Math.min(...times.map(({ wall }) => wall)),
  cpu: Math.min(...times.map(({ cpu }) => cpu)),
});

async function measure(image: LinkedImage, one: Measured, threads: number): Promise<readonly [Times, Times]> {
  const devices = [1, threads].map((count) => launcher(image, count, one));
  const times: [Times[], Times[]] = [[], []];
  for (let round = -WARMING; round < ROUNDS; round++)
    for (const which of [0, 1] as const) {
      const took = await devices[which]!.launch();
      if (round >= 0) times[which].push(took);
    }
  for (const device of devices) await device.close();
  return [least(times[0]), least(times[1])];
}

const threads = Number(process.argv[2] ?? 2);
const image = link(PTX);
console.log(
  `${threads} threads beside one, of ${availableParallelism()} that can run; milliseconds, least of ${ROUNDS}`,
);
console.log(["kernel    ", "blocks", "  wall", "shared", " ratio", "   CPU", "shared"].join("  "));
const ratios: number[] = [];
for (const one of measured) {
  const [alone, shared] = await measure(image, one, threads);
  const ratio = alone.wall / shared.wall;
  ratios.push(ratio);
  const cells = [alone.wall, shared.wall, ratio, alone.cpu, shared.cpu].map((x) => x.toFixed(2).padStart(6));
  console.log([one.kernel.padEnd(10), String(one.grid[0] * one.grid[1]).padStart(6), ...cells].join("  "));
}
const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
console.log(`geometric mean of the ratios: ${mean.toFixed(2)}`);
