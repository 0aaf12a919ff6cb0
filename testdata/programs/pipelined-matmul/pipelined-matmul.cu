// C = A * B with tiles that are copied asynchronously while those before them are multiplied, two buffers deep.

#include <cuda_pipeline.h>

constexpr int tile = 32;

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ alignas(16) float as[2][tile][tile];
  __shared__ alignas(16) float bs[2][tile][tile];
  int t = threadIdx.x, row0 = blockIdx.y * tile, column0 = blockIdx.x * tile;
  auto fetch = [&](int stage, int k0) {
    for (int i = t; i < tile * tile / 4; i += blockDim.x) {
      int row = i / (tile / 4), column = i % (tile / 4) * 4;
      __pipeline_memcpy_async(&as[stage][row][column], &a[(row0 + row) * n + k0 + column], 16);
      __pipeline_memcpy_async(&bs[stage][row][column], &b[(k0 + row) * n + column0 + column], 16);
    }
    __pipeline_commit();
  };
  float sums[tile * tile / 128] = {};
  fetch(0, 0);
  for (int k0 = 0; k0 < n; k0 += tile) {
    int stage = k0 / tile & 1;
    if (k0 + tile < n) {
      fetch(stage ^ 1, k0 + tile);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int k = 0; k < tile; k++)
      for (int i = 0; i < tile * tile / 128; i++)
        sums[i] = fmaf(as[stage][t / tile + i * 4][k], bs[stage][k][t % tile], sums[i]);
    __syncthreads();
  }
  for (int i = 0; i < tile * tile / 128; i++) c[(row0 + t / tile + i * 4) * n + column0 + t % tile] = sums[i];
}
