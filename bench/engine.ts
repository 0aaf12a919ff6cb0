// How fast the reference engine is: warp instructions per second of CPU time on four small kernels, after a run to warm up,
// and the same as a ratio to a plain JavaScript loop that does 32 additions (what no engine in JavaScript can beat).

import { createSink } from "../lib/diag/sink.js";
import { createPrograms } from "../lib/exec/bind.js";
import { createLaunch } from "../lib/exec/launch.js";
import { linkObjects } from "../lib/link/link.js";
import { assembleInput } from "../lib/link/open-input.js";
import { loadImage } from "../lib/load/load.js";
import { packParameters } from "../lib/load/parameters.js";
import type { Process } from "../lib/load/process.js";

const kernels = `
.version 8.0
.target sm_80
.address_size 64
.visible .entry vecadd(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.s32 %p1, %r5, %r1;
  @%p1 bra $done;
  mul.wide.s32 %rd4, %r5, 4;
  add.s64 %rd5, %rd1, %rd4; ld.global.f32 %f1, [%rd5];
  add.s64 %rd6, %rd2, %rd4; ld.global.f32 %f2, [%rd6];
  add.f32 %f3, %f1, %f2;
  add.s64 %rd7, %rd3, %rd4; st.global.f32 [%rd7], %f3;
$done: ret;
}
.visible .entry matmul(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<16>; .reg .f32 %f<4>; .reg .b64 %rd<12>;
  .shared .align 4 .b8 tile_a[1024]; .shared .align 4 .b8 tile_b[1024];
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u64 %rd3, [c]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ctaid.y;
  shl.b32 %r6, %r4, 4; add.s32 %r6, %r6, %r2;
  shl.b32 %r7, %r5, 4; add.s32 %r7, %r7, %r3;
  mov.u32 %r14, tile_a; mov.u32 %r15, tile_b;
  shl.b32 %r8, %r3, 4; add.s32 %r9, %r8, %r2; shl.b32 %r9, %r9, 2;
  mov.f32 %f1, 0f00000000; mov.u32 %r10, 0;
$tiles:
  mad.lo.s32 %r11, %r7, %r1, %r10; add.s32 %r11, %r11, %r2; mul.wide.s32 %rd4, %r11, 4; add.s64 %rd5, %rd1, %rd4;
  ld.global.f32 %f2, [%rd5]; add.s32 %r12, %r14, %r9; st.shared.f32 [%r12], %f2;
  add.s32 %r11, %r10, %r3; mad.lo.s32 %r11, %r11, %r1, %r6; mul.wide.s32 %rd4, %r11, 4; add.s64 %rd5, %rd2, %rd4;
  ld.global.f32 %f2, [%rd5]; add.s32 %r12, %r15, %r9; st.shared.f32 [%r12], %f2;
  bar.sync 0;
  shl.b32 %r11, %r8, 2; add.s32 %r11, %r14, %r11; shl.b32 %r12, %r2, 2; add.s32 %r12, %r15, %r12; mov.u32 %r13, 0;
$inner:
  ld.shared.f32 %f2, [%r11]; ld.shared.f32 %f3, [%r12]; fma.rn.f32 %f1, %f2, %f3, %f1;
  add.s32 %r11, %r11, 4; add.s32 %r12, %r12, 64; add.s32 %r13, %r13, 1;
  setp.lt.u32 %p1, %r13, 16; @%p1 bra $inner;
  bar.sync 0;
  add.s32 %r10, %r10, 16; setp.lt.u32 %p1, %r10, %r1; @%p1 bra $tiles;
  mad.lo.s32 %r11, %r7, %r1, %r6; mul.wide.s32 %rd4, %r11, 4; add.s64 %rd5, %rd3, %rd4; st.global.f32 [%rd5], %f1;
  ret;
}
.visible .entry collatz(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
  add.s32 %r5, %r4, 1; mov.u32 %r6, 0;
$loop: setp.eq.s32 %p1, %r5, 1; @%p1 bra $done;
  add.s32 %r6, %r6, 1; and.b32 %r7, %r5, 1; setp.eq.s32 %p2, %r7, 0; @%p2 bra $even;
  mad.lo.s32 %r5, %r5, 3, 1; bra.uni $loop;
$even: shr.u32 %r5, %r5, 1; bra.uni $loop;
$done: mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r6;
  ret;
}
.visible .entry hash64(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [a]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3; cvt.u64.u32 %rd2, %r4; mov.u32 %r5, 0;
$loop: shr.u64 %rd3, %rd2, 33; xor.b64 %rd2, %rd2, %rd3; mul.lo.s64 %rd2, %rd2, -49064778989728563; add.s64 %rd2, %rd2, 1;
  add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 64; @%p1 bra $loop;
  mul.wide.u32 %rd4, %r4, 4; add.s64 %rd5, %rd1, %rd4; cvt.u32.u64 %r1, %rd2; st.global.u32 [%rd5], %r1;
  ret;
}
`;

type Dimensions = readonly [number, number, number];

interface Measured {
  readonly kernel: string;
  readonly grid: Dimensions;
  readonly block: Dimensions;
  readonly n: number;
}

const measured: readonly Measured[] = [
  { kernel: "vecadd", grid: [512, 1, 1], block: [256, 1, 1], n: 512 * 256 },
  { kernel: "matmul", grid: [12, 12, 1], block: [16, 16, 1], n: 192 },
  { kernel: "collatz", grid: [32, 1, 1], block: [256, 1, 1], n: 0 },
  { kernel: "hash64", grid: [32, 1, 1], block: [256, 1, 1], n: 0 },
];

const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
};

function load(text: string): Process {
  const sink = createSink();
  const input = assembleInput({ name: "bench.ptx", bytes: Buffer.from(text) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((diagnostic) => diagnostic.message).join("\n"));
  return loadImage(image);
}

/** Additions of 32 neighbouring words, millions per second. */
function ceiling(): number {
  const words = new Int32Array(4096);
  const add = (d: number, a: number, b: number): void => {
    for (let l = 0; l < 32; l++) words[d + l] = words[a + l]! + words[b + l]!;
  };
  let best = 0;
  for (let repeat = 0; repeat < 5; repeat++) {
    const start = process.cpuUsage();
    for (let n = 0; n < 400_000; n++) add((n & 63) * 32, 2048, 3072);
    best = Math.max(best, 0.4 / cpuSeconds(start));
  }
  return best;
}

async function main(): Promise<void> {
  const loaded = load(kernels);
  const programs = createPrograms(loaded);
  const buffers = [0, 1, 2].map(() => loaded.memory.allocate(4 * 512 * 256));
  const word = (value: number, bytes: 4 | 8): Uint8Array => {
    const view = new DataView(new ArrayBuffer(bytes));
    if (bytes === 8) view.setBigUint64(0, BigInt(value), true);
    else view.setUint32(0, value, true);
    return new Uint8Array(view.buffer);
  };
  const most = ceiling();
  console.log(
    `${"kernel".padEnd(10)}${"warp instr.".padStart(12)}${"CPU s".padStart(9)}${"M/s".padStart(8)}${"of ceiling".padStart(12)}`,
  );
  for (const { kernel: name, grid, block, n } of measured) {
    const kernel = loaded.kernels.get(name)!;
    const packed = packParameters(kernel, [...buffers.map(({ base }) => word(base, 8)), word(n, 4)]);
    if (!packed.ok) throw new Error(packed.message);
    let best = Infinity;
    let instructions = 0;
    for (let repeat = 0; repeat < 4; repeat++) {
      const launch = createLaunch(
        loaded,
        kernel,
        { grid, block, sharedBytes: 0, parameters: packed.bytes },
        { programs },
      );
      const start = process.cpuUsage();
      const result = await launch.run();
      best = Math.min(best, cpuSeconds(start));
      instructions = result.warpInstructions;
    }
    const rate = instructions / best / 1e6;
    console.log(
      `${name.padEnd(10)}${String(instructions).padStart(12)}${best.toFixed(3).padStart(9)}${rate.toFixed(2).padStart(8)}${`${((100 * rate) / most).toFixed(0)} %`.padStart(12)}`,
    );
  }
  console.log(`ceiling: ${most.toFixed(1)} million loops of 32 additions per second`);
}

await main();
