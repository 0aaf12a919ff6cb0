// Tiles of a matrix come in and go out by tensor copies: transposed through swizzled shared memory, added to another matrix, and
// spread over a cluster.

#include <cuda.h>

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void init(unsigned long long* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ void expect(unsigned long long* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes) : "memory");
}

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

// Words of a row of 128 bytes, at the place that the swizzle gives them.
__device__ int swizzled(int row, int column) { return row * 32 + (column ^ ((row & 7) << 2)); }

extern "C" __global__ void transpose(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out,
                                     const __grid_constant__ CUtensorMap sum) {
  __shared__ alignas(1024) unsigned from[32 * 32];
  __shared__ alignas(1024) unsigned to[32 * 32];
  __shared__ alignas(8) unsigned long long barrier;
  int t = threadIdx.x, x = blockIdx.x * 32, y = blockIdx.y * 32;
  if (t == 0) {
    init(&barrier, 1);
    expect(&barrier, sizeof from);
    load(from, &in, x, y, &barrier);
  }
  __syncthreads();
  await(&barrier, 0);
  for (int row = t / 32; row < 32; row += blockDim.x / 32) to[swizzled(t % 32, row)] = from[swizzled(row, t % 32)];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t != 0) return;
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&out), "r"(y), "r"(x),
               "r"(sharedAddress(to))
               : "memory");
  asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&sum), "r"(0), "r"(0),
               "r"(sharedAddress(to))
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

// The first block of a cluster brings a tile to all of them; each multiplies it by its own number.
extern "C" __global__ void __cluster_dims__(4, 1, 1) spread(const __grid_constant__ CUtensorMap in, unsigned* out) {
  __shared__ alignas(128) unsigned tile[8 * 32];
  __shared__ alignas(8) unsigned long long barrier;
  unsigned rank, t = threadIdx.x;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (t == 0) {
    init(&barrier, 1);
    expect(&barrier, sizeof tile);
  }
  asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory");
  if (rank == 0 && t == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], "
        "%5;" ::"r"(sharedAddress(tile)),
        "l"(&in), "r"(static_cast<int>(blockIdx.x / 4) * 32 - 4), "r"(6), "r"(sharedAddress(&barrier)), "h"(static_cast<short>(15))
        : "memory");
  await(&barrier, 0);
  for (unsigned i = t; i < 8 * 32; i += blockDim.x) out[blockIdx.x * 256 + i] = tile[i] * (rank + 1);
}
