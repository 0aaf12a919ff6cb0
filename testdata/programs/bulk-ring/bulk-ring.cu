// One warp brings pieces into a ring of buffers, others sum them up: barriers say which are full and which are empty. The
// blocks of a cluster then add their sums in the first one's shared memory, which adds them to global memory by a bulk reduction.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int stages = 4, piece = 128, consumers = 3;

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void await(unsigned long long* barrier, unsigned parity) {
  unsigned done;
  do asm volatile(
      "{\n\t"
      ".reg .pred complete;\n\t"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, complete;\n\t"
      "}"
      : "=r"(done)
      : "r"(sharedAddress(barrier)), "r"(parity)
      : "memory");
  while (!done);
}

extern "C" __global__ void sumPieces(const int* in, int pieces, int* out) {
  __shared__ alignas(128) int ring[stages][piece];
  __shared__ alignas(16) int sums[32];
  __shared__ alignas(8) unsigned long long full[stages], empty[stages];
  cg::cluster_group cluster = cg::this_cluster();
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 32) sums[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; i++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(&empty[i])), "r"(consumers) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  if (warp == consumers) {
    for (int i = blockIdx.x, n = 0; i < pieces; i += gridDim.x, n++) {
      int stage = n % stages;
      if (n >= stages) await(&empty[stage], (n / stages - 1) & 1);
      if (lane != 0) continue;
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&full[stage])), "r"(piece * 4) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(ring[stage])),
                   "l"(__cvta_generic_to_global(in + i * piece)), "r"(piece * 4), "r"(sharedAddress(&full[stage]))
                   : "memory");
    }
  } else {
    int sum = 0;
    for (int i = blockIdx.x, n = 0; i < pieces; i += gridDim.x, n++) {
      int stage = n % stages;
      await(&full[stage], n / stages & 1);
      for (int k = warp * 32 + lane; k < piece; k += consumers * 32) sum += ring[stage][k];
      __syncwarp();
      if (lane == 0) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(&empty[stage])) : "memory");
    }
    atomicAdd(cluster.map_shared_rank(&sums[lane], 0), sum);
  }
  cluster.sync();
  if (cluster.block_rank() != 0 || threadIdx.x != 0) return;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], 128;" ::"l"(__cvta_generic_to_global(out)),
               "r"(sharedAddress(sums))
               : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
