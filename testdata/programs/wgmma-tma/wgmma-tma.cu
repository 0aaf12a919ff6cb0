// C = A * B' by a warpgroup: tensor copies bring tiles into shared memory with each of the swizzles, wgmma reads them there.

#include <cuda.h>

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void await(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred complete;\n\t"
      "WAIT:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n\t"
      "@!complete bra WAIT;\n\t"
      "}" ::"r"(sharedAddress(barrier)),
      "r"(parity)
      : "memory");
}

__device__ void load(void* tile, const CUtensorMap* map, int x, int y, unsigned long long* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          sharedAddress(tile)),
      "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
      : "memory");
}

// A tile whose rows are as long as the swizzle: eight rows are a core group, groups follow one another.
template <int swizzleBytes>
__device__ unsigned long long descriptor(const void* tile) {
  constexpr unsigned long long mode = swizzleBytes == 128 ? 1 : swizzleBytes == 64 ? 2 : 3;
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | static_cast<unsigned long long>(swizzleBytes * 8 / 16) << 32 | mode << 62;
}

__device__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
        "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b));
}

template <int swizzleBytes>
__global__ void __launch_bounds__(128) gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float* c, int n, int k) {
  constexpr int tileK = swizzleBytes / 2;
  __shared__ alignas(1024) unsigned short as[64 * tileK];
  __shared__ alignas(1024) unsigned short bs[32 * tileK];
  __shared__ alignas(8) unsigned long long barrier;
  int t = threadIdx.x, row0 = blockIdx.y * 64, column0 = blockIdx.x * 32;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async;" ::"r"(sharedAddress(&barrier)) : "memory");
  __syncthreads();
  float sums[16] = {};
  for (int k0 = 0, parity = 0; k0 < k; k0 += tileK, parity ^= 1) {
    if (t == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barrier)),
                   "r"(static_cast<unsigned>(sizeof as + sizeof bs))
                   : "memory");
      load(as, &a, k0, row0, &barrier);
      load(bs, &b, k0, column0, &barrier);
    }
    await(&barrier, parity);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int kk = 0; kk < tileK; kk += 16)
      multiply(sums, descriptor<swizzleBytes>(as) + kk * 2 / 16, descriptor<swizzleBytes>(bs) + kk * 2 / 16);
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  int row = row0 + t / 32 * 16 + t % 32 / 4, column = column0 + t % 4 * 2;
  for (int i = 0; i < 16; i++) c[(row + i / 2 % 2 * 8) * n + column + i / 4 * 8 + i % 2] = sums[i];
}

template __global__ void gemm<32>(const __grid_constant__ CUtensorMap, const __grid_constant__ CUtensorMap, float*, int, int);
template __global__ void gemm<64>(const __grid_constant__ CUtensorMap, const __grid_constant__ CUtensorMap, float*, int, int);
template __global__ void gemm<128>(const __grid_constant__ CUtensorMap, const __grid_constant__ CUtensorMap, float*, int, int);
