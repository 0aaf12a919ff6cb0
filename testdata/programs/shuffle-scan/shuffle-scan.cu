// Scans by the cooperative groups library: nvcc's own templates over shuffles, votes and lane masks.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void scans(const int* in, int* inclusive, long long* exclusive, int* maxima) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int i = blockIdx.x * blockDim.x + block.thread_rank();
  inclusive[i] = cg::inclusive_scan(warp, in[i]);
  exclusive[i] = cg::exclusive_scan(tile, static_cast<long long>(in[i]) << 24, cg::plus<long long>());
  maxima[i] = cg::reduce(tile, in[i], cg::greater<int>()) + static_cast<int>(tile.meta_group_rank());
}

// Block-wide inclusive scan of 128 values: warps by shuffle, their totals by the first warp.
extern "C" __global__ void blockScan(const int* in, int* out) {
  __shared__ int totals[4];
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  int value = in[block.thread_rank()];
  for (int delta = 1; delta < 32; delta *= 2) {
    int below = warp.shfl_up(value, delta);
    if (static_cast<int>(warp.thread_rank()) >= delta) value += below;
  }
  if (warp.thread_rank() == 31) totals[warp.meta_group_rank()] = value;
  block.sync();
  for (unsigned w = 0; w < warp.meta_group_rank(); w++) value += totals[w];
  out[block.thread_rank()] = value;
}

// The lanes whose value is even agree on their number and on the sum of their values.
extern "C" __global__ void evens(const int* in, int* out) {
  int v = in[threadIdx.x];
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto alike = cg::labeled_partition(warp, v & 1);
  int sum = cg::reduce(alike, v, cg::plus<int>());
  out[threadIdx.x] = sum * 64 + static_cast<int>(alike.size()) + static_cast<int>(alike.thread_rank()) * 1000000;
}
