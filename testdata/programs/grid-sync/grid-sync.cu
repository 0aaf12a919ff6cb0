// Phases of one kernel with the whole grid waiting between them: cooperative groups' grid.sync(), a heat equation in place of
// a launch for each step, and a sum whose last phase needs what every block left.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void heat(float* a, float* b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; step++) {
    for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.num_threads())) {
      float left = i == 0 ? 0.0f : a[i - 1], right = i == n - 1 ? 0.0f : a[i + 1];
      b[i] = 0.5f * a[i] + 0.25f * (left + right);
    }
    float* swap = a;
    a = b;
    b = swap;
    grid.sync();
  }
}

// Each block's sum by tiles of a warp; then the first block adds up what all have left, while the others wait for it.
extern "C" __global__ void sum(const unsigned* in, unsigned* partial, unsigned* out, int n) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  __shared__ unsigned of_warp[32];
  unsigned mine = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.num_threads()) mine += in[i];
  unsigned whole = cg::reduce(tile, mine, cg::plus<unsigned>());
  if (tile.thread_rank() == 0) of_warp[tile.meta_group_rank()] = whole;
  block.sync();
  if (block.thread_rank() == 0) {
    unsigned all = 0;
    for (unsigned w = 0; w < tile.meta_group_size(); w++) all += of_warp[w];
    partial[grid.block_rank()] = all;
  }
  grid.sync();
  if (grid.thread_rank() == 0) {
    unsigned all = 0;
    for (unsigned b = 0; b < grid.num_blocks(); b++) all += partial[b];
    out[0] = all;
  }
  grid.sync();
  partial[grid.block_rank()] = out[0] + static_cast<unsigned>(grid.block_rank());
}
