// A product of floats of 8 bits, e4m3 times e5m2, with a scale for every 64 columns of A: the tensor cores' sums of a block are short,
// and multiply-adds in registers collect them.

#include <cuda.h>

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ unsigned long long descriptor(const void* tile) {
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | 1024ull / 16 << 32 | 1ull << 62;
}

__device__ void multiply(float (&d)[8], unsigned long long a, unsigned long long b, int accumulate) {
  asm volatile(
      "{\n\t"
      ".reg .pred p;\n\t"
      "setp.ne.b32 p, %10, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p, 1, 1;\n\t"
      "}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
      : "l"(a), "l"(b), "r"(accumulate));
}

__device__ void load(void* tile, const CUtensorMap* map, int x, int y, unsigned long long* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          sharedAddress(tile)),
      "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
      : "memory");
}

extern "C" __global__ void __launch_bounds__(128)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const float* scales, float* c, int n, int k) {
  __shared__ alignas(1024) unsigned char as[2][64 * 128];
  __shared__ alignas(1024) unsigned char bs[2][16 * 128];
  __shared__ alignas(8) unsigned long long barriers[2];
  int t = threadIdx.x, column0 = blockIdx.x * 16;
  if (t == 0) {
    for (auto& barrier : barriers) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    for (int i = 0; i < 2; i++) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barriers[i])), "r"(80 * 128) : "memory");
      load(as[i], &a, i * 128, 0, &barriers[i]);
      load(bs[i], &b, i * 128, column0, &barriers[i]);
    }
  }
  __syncthreads();
  float sums[8] = {};
  for (int i = 0; i < 2; i++) {
    unsigned done;
    do asm volatile(
        "{\n\t"
        ".reg .pred complete;\n\t"
        "mbarrier.test_wait.parity.shared::cta.b64 complete, [%1], 0;\n\t"
        "selp.u32 %0, 1, 0, complete;\n\t"
        "}"
        : "=r"(done)
        : "r"(sharedAddress(&barriers[i]))
        : "memory");
    while (!done);
    for (int half = 0; half < 2; half++) {
      float part[8];
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int step = 0; step < 2; step++)
        multiply(part, descriptor(as[i]) + (half * 2 + step) * 2, descriptor(bs[i]) + (half * 2 + step) * 2, step);
      asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"
                   : "+f"(part[0]), "+f"(part[1]), "+f"(part[2]), "+f"(part[3]), "+f"(part[4]), "+f"(part[5]), "+f"(part[6]),
                     "+f"(part[7])::"memory");
      float scale = scales[i * 2 + half];
      for (int j = 0; j < 8; j++) sums[j] = fmaf(part[j], scale, sums[j]);
    }
  }
  int row = t / 32 * 16 + t % 32 / 4, column = column0 + t % 4 * 2;
  for (int i = 0; i < 8; i++) c[(row + i / 2 % 2 * 8) * n + column + i / 4 * 8 + i % 2] = sums[i];
}
