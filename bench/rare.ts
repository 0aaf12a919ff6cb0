// Kernels that consist mainly of instructions that are rare elsewhere: atomics, halves, approximate functions, exchanges among
// lanes, calls. Measures million warp instructions per second of CPU time on both engines, for a second of launches starting with
// nothing compiled.

import { createSink } from "../lib/diag/sink.js";
import { openDevice } from "../lib/exec/device/device.js";
import type { EngineName } from "../lib/exec/state/launch.js";
import { linkObjects } from "../lib/link/link-objects.js";
import { assembleInput } from "../lib/link/inputs/open-input.js";
import type { LinkedImage } from "../lib/object/object.js";

/** Seconds of CPU time for a kernel, after which no further launch starts. */
const ENOUGH = 1;
const BLOCK = 256;
const GRID = 256;
/** Bytes in each of the two buffers. */
const BYTES = 4 * BLOCK * GRID;
/** Iterations of the loop in each kernel. */
const TIMES = 32;

/**
 * A kernel with a loop around a few instructions. Each thread's x and y come from the first buffer, and its sum goes to the
 * second.
 */
const looped = (name: string, declared: string, before: string, body: string, after: string): string => `
.visible .entry ${name}(.param .u64 a, .param .u64 c) {
  .reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<20>; .reg .f32 %f<12>; .reg .b64 %rd<8>; ${declared}
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [c];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;
  ld.global.b32 %r5, [%rd4]; mov.u32 %r6, 0; mov.u32 %r7, 0;
  ${before}
loop: ${body}
  add.s32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, ${TIMES}; @%p1 bra loop;
  ${after}
  st.global.b32 [%rd5], %r7; ret;
}`;

const withoutCalls: Readonly<Record<string, string>> = {
  histogram: looped(
    "histogram",
    ".shared .align 4 .b8 bins[1024];",
    "mov.u32 %r8, bins; shl.b32 %r9, %r3, 2; add.s32 %r9, %r8, %r9; st.shared.u32 [%r9], 0; bar.sync 0;",
    `mad.lo.u32 %r5, %r5, 1664525, 1013904223; shr.u32 %r10, %r5, 24; shl.b32 %r10, %r10, 2; add.s32 %r11, %r8, %r10;
     atom.shared.add.u32 %r12, [%r11], 1;`,
    "bar.sync 0; ld.shared.u32 %r7, [%r9]; and.b32 %r10, %r3, 255; mul.wide.u32 %rd6, %r10, 4; add.s64 %rd7, %rd2, %rd6; red.global.add.u32 [%rd7], %r7;",
  ),
  floats: looped(
    "floats",
    "",
    "and.b32 %r8, %r4, 1023; mul.wide.u32 %rd6, %r8, 4; add.s64 %rd7, %rd2, %rd6;",
    "cvt.rn.f32.u32 %f1, %r6; red.global.add.f32 [%rd7], %f1;",
    "",
  ),
  weights: looped(
    "weights",
    "",
    "and.b32 %r8, %r4, 1023; mul.wide.u32 %rd6, %r8, 4; add.s64 %rd7, %rd2, %rd6; mov.b32 %r9, 0x2e660a3d;",
    "red.global.add.noftz.f16x2 [%rd7], %r9; add.s32 %r9, %r9, 3;",
    "",
  ),
  halves: looped(
    "halves",
    "",
    "mov.b32 %r8, 0x3c003800; mov.b32 %r9, 0x2e660a3d; and.b32 %r7, %r5, 0x33ff33ff;",
    `fma.rn.f16x2 %r7, %r7, %r8, %r9; fma.rn.f16x2 %r10, %r7, %r8, %r9; add.f16x2 %r7, %r7, %r10; mul.f16x2 %r7, %r7, %r8;
     mov.b32 {%h1, %h2}, %r7; cvt.f32.f16 %f1, %h1; cvt.rn.f16.f32 %h3, %f1; mov.b32 %r7, {%h3, %h2};`,
    "",
  ),
  softmax: looped(
    "softmax",
    "",
    "cvt.rn.f32.u32 %f1, %r5; mul.f32 %f1, %f1, 0f2F800000; mov.f32 %f2, 0f00000000;",
    `add.f32 %f1, %f1, 0f3DCCCCCD; mul.f32 %f3, %f1, 0fBFB8AA3B; ex2.approx.ftz.f32 %f4, %f3; add.f32 %f5, %f4, 0f3F800000;
     rcp.approx.ftz.f32 %f6, %f5; fma.rn.f32 %f2, %f6, %f4, %f2; lg2.approx.f32 %f7, %f5; add.f32 %f2, %f2, %f7;`,
    "mov.b32 %r7, %f2;",
  ),
  waves: looped(
    "waves",
    "",
    "cvt.rn.f32.u32 %f1, %r5; mul.f32 %f1, %f1, 0f32000000; mov.f32 %f2, 0f00000000;",
    "sin.approx.f32 %f3, %f1; cos.approx.f32 %f4, %f1; fma.rn.f32 %f2, %f3, %f4, %f2; tanh.approx.f32 %f5, %f2; add.f32 %f1, %f1, %f5;",
    "mov.b32 %r7, %f2;",
  ),
  scan: looped(
    "scan",
    "",
    "and.b32 %r8, %r3, 31; mov.u32 %r9, 1; mov.u32 %r15, -1; mov.u32 %r7, %r5;",
    `shfl.sync.up.b32 %r10|%p2, %r7, %r9, 0, -1; setp.ge.u32 %p3, %r8, %r9; @%p3 add.s32 %r7, %r7, %r10;
     shl.b32 %r9, %r9, 1; and.b32 %r9, %r9, 31; max.u32 %r9, %r9, 1; xor.b32 %r11, %r8, %r9;
     shfl.sync.idx.b32 %r12|%p2, %r7, %r11, 31, %r15; xor.b32 %r7, %r7, %r12; vote.sync.ballot.b32 %r13, %p3, %r15; add.s32 %r7, %r7, %r13;`,
    "",
  ),
  match: looped(
    "match",
    "",
    "and.b32 %r8, %r5, 7;",
    "activemask.b32 %r9; match.any.sync.b32 %r10, %r8, %r9; popc.b32 %r11, %r10; redux.sync.add.u32 %r12, %r11, %r9; add.s32 %r7, %r7, %r12; add.s32 %r8, %r8, %r11; and.b32 %r8, %r8, 7;",
    "",
  ),
  // Variables in memory, as in unoptimised code.
  depot: looped(
    "depot",
    ".local .align 16 .b8 depot[32];",
    "mov.u64 %rd7, depot; cvta.local.u64 %rd6, %rd7; st.u32 [%rd6], %r5; st.u32 [%rd6+4], 0;",
    `ld.u32 %r8, [%rd6]; mad.lo.u32 %r8, %r8, 1664525, 1013904223; st.u32 [%rd6], %r8; ld.u32 %r9, [%rd6]; shr.u32 %r10, %r9, 24;
     ld.u32 %r11, [%rd6+4]; add.s32 %r11, %r11, %r10; st.u32 [%rd6+4], %r11;`,
    "ld.u32 %r7, [%rd6+4];",
  ),
  // An indexed array in local memory, through a generic address.
  array: looped(
    "array",
    ".local .align 16 .b8 depot[64];",
    "mov.u64 %rd2, depot; cvta.local.u64 %rd6, %rd2;",
    `and.b32 %r8, %r6, 15; mul.wide.u32 %rd7, %r8, 4; add.s64 %rd7, %rd6, %rd7; ld.u32 %r9, [%rd7]; add.s32 %r9, %r9, %r5;
     st.u32 [%rd7], %r9; xor.b32 %r7, %r7, %r9;`,
    "",
  ),
  // A function that accesses a pointer parameter, here into shared memory.
  pointer: looped(
    "pointer",
    ".shared .align 16 .b8 tile[1024];",
    "mov.u32 %r8, tile; cvt.u64.u32 %rd6, %r8; cvta.shared.u64 %rd6, %rd6; mul.wide.u32 %rd7, %r3, 4; add.s64 %rd7, %rd6, %rd7; st.u32 [%rd7], %r5;",
    "ld.u32 %r8, [%rd7]; add.s32 %r8, %r8, %r6; st.u32 [%rd7], %r8; ld.u32 %r9, [%rd7]; add.s32 %r7, %r7, %r9;",
    "",
  ),
  // Lanes alternate between shared, local and global memory.
  anywhere: looped(
    "anywhere",
    ".local .align 16 .b8 depot[16]; .shared .align 16 .b8 tile[1024];",
    `mov.u32 %r8, tile; cvt.u64.u32 %rd6, %r8; cvta.shared.u64 %rd6, %rd6; mul.wide.u32 %rd7, %r3, 4; add.s64 %rd7, %rd6, %rd7;
     mov.u64 %rd6, depot; cvta.local.u64 %rd6, %rd6; and.b32 %r8, %r3, 3; setp.eq.u32 %p2, %r8, 1; setp.gt.u32 %p3, %r8, 1;
     selp.b64 %rd7, %rd6, %rd7, %p2; selp.b64 %rd7, %rd5, %rd7, %p3; st.u32 [%rd7], %r5;`,
    "ld.u32 %r8, [%rd7]; add.s32 %r8, %r8, %r6; st.u32 [%rd7], %r8; ld.u32 %r9, [%rd7]; add.s32 %r7, %r7, %r9;",
    "",
  ),
  // Each lane accesses both buffers, and all lanes alternate.
  buffers: looped(
    "buffers",
    "",
    "and.b32 %r8, %r3, 1; setp.eq.u32 %p2, %r8, 1; selp.b64 %rd6, %rd4, %rd5, %p2; selp.b64 %rd7, %rd5, %rd4, %p2;",
    `ld.global.u32 %r8, [%rd6]; add.s32 %r7, %r7, %r8; setp.eq.u32 %p3, %r6, 7; selp.b64 %rd6, %rd7, %rd6, %p3;
     selp.b64 %rd3, %rd5, %rd4, %p3; ld.global.u32 %r9, [%rd3]; xor.b32 %r7, %r7, %r9;`,
    "",
  ),
  // The product of two 128-bit numbers, computed from words.
  carries: looped(
    "carries",
    "",
    "mov.u32 %r8, 0x9e3779b9; mov.u32 %r9, %r5; mov.u32 %r10, 17; mov.u32 %r11, %r4;",
    `mul.lo.u32 %r12, %r8, %r9; mul.hi.u32 %r13, %r8, %r9; mad.lo.cc.u32 %r13, %r8, %r11, %r13; madc.hi.u32 %r14, %r8, %r11, 0;
     mad.lo.cc.u32 %r13, %r10, %r9, %r13; madc.hi.cc.u32 %r14, %r10, %r9, %r14; addc.u32 %r15, 0, 0;
     mad.lo.cc.u32 %r14, %r10, %r11, %r14; madc.hi.u32 %r15, %r10, %r11, %r15;
     add.cc.u32 %r9, %r12, %r9; addc.cc.u32 %r11, %r13, %r11; addc.cc.u32 %r8, %r14, %r8; addc.u32 %r10, %r15, %r10; xor.b32 %r7, %r7, %r8;`,
    "",
  ),
  wide: looped(
    "wide",
    "",
    "cvt.u64.u32 %rd1, %r5; mov.u64 %rd2, 0x9e3779b97f4a7c15; cvt.u64.u32 %rd3, %r4; mov.u64 %rd4, 3;",
    `mul.hi.u64 %rd6, %rd1, %rd2; mul.lo.u64 %rd7, %rd1, %rd2; add.cc.s64 %rd3, %rd3, %rd7; addc.cc.s64 %rd4, %rd4, %rd6;
     sub.cc.s64 %rd1, %rd7, %rd4; subc.s64 %rd2, %rd6, %rd3;`,
    "cvt.u32.u64 %r7, %rd2;",
  ),
};

/** A function of a few instructions that nvcc did not inline, in nvcc's style. */
const step = `
.func (.param .b32 r) step(.param .b32 a, .param .b32 b) {
  .reg .b32 %r<10>;
  ld.param.u32 %r1, [a]; ld.param.u32 %r2, [b];
  xor.b32 %r3, %r1, %r2; shf.l.wrap.b32 %r4, %r3, %r3, 7; mad.lo.s32 %r5, %r4, 1664525, %r2; shr.u32 %r6, %r5, 3;
  add.s32 %r7, %r6, %r1; xor.b32 %r8, %r7, %r5;
  st.param.b32 [r], %r8; ret;
}`;

/** A function with two recursive calls: fibonacci(n). Lanes diverge, and converge again in the caller. */
const fibonacci = `
.func (.param .b32 r) fibonacci(.param .b32 n) {
  .reg .pred %p<2>; .reg .b32 %r<10>;
  ld.param.u32 %r1, [n]; setp.lt.u32 %p1, %r1, 2; @%p1 bra leaf;
  add.s32 %r2, %r1, -1;
  { .param .b32 p; st.param.b32 [p], %r2; .param .b32 q; call.uni (q), fibonacci, (p); ld.param.b32 %r3, [q]; }
  add.s32 %r4, %r1, -2;
  { .param .b32 p; st.param.b32 [p], %r4; .param .b32 q; call.uni (q), fibonacci, (p); ld.param.b32 %r5, [q]; }
  add.s32 %r1, %r3, %r5;
leaf: st.param.b32 [r], %r1; ret;
}`;

const callOf = (name: string, to: string, ...from: readonly string[]): string =>
  `{ ${from.map((value, i) => `.param .b32 p${i}; st.param.b32 [p${i}], ${value};`).join(" ")} .param .b32 q;
     call.uni (q), ${name}, (${from.map((_, i) => `p${i}`).join(", ")}); ld.param.b32 ${to}, [q]; }`;

const withCalls: Readonly<Record<string, string>> = {
  calls: step + looped("calls", "", "", callOf("step", "%r7", "%r7", "%r5"), ""),
  fib:
    fibonacci +
    looped("fib", "", "and.b32 %r8, %r5, 7;", `${callOf("fibonacci", "%r9", "%r8")} add.s32 %r7, %r7, %r9;`, ""),
};

const kernels: Readonly<Record<string, string>> = { ...withoutCalls, ...withCalls };

function imageOf(text: string): LinkedImage {
  const sink = createSink();
  const bytes = Buffer.from(`.version 8.0\n.target sm_80\n.address_size 64\n${text}`);
  const input = assembleInput({ name: "rare.ptx", bytes }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((diagnostic) => diagnostic.message).join("\n"));
  return image;
}

interface Ran {
  /** Million warp instructions per second. */
  readonly rate: number;
  readonly sum: number;
}

async function run(name: string, engine: EngineName, grid: number): Promise<Ran> {
  const device = openDevice(imageOf(kernels[name]!));
  const input = Uint32Array.from({ length: BYTES / 4 }, (_, i) => Math.imul(i + 1, 2654435761));
  const [a, c] = [device.alloc(input), device.alloc(BYTES)];
  let [spent, instructions, sum] = [0, 0, 0];
  for (let launch = 0; spent < ENOUGH; launch++) {
    const start = process.cpuUsage();
    const result = await device.launch(name, { grid, block: BLOCK, args: [a, c], engine });
    const { user, system } = process.cpuUsage(start);
    if (result.fault !== undefined) throw new Error(result.fault.message);
    spent += (user + system) / 1e6;
    instructions += result.warpInstructions;
    if (launch === 0)
      for (const bits of device.read(c, new Uint32Array(BYTES / 4))) sum = (Math.imul(sum, 31) + bits) >>> 0;
  }
  return { rate: instructions / spent / 1e6, sum };
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  console.log(
    `${"M/s of CPU time".padEnd(16)}${["reference", "fast", "x ref."].map((text) => text.padStart(12)).join("")}`,
  );
  for (const name of Object.keys(kernels)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const slow = await run(name, "reference", GRID / 16);
    const fast = await run(name, "fast", GRID);
    const small = await run(name, "fast", GRID / 16);
    if (small.sum !== slow.sum) throw new Error(`${name}: the engines leave different results`);
    const cells = [slow.rate.toFixed(2), fast.rate.toFixed(1), (fast.rate / slow.rate).toFixed(1)];
    console.log(`${name.padEnd(16)}${cells.map((text) => text.padStart(12)).join("")}`);
  }
}

await main();
