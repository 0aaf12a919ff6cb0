// Blocks of a cluster send one another values that announce themselves at an mbarrier: a sum over the cluster, a stencil whose edges
// travel, and counters that others raise.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ unsigned inBlock(const void* p, unsigned rank) {
  unsigned address;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(sharedAddress(p)), "r"(rank));
  return address;
}

__device__ void init(unsigned long long* barrier, unsigned arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(arrivals) : "memory");
}

__device__ void expect(unsigned long long* barrier, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(bytes) : "memory");
}

__device__ void await(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred complete;\n\t"
      "WAIT:\n\t"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 complete, [%0], %1;\n\t"
      "@!complete bra WAIT;\n\t"
      "}" ::"r"(sharedAddress(barrier)),
      "r"(parity)
      : "memory");
}

__device__ void send(unsigned to, float value, unsigned barrier) {
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [%0], %1, [%2];" ::"r"(to), "f"(value), "r"(barrier)
               : "memory");
}

// Every block learns the sum over the cluster's values, 64 to a block: each lane of the first warp sends to one block.
extern "C" __global__ void __cluster_dims__(8, 1, 1) sum(const int* in, int* out) {
  __shared__ alignas(16) int parts[8][4];
  __shared__ alignas(8) unsigned long long barrier;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), t = threadIdx.x;
  if (t == 0) {
    init(&barrier, 1);
    expect(&barrier, sizeof parts);
  }
  cluster.sync();
  int low = in[blockIdx.x * 64 + t], high = in[blockIdx.x * 64 + 32 + t];
  int total = __reduce_add_sync(~0u, low + high), least = __reduce_min_sync(~0u, min(low, high)),
      largest = __reduce_max_sync(~0u, max(low, high));
  if (t < 8)
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(inBlock(parts[rank], t)),
                 "r"(total), "r"(least), "r"(largest), "r"(rank), "r"(inBlock(&barrier, t))
                 : "memory");
  await(&barrier, 0);
  int sums = 0, leastAll = parts[0][1], largestAll = parts[0][2];
  for (int i = 0; i < 8; i++) {
    sums += parts[i][0] * (parts[i][3] + 1);
    leastAll = min(leastAll, parts[i][1]);
    largestAll = max(largestAll, parts[i][2]);
  }
  if (t == 0) out[blockIdx.x * 3] = sums;
  if (t == 1) out[blockIdx.x * 3 + 1] = leastAll;
  if (t == 2) out[blockIdx.x * 3 + 2] = largestAll;
  cluster.sync();
}

// Heat along a rod that is spread over the cluster: each step a block sends its ends to its neighbours.
extern "C" __global__ void rod(float* values, int steps) {
  __shared__ float cells[2][66];  // one before and one behind
  __shared__ alignas(8) unsigned long long barriers[2];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank(), blocks = cluster.num_blocks(), t = threadIdx.x;
  unsigned neighbours = (rank > 0) + (rank + 1 < blocks);
  float* mine = values + blockIdx.x * 64;
  if (t == 0)
    for (auto& barrier : barriers) {
      init(&barrier, 1);
      expect(&barrier, neighbours * 4);
    }
  cells[0][t + 1] = mine[t];
  if (t < 2)
    for (auto& row : cells) row[t * 65] = 0;
  cluster.sync();
  for (int step = 0; step < steps; step++) {
    int now = step & 1, parity = step >> 1 & 1;
    if (t == 0 && rank > 0) send(inBlock(&cells[now][65], rank - 1), cells[now][1], inBlock(&barriers[now], rank - 1));
    if (t == 63 && rank + 1 < blocks) send(inBlock(&cells[now][0], rank + 1), cells[now][64], inBlock(&barriers[now], rank + 1));
    await(&barriers[now], parity);
    if (t == 0) expect(&barriers[now], neighbours * 4);
    cells[now ^ 1][t + 1] = 0.25f * (cells[now][t] + cells[now][t + 2]) + 0.5f * cells[now][t + 1];
    __syncthreads();
  }
  mine[t] = cells[steps & 1][t + 1];
  cluster.sync();
}

// Each block counts the values of its own class, which all blocks report to it.
extern "C" __global__ void __cluster_dims__(4, 1, 1) count(const unsigned char* in, int n, unsigned* out) {
  __shared__ unsigned counter, largest;
  __shared__ alignas(8) unsigned long long barrier;
  cg::cluster_group cluster = cg::this_cluster();
  unsigned rank = cluster.block_rank();
  int perBlock = n / 4;
  if (threadIdx.x == 0) {
    counter = largest = 0;
    init(&barrier, 1);
    int expected = 0;
    for (int i = 0; i < n; i++) expected += in[i] % 4 == rank;
    expect(&barrier, expected * 8);
  }
  cluster.sync();
  for (int i = rank * perBlock + threadIdx.x; i < static_cast<int>(rank + 1) * perBlock; i += blockDim.x) {
    unsigned value = in[i], to = value % 4;
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(
                     inBlock(&counter, to)),
                 "r"(value), "r"(inBlock(&barrier, to))
                 : "memory");
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [%0], %1, [%2];" ::"r"(
                     inBlock(&largest, to)),
                 "r"(value), "r"(inBlock(&barrier, to))
                 : "memory");
  }
  await(&barrier, 0);
  if (threadIdx.x == 0) out[rank * 2] = counter, out[rank * 2 + 1] = largest;
  cluster.sync();
}
