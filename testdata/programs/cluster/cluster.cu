// Blocks of one cluster work in each other's shared memory.

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// A histogram of 128 bins spread over the cluster's blocks; the cluster's size comes with the launch.
extern "C" __global__ void histogram(const unsigned char* in, int n, unsigned* bins) {
  __shared__ unsigned mine[64];
  cg::cluster_group cluster = cg::this_cluster();
  unsigned blocks = cluster.num_blocks(), perBlock = 128 / blocks, rank = cluster.block_rank();
  for (unsigned i = threadIdx.x; i < 64; i += blockDim.x) mine[i] = 0;
  cluster.sync();
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < static_cast<unsigned>(n); i += gridDim.x * blockDim.x) {
    unsigned bin = in[i] % 128;
    atomicAdd(cluster.map_shared_rank(&mine[bin % perBlock], bin / perBlock), 1u);
  }
  cluster.sync();
  for (unsigned i = threadIdx.x; i < perBlock; i += blockDim.x) atomicAdd(&bins[rank * perBlock + i], mine[i]);
}

// Pairs of blocks, as the kernel itself demands, swap their values.
extern "C" __global__ void __cluster_dims__(2, 1, 1) swapBlocks(int* values) {
  __shared__ int mine[32];
  cg::cluster_group cluster = cg::this_cluster();
  int i = blockIdx.x * 32 + threadIdx.x;
  mine[threadIdx.x] = values[i];
  cluster.sync();
  const int* other = cluster.map_shared_rank(mine, cluster.block_rank() ^ 1);
  values[i] = other[31 - threadIdx.x] + static_cast<int>(cluster.block_rank()) * 1000;
  cluster.sync();
}
