// Kernels of bench/gemm.ts: C = A B of f16 matrices with f32 sums, A row by row and B column by column. Each is passed A, B, C, the
// width N of C, and K.

/** Columns of C that a warp or a block computes. */
export const TILE_COLUMNS = 64;

const count = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i);

/** A warp computes 16 x 64 of C by mma.m16n8k16, with operands straight from global memory. */
function mmaKernel(): string {
  const tiles = TILE_COLUMNS / 8;
  const sums = (tile: number): string =>
    count(4)
      .map((i) => `%c${4 * tile + i}`)
      .join(", ");
  const multiply = count(tiles).map(
    (tile) => `
    ld.global.b32 %b0, [%pb${tile}]; ld.global.b32 %b1, [%pb${tile}+16]; add.u64 %pb${tile}, %pb${tile}, 32;
    mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {${sums(tile)}}, {%a0, %a1, %a2, %a3}, {%b0, %b1}, {${sums(tile)}};`,
  );
  const store = count(tiles).map(
    (tile) => `
    st.global.v2.f32 [%pc+${32 * tile}], {%c${4 * tile}, %c${4 * tile + 1}};
    st.global.v2.f32 [%pd+${32 * tile}], {%c${4 * tile + 2}, %c${4 * tile + 3}};`,
  );
  return `
.visible .entry mma(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .u32 k) {
  .reg .b32 %t, %g, %q, %x, %y, %n, %k, %a<4>, %b<2>, %row, %column; .reg .f32 %c<${4 * tiles}>;
  .reg .b64 %pa, %pe, %pb<${tiles}>, %pc, %pd, %w; .reg .pred %p;
  mov.u32 %t, %tid.x; shr.u32 %g, %t, 2; and.b32 %q, %t, 3; ld.param.u32 %n, [n]; ld.param.u32 %k, [k];
  mov.u32 %row, %ctaid.y; mad.lo.u32 %row, %row, 16, %g; mov.u32 %column, %ctaid.x; mul.lo.u32 %column, %column, ${TILE_COLUMNS};
  ld.param.u64 %pa, [a]; mul.lo.u32 %x, %row, %k; shl.b32 %y, %q, 1; add.u32 %x, %x, %y; mad.wide.u32 %pa, %x, 2, %pa;
  mul.lo.u32 %x, %k, 8; mad.wide.u32 %pe, %x, 2, %pa;
  ld.param.u64 %w, [b]; add.u32 %x, %column, %g; mad.lo.u32 %x, %x, %k, %y; mad.wide.u32 %pb0, %x, 2, %w;
  mul.lo.u32 %x, %k, 8; mul.wide.u32 %w, %x, 2;
  ${count(tiles - 1)
    .map((i) => `add.u64 %pb${i + 1}, %pb${i}, %w;`)
    .join(" ")}
  ${count(4 * tiles)
    .map((i) => `mov.f32 %c${i}, 0f00000000;`)
    .join(" ")}
LOOP:
  ld.global.b32 %a0, [%pa]; ld.global.b32 %a1, [%pe]; ld.global.b32 %a2, [%pa+16]; ld.global.b32 %a3, [%pe+16];
  add.u64 %pa, %pa, 32; add.u64 %pe, %pe, 32;${multiply.join("")}
  sub.u32 %k, %k, 16; setp.ne.u32 %p, %k, 0; @%p bra LOOP;
  ld.param.u64 %pc, [c]; mad.lo.u32 %x, %row, %n, %column; add.u32 %x, %x, %y; mad.wide.u32 %pc, %x, 4, %pc;
  mul.lo.u32 %x, %n, 8; mad.wide.u32 %pd, %x, 4, %pc;${store.join("")}
  ret;
}`;
}

/** Bytes from one 16-byte step along k to the next, of a matrix with so many rows in shared memory. */
const leading = (rows: number): number => (rows / 8) * 128;

/** A block of four warps computes 64 x 64 of C by wgmma, 64 of k at a time through shared memory without swizzle. */
function wgmmaKernel(): string {
  const registers = TILE_COLUMNS / 2;
  const d = count(registers)
    .map((i) => `%d${i}`)
    .join(", ");
  // 64 rows of 128 bytes are 512 pieces of 16 bytes: four for each thread.
  const copy = (matrix: "a" | "b", base: number): string =>
    count(4)
      .map(
        (i) => `
    ld.global.v4.b32 {%v0, %v1, %v2, %v3}, [%p${matrix}${i}]; st.shared.v4.b32 [%s${i}+${base}], {%v0, %v1, %v2, %v3};
    add.u64 %p${matrix}${i}, %p${matrix}${i}, 128;`,
      )
      .join("");
  const start = count(4).map(
    (i) => `
  add.u32 %x, %t, ${128 * i}; shr.u32 %row, %x, 3; and.b32 %piece, %x, 7;
  shr.u32 %y, %row, 3; shl.b32 %y, %y, 7; and.b32 %z, %row, 7; shl.b32 %z, %z, 4; add.u32 %y, %y, %z;
  mad.lo.u32 %y, %piece, ${leading(64)}, %y; add.u32 %s${i}, %y, %s;
  add.u32 %z, %row, %m0; mul.lo.u32 %z, %z, %k; mad.lo.u32 %z, %piece, 8, %z; mad.wide.u32 %pa${i}, %z, 2, %wa;
  add.u32 %z, %row, %n0; mul.lo.u32 %z, %z, %k; mad.lo.u32 %z, %piece, 8, %z; mad.wide.u32 %pb${i}, %z, 2, %wb;`,
  );
  const multiply = count(4).map(
    (i) => `
  add.u64 %da, %a0, ${(2 * i * leading(64)) / 16}; add.u64 %db, %a0, ${(8192 + 2 * i * leading(64)) / 16};
  wgmma.mma_async.sync.aligned.m64n${TILE_COLUMNS}k16.f32.f16.f16 {${d}}, %da, %db, 1, 1, 1, 0, 0;`,
  );
  const store = count(registers / 4).map(
    (tile) => `
  st.global.v2.f32 [%pc+${32 * tile}], {%d${4 * tile}, %d${4 * tile + 1}};
  st.global.v2.f32 [%pd+${32 * tile}], {%d${4 * tile + 2}, %d${4 * tile + 3}};`,
  );
  return `
.visible .entry wgmma(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n, .param .u32 k) {
  .shared .align 1024 .b8 tiles[16384];
  .reg .b32 %t, %s, %x, %y, %z, %row, %piece, %m0, %n0, %n, %k, %left, %s<4>, %v<4>; .reg .f32 %d<${registers}>;
  .reg .b64 %wa, %wb, %pa<4>, %pb<4>, %a0, %da, %db, %pc, %pd; .reg .pred %p;
  mov.u32 %t, %tid.x; mov.u32 %s, tiles; ld.param.u32 %n, [n]; ld.param.u32 %k, [k];
  mov.u32 %m0, %ctaid.y; shl.b32 %m0, %m0, 6; mov.u32 %n0, %ctaid.x; mul.lo.u32 %n0, %n0, ${TILE_COLUMNS};
  ld.param.u64 %wa, [a]; ld.param.u64 %wb, [b];${start.join("")}
  shr.u32 %x, %s, 4; cvt.u64.u32 %a0, %x; or.b64 %a0, %a0, ${(8n << 32n) | BigInt((leading(64) / 16) << 16)};
  ${count(registers)
    .map((i) => `mov.f32 %d${i}, 0f00000000;`)
    .join(" ")}
  mov.u32 %left, %k;
LOOP:${copy("a", 0)}${copy("b", 8192)}
  fence.proxy.async; bar.sync 0;
  wgmma.fence.sync.aligned;${multiply.join("")}
  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
  bar.sync 0;
  sub.u32 %left, %left, 64; setp.ne.u32 %p, %left, 0; @%p bra LOOP;
  shr.u32 %x, %t, 5; mad.lo.u32 %row, %x, 16, %m0; and.b32 %y, %t, 31; shr.u32 %z, %y, 2; add.u32 %row, %row, %z;
  and.b32 %y, %y, 3; mad.lo.u32 %y, %y, 2, %n0; mad.lo.u32 %x, %row, %n, %y; ld.param.u64 %pc, [c]; mad.wide.u32 %pc, %x, 4, %pc;
  mul.lo.u32 %x, %n, 8; mad.wide.u32 %pd, %x, 4, %pc;${store.join("")}
  ret;
}`;
}

export const gemmText = (): string => `.version 8.8
.target sm_90a
.address_size 64
${mmaKernel()}
${wgmmaKernel()}
`;

/** The same product in C, of floats that the halves are; argument: the size. */
export const gemmProgram = `
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a = malloc(4 * n * n), *b = malloc(4 * n * n), *c = malloc(4 * n * n);
  for (int i = 0; i < n * n; i++) { a[i] = (i * 7 % 13 - 6) / 4.0f; b[i] = (i * 5 % 11 - 5) / 4.0f; }
  double best = 1e9;
  for (int round = 0; round < 3; round++) {
    clock_t start = clock();
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[j * n + k];
        c[i * n + j] = sum;
      }
    double time = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (time < best) best = time;
  }
  double sum = 0;
  for (int i = 0; i < n * n; i++) sum += c[i] * (i % 7);
  printf("%.9f %.17g\\n", best, sum);
}
`;
