// Measures products of half-precision matrices, through mma, and through wgmma of tiles that tensor copies load: multiply-adds
// per second of CPU time on the fast engine. If gcc is installed, also of the same product of floats in C (gcc -O2, the inner
// product of rows and columns, one thread). All leave the same sum. Argument: the size, a multiple of 64; default 512.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSink } from "../lib/diag/sink.js";
import { openDevice } from "../lib/exec/device/device.js";
import { linkObjects } from "../lib/link/link-objects.js";
import { assembleInput } from "../lib/link/inputs/open-input.js";
import { F16, smallEncoder } from "../lib/base/num/small-float.js";
import { gemmProgram, gemmText, TILE_COLUMNS } from "./gemm-kernels.js";

const size = Number(process.argv[2] ?? 512);
const ROUNDS = 6;

interface Result {
  readonly seconds: number;
  readonly sum: number;
}

async function run(kernel: "mma" | "wgmma"): Promise<Result> {
  const sink = createSink();
  const input = assembleInput({ name: "gemm.ptx", bytes: Buffer.from(gemmText()) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((diagnostic) => diagnostic.message).join("\n"));
  const device = openDevice(image);
  const encode = smallEncoder(F16, "rn");
  const halves = (of: (i: number) => number): Uint16Array =>
    Uint16Array.from({ length: size * size }, (_, i) => encode(of(i) / 4));
  const [a, b] = [device.alloc(halves((i) => ((i * 7) % 13) - 6)), device.alloc(halves((i) => ((i * 5) % 11) - 5))];
  const c = device.alloc(4 * size * size);
  const map = (buffer: typeof a) =>
    device.tensorMap({ buffer, type: "f16", dims: [size, size], strides: [2 * size], box: [64, 64], swizzle: "128B" });
  const factors = kernel === "mma" ? [a, b] : [map(a), map(b)];
  const u32 = (value: number) => ({ type: "u32", value }) as const;
  const [rows, block] = kernel === "mma" ? [16, 32] : [64, 128];
  let seconds = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.cpuUsage();
    const grid = [size / TILE_COLUMNS, size / rows] as const;
    const { fault } = await device.launch(kernel, {
      grid,
      block,
      args: [...factors, c, u32(size), u32(size)],
      engine: "fast",
    });
    const { user, system } = process.cpuUsage(start);
    if (fault !== undefined) throw new Error(fault.message);
    seconds = Math.min(seconds, (user + system) / 1e6);
  }
  const sum = device.read(c, Float32Array).reduce((total, x, i) => total + x * (i % 7), 0);
  return { seconds, sum };
}

function inC(): Result | undefined {
  if (spawnSync("gcc", ["--version"]).status !== 0) return undefined;
  const folder = mkdtempSync(path.join(tmpdir(), "ptxkit-gemm-"));
  try {
    const program = path.join(folder, "gemm");
    writeFileSync(`${program}.c`, gemmProgram);
    const compiled = spawnSync("gcc", ["-O2", `${program}.c`, "-o", program], { encoding: "utf8" });
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    const [seconds, sum] = spawnSync(program, [String(size)], { encoding: "utf8" })
      .stdout.split(" ")
      .map(Number);
    return { seconds: seconds!, sum: sum! };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const reference = inC();
const products = size ** 3;
const line = (name: string, { seconds, sum }: Result): void => {
  const rate = `${(products / seconds / 1e6).toFixed(0).padStart(6)} M multiply-adds/s`;
  const ratio = reference === undefined ? "" : `  ${(seconds / reference.seconds).toFixed(2)} of C's time`;
  const differs = reference !== undefined && sum !== reference.sum ? `  the sum differs: ${sum}, ${reference.sum}` : "";
  console.log(`${name.padEnd(6)} ${rate}${ratio}${differs}`);
};
console.log(`${size} x ${size} x ${size}, f16 factors and f32 sums`);
line("mma", await run("mma"));
line("wgmma", await run("wgmma"));
if (reference !== undefined) line("C", reference);
