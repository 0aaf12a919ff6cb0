// C = A * B of halves on tensor cores: tiles come by asynchronous copies into two padded buffers, and from there by ldmatrix.

#include <cuda_fp16.h>

constexpr int tileM = 64, tileN = 32, tileK = 32, pad = 8;

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy16(void* to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
}

__device__ void loadMatrix(unsigned (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(row)));
}

__device__ void loadTransposed(unsigned (&r)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(sharedAddress(row)));
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(128) gemm(const __half* a, const __half* b, float* c, int n, int k) {
  __shared__ alignas(16) __half as[2][tileM][tileK + pad];
  __shared__ alignas(16) __half bs[2][tileK][tileN + pad];
  int t = threadIdx.x, lane = t % 32, warpM = t / 64 * 32, warpN = t / 32 % 2 * 16;
  int row0 = blockIdx.y * tileM, column0 = blockIdx.x * tileN;
  auto fetch = [&](int stage, int k0) {
    for (int i = t; i < tileM * tileK / 8; i += 128)
      copy16(&as[stage][i / 4][i % 4 * 8], &a[(row0 + i / 4) * k + k0 + i % 4 * 8]);
    for (int i = t; i < tileK * tileN / 8; i += 128)
      copy16(&bs[stage][i / 4][i % 4 * 8], &b[(k0 + i / 4) * n + column0 + i % 4 * 8]);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float sums[2][2][4] = {};
  fetch(0, 0);
  for (int k0 = 0, stage = 0; k0 < k; k0 += tileK, stage ^= 1) {
    if (k0 + tileK < k) {
      fetch(stage ^ 1, k0 + tileK);
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    } else {
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < tileK; kk += 16) {
      unsigned fragmentA[2][4], fragmentB[4];
      for (int i = 0; i < 2; i++) loadMatrix(fragmentA[i], &as[stage][warpM + i * 16 + lane % 16][kk + lane / 16 * 8]);
      loadTransposed(fragmentB, &bs[stage][kk + lane % 16][warpN + lane / 16 * 8]);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) multiply(sums[i][j], fragmentA[i], fragmentB[2 * j], fragmentB[2 * j + 1]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int h = 0; h < 2; h++) {
        int row = row0 + warpM + i * 16 + h * 8 + lane / 4, column = column0 + warpN + j * 8 + lane % 4 * 2;
        *reinterpret_cast<float2*>(&c[row * n + column]) = {sums[i][j][2 * h], sums[i][j][2 * h + 1]};
      }
}
