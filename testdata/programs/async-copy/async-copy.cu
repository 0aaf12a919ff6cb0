// Sums each column of a matrix, tile by tile: while one tile is summed, the next is on its way into shared memory.

#include <cuda_pipeline.h>

// `rows` rows of 32 ints; four rows per tile, moved 16 bytes at a time by the block's 32 threads.
extern "C" __global__ void columnSums(const int4* in, int rows, int* sums) {
  __shared__ int4 tiles[2][32];
  int lane = threadIdx.x, count = (rows + 3) / 4, sum = 0;
  auto fetch = [&](int tile) {
    int row = tile * 4 + lane / 8;
    __pipeline_memcpy_async(&tiles[tile & 1][lane], &in[row < rows ? row * 8 + lane % 8 : 0], 16, row < rows ? 0 : 16);
    __pipeline_commit();
  };
  fetch(0);
  for (int tile = 0; tile < count; tile++) {
    if (tile + 1 < count) {
      fetch(tile + 1);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncwarp();
    const int* values = reinterpret_cast<const int*>(tiles[tile & 1]);
    for (int row = 0; row < 4; row++) sum += values[row * 32 + lane];
    __syncwarp();
  }
  sums[lane] = sum;
}

// Reverses 64 doubles, and 64 floats, through shared memory.
extern "C" __global__ void reverse(const double* wide, const float* narrow, double* wideOut, float* narrowOut) {
  __shared__ double wideTile[64];
  __shared__ float narrowTile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&wideTile[t], &wide[t], 8);
  __pipeline_memcpy_async(&narrowTile[t], &narrow[t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  wideOut[t] = wideTile[63 - t];
  narrowOut[t] = narrowTile[63 - t];
}
