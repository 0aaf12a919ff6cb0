// D = relu(A * B' + bias) in bfloat16: three stages of asynchronous copies into shared memory whose 16-byte chunks are exchanged by
// an exclusive or, so that ldmatrix meets no bank twice.

#include <cuda_bf16.h>

constexpr int tile = 32, tileK = 32, stages = 3;

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// The element at which chunk `chunk` of a row of four chunks lies.
__device__ int swizzled(int row, int chunk) { return row * tileK + (chunk ^ (row >> 1 & 3)) * 8; }

__device__ void loadMatrix(unsigned (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(row)));
}

extern "C" __global__ void __launch_bounds__(64) gemmBiasRelu(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* bias,
                                                              __nv_bfloat162* d, int n, int k) {
  extern __shared__ uint4 dynamic[];
  auto* as = reinterpret_cast<__nv_bfloat16*>(dynamic);
  __nv_bfloat16* bs = as + stages * tile * tileK;
  int t = threadIdx.x, lane = t % 32, warpM = t / 32 * 16;
  int row0 = blockIdx.y * tile, column0 = blockIdx.x * tile, steps = k / tileK;
  auto fetch = [&](int step) {
    int base = step % stages * tile * tileK;
    if (step < steps)
      for (int i = t; i < tile * tileK / 8; i += 64) {
        int row = i / 4, chunk = i % 4, from = step * tileK + chunk * 8;
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(sharedAddress(as + base + swizzled(row, chunk))),
                     "l"(a + (row0 + row) * k + from)
                     : "memory");
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(sharedAddress(bs + base + swizzled(row, chunk))),
                     "l"(b + (column0 + row) * k + from)
                     : "memory");
      }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float sums[4][4] = {};
  for (int step = 0; step < stages - 1; step++) fetch(step);
  for (int step = 0; step < steps; step++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
    __syncthreads();
    fetch(step + stages - 1);
    const __nv_bfloat16 *aTile = as + step % stages * tile * tileK, *bTile = bs + step % stages * tile * tileK;
#pragma unroll
    for (int kk = 0; kk < tileK / 8; kk += 2) {
      unsigned fa[4], fb[2][4];
      loadMatrix(fa, aTile + swizzled(warpM + lane % 16, kk + lane / 16));
      for (int j = 0; j < 2; j++) loadMatrix(fb[j], bTile + swizzled(j * 16 + lane / 16 * 8 + lane % 8, kk + lane / 8 % 2));
      for (int j = 0; j < 4; j++)
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sums[j][0]), "+f"(sums[j][1]), "+f"(sums[j][2]), "+f"(sums[j][3])
            : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[j / 2][j % 2 * 2]), "r"(fb[j / 2][j % 2 * 2 + 1]));
    }
  }
  for (int j = 0; j < 4; j++)
    for (int h = 0; h < 2; h++) {
      int row = row0 + warpM + h * 8 + lane / 4, column = column0 + j * 8 + lane % 4 * 2;
      float x = fmaxf(sums[j][2 * h] + bias[column], 0.0f), y = fmaxf(sums[j][2 * h + 1] + bias[column + 1], 0.0f);
      d[(row * n + column) / 2] = __floats2bfloat162_rn(x, y);
    }
}
