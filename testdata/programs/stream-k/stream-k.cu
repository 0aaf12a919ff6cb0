// A product whose work is cut into equal runs of steps, whatever tile they belong to: a block that has a tile's last step adds up what
// other blocks left in the workspace, if it is the last of them to come.

#include <cuda_fp16.h>

constexpr int tile = 16, tileK = 16;

// A warp makes steps [first, last) of the tile and leaves 16 times 8 times 2 sums in registers.
__device__ void steps(const __half* a, const __half* b, int n, int k, int row0, int column0, int first, int last, float (&d)[2][4]) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  for (int step = first; step < last; step++)
    for (int half = 0; half < 2; half++) {
      int k0 = step * tileK + half * 8;
      unsigned a0 = *reinterpret_cast<const unsigned*>(a + (row0 + g) * k + k0 + t * 2);
      unsigned a1 = *reinterpret_cast<const unsigned*>(a + (row0 + g + 8) * k + k0 + t * 2);
      for (int j = 0; j < 2; j++) {
        const __half* from = b + (k0 + t * 2) * n + column0 + j * 8 + g;
        __half2 pair = __halves2half2(from[0], from[n]);
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
                     : "r"(a0), "r"(a1), "r"(*reinterpret_cast<unsigned*>(&pair)));
      }
    }
}

extern "C" __global__ void gemm(const __half* a, const __half* b, float* c, float* workspace, unsigned* arrived, int m, int n, int k) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  int perTile = k / tileK, tilesN = n / tile, all = m / tile * tilesN * perTile;
  int share = (all + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * share, end = min(begin + share, all);
  while (begin < end) {
    int at = begin / perTile, first = begin % perTile, last = min(perTile, first + end - begin);
    int row0 = at / tilesN * tile, column0 = at % tilesN * tile;
    float d[2][4] = {};
    steps(a, b, n, k, row0, column0, first, last, d);
    begin += last - first;
    bool mine = true;
    if (last - first < perTile) {
      float* sums = workspace + at * tile * tile;
      for (int j = 0; j < 2; j++)
        for (int h = 0; h < 2; h++) {
          float* to = sums + (g + h * 8) * tile + j * 8 + t * 2;
          asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)), "f"(d[j][2 * h]), "f"(d[j][2 * h + 1])
                       : "memory");
        }
      __threadfence();
      __syncwarp();
      unsigned before = 0, work = last - first;
      if (lane == 0) before = atomicAdd(&arrived[at], work);
      mine = __shfl_sync(~0u, before, 0) + work == static_cast<unsigned>(perTile);
      if (!mine) continue;
      __threadfence();
      for (int j = 0; j < 2; j++)
        for (int i = 0; i < 4; i++) d[j][i] = __ldcg(sums + (g + i / 2 * 8) * tile + j * 8 + t * 2 + i % 2);
    }
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 4; i++) c[(row0 + g + i / 2 * 8) * n + column0 + j * 8 + t * 2 + i % 2] = d[j][i];
  }
}
