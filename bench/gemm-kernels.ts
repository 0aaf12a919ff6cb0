// Kernels of bench/gemm.ts: C = A B of f16 matrices with f32 sums, A row by row and B column by column. Parameters are A, B
// (addresses, or tensor maps of boxes of 64 x 64 with a swizzle of 128 bytes), C, the width N of C, and K.

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

/** Bytes of a tile of A or B in shared memory: 64 rows of 64 halves, each row as long as the swizzle's pattern. */
const TILE_BYTES = 64 * 128;
/** Constant part of a matrix descriptor: the distance of groups, eight rows of 128 bytes, and the 128-byte swizzle. */
const DESCRIPTOR = (1n << 62n) | (BigInt((8 * 128) / 16) << 32n) | (1n << 16n);

/**
 * A block of four warps computes 64 x 64 of C by wgmma. Tensor copies load 64 of k at a time to shared memory, with a swizzle of
 * 128 bytes. A and B are tensor maps.
 */
function wgmmaKernel(): string {
  const registers = TILE_COLUMNS / 2;
  const d = count(registers)
    .map((i) => `%d${i}`)
    .join(", ");
  const copy = (map: string, at: string, row: string): string => `
  @%first cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [${at}], [${map}, {%at, ${row}}], [full];`;
  // 16 of k are 32 bytes of a row.
  const multiply = count(4).map(
    (i) => `
  add.u64 %da, %a0, ${2 * i}; add.u64 %db, %a0, ${TILE_BYTES / 16 + 2 * i};
  wgmma.mma_async.sync.aligned.m64n${TILE_COLUMNS}k16.f32.f16.f16 {${d}}, %da, %db, 1, 1, 1, 0, 0;`,
  );
  const store = count(registers / 4).map(
    (tile) => `
  st.global.v2.f32 [%pc+${32 * tile}], {%d${4 * tile}, %d${4 * tile + 1}};
  st.global.v2.f32 [%pd+${32 * tile}], {%d${4 * tile + 2}, %d${4 * tile + 3}};`,
  );
  return `
.visible .entry wgmma(.param .align 64 .b8 a[128], .param .align 64 .b8 b[128], .param .u64 c, .param .u32 n, .param .u32 k) {
  .shared .align 1024 .b8 tiles[${2 * TILE_BYTES}]; .shared .align 8 .b64 full;
  .reg .b32 %t, %s, %sb, %x, %y, %z, %row, %m0, %n0, %n, %k, %at, %phase; .reg .f32 %d<${registers}>;
  .reg .b64 %ma, %mb, %a0, %da, %db, %pc, %pd; .reg .pred %p, %first;
  mov.u32 %t, %tid.x; setp.eq.u32 %first, %t, 0; mov.u32 %s, tiles; add.u32 %sb, %s, ${TILE_BYTES};
  ld.param.u32 %n, [n]; ld.param.u32 %k, [k];
  mov.b64 %ma, a; cvta.param.u64 %ma, %ma; mov.b64 %mb, b; cvta.param.u64 %mb, %mb;
  mov.u32 %m0, %ctaid.y; shl.b32 %m0, %m0, 6; mov.u32 %n0, %ctaid.x; mul.lo.u32 %n0, %n0, ${TILE_COLUMNS};
  shr.u32 %x, %s, 4; cvt.u64.u32 %a0, %x; or.b64 %a0, %a0, ${DESCRIPTOR};
  ${count(registers)
    .map((i) => `mov.f32 %d${i}, 0f00000000;`)
    .join(" ")}
  @%first mbarrier.init.shared.b64 [full], 1;
  fence.mbarrier_init.release.cluster; bar.sync 0;
  mov.u32 %at, 0; mov.u32 %phase, 0;
LOOP:
  @%first mbarrier.arrive.expect_tx.shared.b64 _, [full], ${2 * TILE_BYTES};${copy("%ma", "%s", "%m0")}${copy("%mb", "%sb", "%n0")}
WAIT:
  mbarrier.try_wait.parity.shared.b64 %p, [full], %phase; @!%p bra WAIT;
  wgmma.fence.sync.aligned;${multiply.join("")}
  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
  xor.b32 %phase, %phase, 1;
  bar.sync 0;
  add.u32 %at, %at, 64; setp.lt.u32 %p, %at, %k; @%p bra LOOP;
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

/** The same product in C, for floats with the values of the halves; argument: the size. */
export const gemmProgram = `
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  float *a = malloc(4 * n * n), *b = malloc(4 * n * n), *c = malloc(4 * n * n);
  for (int i = 0; i < n * n; i++) { a[i] = (i * 7 % 13 - 6) / 4.0f; b[i] = (i * 5 % 11 - 5) / 4.0f; }
  double best = 1e9;
  for (int round = 0; round < 6; round++) {
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
