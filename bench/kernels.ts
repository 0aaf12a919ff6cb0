// Kernels of bench/engine.ts and bench/workers.ts, and the same computations in C. Parameters are three buffers and a number.

import { createSink } from "../lib/diag/sink.js";
import { linkObjects } from "../lib/link/link-objects.js";
import { assembleInput } from "../lib/link/inputs/open-input.js";
import type { LinkedImage } from "../lib/object/object.js";

export interface Measured {
  readonly kernel: string;
  readonly grid: readonly [number, number];
  readonly block: readonly [number, number];
  readonly n: number;
  /** Million warp instructions per second of Ocelot's JIT. */
  readonly ocelot?: number;
}

export const kernels: readonly Measured[] = [
  { kernel: "vecadd", grid: [16384, 1], block: [256, 1], n: 16384 * 256, ocelot: 18 },
  { kernel: "matmul", grid: [48, 48], block: [16, 16], n: 768, ocelot: 22 },
  { kernel: "reduce", grid: [8192, 1], block: [256, 1], n: 0, ocelot: 7 },
  { kernel: "collatz", grid: [2048, 1], block: [256, 1], n: 0, ocelot: 117 },
  { kernel: "hash", grid: [2048, 1], block: [256, 1], n: 0 },
  { kernel: "fma", grid: [2048, 1], block: [256, 1], n: 0 },
];

/** The image with all kernels. */
export function kernelImage(): LinkedImage {
  const sink = createSink();
  const input = assembleInput({ name: "bench.ptx", bytes: Buffer.from(PTX) }, sink);
  const image = input?.kind === "object" ? linkObjects([input.object], {}, sink) : undefined;
  if (image === undefined) throw new Error(sink.all.map((diagnostic) => diagnostic.message).join("\n"));
  return image;
}

const PTX = `
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
.visible .entry reduce(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<3>; .reg .b32 %r<12>; .reg .f32 %f<4>; .reg .b64 %rd<6>;
  .shared .align 4 .b8 partial[1024];
  ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [c];
  mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 9; add.s32 %r4, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 4; add.s64 %rd4, %rd1, %rd3;
  ld.global.f32 %f1, [%rd4]; ld.global.f32 %f2, [%rd4+1024]; add.f32 %f1, %f1, %f2;
  mov.u32 %r5, partial; shl.b32 %r6, %r1, 2; add.s32 %r7, %r5, %r6; st.shared.f32 [%r7], %f1;
  mov.u32 %r8, 128;
$halves:
  bar.sync 0;
  setp.ge.u32 %p1, %r1, %r8; @%p1 bra $next;
  shl.b32 %r9, %r8, 2; add.s32 %r10, %r7, %r9;
  ld.shared.f32 %f1, [%r7]; ld.shared.f32 %f2, [%r10]; add.f32 %f1, %f1, %f2; st.shared.f32 [%r7], %f1;
$next: shr.u32 %r8, %r8, 1; setp.ne.u32 %p2, %r8, 0; @%p2 bra $halves;
  setp.ne.u32 %p1, %r1, 0; @%p1 bra $done;
  ld.shared.f32 %f1, [partial]; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd2, %rd3; st.global.f32 [%rd4], %f1;
$done: ret;
}
.visible .entry collatz(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [c];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.s32 %r4, %r1, %r2, %r3;
  add.s32 %r5, %r4, 1; mov.u32 %r6, 0;
$loop: setp.eq.s32 %p1, %r5, 1; @%p1 bra $done;
  add.s32 %r6, %r6, 1; and.b32 %r7, %r5, 1; setp.eq.s32 %p2, %r7, 0; @%p2 bra $even;
  mad.lo.s32 %r5, %r5, 3, 1; bra.uni $loop;
$even: shr.u32 %r5, %r5, 1; bra.uni $loop;
$done: mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r6;
  ret;
}
.visible .entry hash(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [c]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3; cvt.u64.u32 %rd2, %r4; mov.u32 %r5, 0;
$loop: shr.u64 %rd3, %rd2, 33; xor.b64 %rd2, %rd2, %rd3; mul.lo.s64 %rd2, %rd2, -49064778989728563; add.s64 %rd2, %rd2, 1;
  add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 64; @%p1 bra $loop;
  mul.wide.u32 %rd4, %r4, 4; add.s64 %rd5, %rd1, %rd4; cvt.u32.u64 %r1, %rd2; st.global.u32 [%rd5], %r1;
  ret;
}
.visible .entry fma(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) {
  .reg .pred %p<2>; .reg .b32 %r<6>; .reg .f32 %f<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [c]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3; cvt.rn.f32.u32 %f1, %r4; mov.f32 %f2, %f1; mov.f32 %f3, 0f3F7FBE77; mov.f32 %f4, 0f3F000000;
  mov.u32 %r5, 0;
$loop: fma.rn.f32 %f1, %f1, %f3, %f4; fma.rn.f32 %f2, %f2, %f3, %f1; fma.rn.f32 %f1, %f1, %f3, %f2;
  fma.rn.f32 %f2, %f2, %f3, %f4; add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 64; @%p1 bra $loop;
  add.f32 %f1, %f1, %f2; mul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2; st.global.f32 [%rd3], %f1;
  ret;
}
`;

/** f(kernel, a, b, c, threads, n): one host thread computes the whole grid. Sums are in the kernel's order. */
export const C = `
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static void vecadd(float *a, float *b, float *c, int threads, int n) {
  for (int i = 0; i < threads; i++) if (i < n) c[i] = a[i] + b[i];
}
static void matmul(float *a, float *b, float *c, int threads, int n) {
  for (int y = 0; y < n; y++) for (int x = 0; x < n; x++) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum = fmaf(a[y * n + k], b[k * n + x], sum);
    c[y * n + x] = sum;
  }
}
static void reduce(float *a, float *b, float *c, int threads, int n) {
  for (int block = 0; block < threads / 256; block++) {
    float s[256];
    for (int t = 0; t < 256; t++) s[t] = a[block * 512 + t] + a[block * 512 + t + 256];
    for (int half = 128; half > 0; half /= 2) for (int t = 0; t < half; t++) s[t] += s[t + half];
    c[block] = s[0];
  }
}
static void collatz(float *a, float *b, float *c, int threads, int n) {
  for (int i = 0; i < threads; i++) {
    uint32_t x = i + 1, steps = 0;
    while (x != 1) { steps++; x = x & 1 ? 3 * x + 1 : x >> 1; }
    memcpy(c + i, &steps, 4);
  }
}
static void hash(float *a, float *b, float *c, int threads, int n) {
  for (int i = 0; i < threads; i++) {
    uint64_t x = i;
    for (int k = 0; k < 64; k++) { x ^= x >> 33; x = x * -49064778989728563ull + 1; }
    uint32_t low = x; memcpy(c + i, &low, 4);
  }
}
static void chains(float *a, float *b, float *c, int threads, int n) {
  float f, g; uint32_t bits = 0x3F7FBE77; memcpy(&f, &bits, 4);
  for (int i = 0; i < threads; i++) {
    float x = i, y = x;
    for (int k = 0; k < 64; k++) {
      x = fmaf(x, f, 0.5f); y = fmaf(y, f, x); x = fmaf(x, f, y); y = fmaf(y, f, 0.5f);
    }
    c[i] = x + y;
  }
}
int main(int argc, char **argv) {
  int threads = atoi(argv[2]), n = atoi(argv[3]), words = atoi(argv[4]);
  float *a = malloc(4l * words), *b = malloc(4l * words), *c = calloc(words, 4);
  for (int i = 0; i < words; i++) { a[i] = i % 1000; b[i] = 1 + i % 7; }
  void (*f)(float *, float *, float *, int, int) = !strcmp(argv[1], "vecadd") ? vecadd : !strcmp(argv[1], "matmul") ? matmul :
    !strcmp(argv[1], "reduce") ? reduce : !strcmp(argv[1], "collatz") ? collatz : !strcmp(argv[1], "hash") ? hash : chains;
  double best = 1e9;
  for (int k = 0; k < 3; k++) {
    clock_t start = clock();
    f(a, b, c, threads, n);
    double took = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (took < best) best = took;
  }
  uint32_t sum = 0;
  for (int i = 0; i < words; i++) { uint32_t bits; memcpy(&bits, c + i, 4); sum = sum * 31 + bits; }
  printf("%.9f %u\\n", best, sum);
}
`;
