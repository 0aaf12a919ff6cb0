// Pruned to the two largest of every four columns, compressed, and multiplied by sparse tensor cores.

#include <cuda_fp16.h>

// A thread four columns of a row: the two elements that stay, and where they were, two bits each, the lower first.
extern "C" __global__ void prune(const __half* in, __half* kept, unsigned char* places, int k) {
  int group = threadIdx.x, row = blockIdx.x;
  const __half* from = in + row * k + group * 4;
  int first = 0;
  for (int i = 1; i < 4; i++)
    if (__hgt(__habs(from[i]), __habs(from[first]))) first = i;
  int second = first == 0 ? 1 : 0;
  for (int i = second + 1; i < 4; i++)
    if (i != first && __hgt(__habs(from[i]), __habs(from[second]))) second = i;
  int low = min(first, second), high = max(first, second);
  kept[row * k / 2 + group * 2] = from[low];
  kept[row * k / 2 + group * 2 + 1] = from[high];
  unsigned mine = low | high << 2, next = __shfl_down_sync(~0u, mine, 1, 2);
  if (group % 2 == 0) places[row * k / 8 + group / 2] = static_cast<unsigned char>(mine | next << 4);
}

// A warp 16 rows and 8 columns. B lies column after column.
extern "C" __global__ void gemm(const __half* kept, const unsigned short* places, const __half* b, float* c, int n, int k) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 16 + g, column = blockIdx.x * 8;
  float d[4] = {};
  for (int k0 = 0; k0 < k; k0 += 32) {
    auto a = [&](int r, int i) { return *reinterpret_cast<const unsigned*>(kept + (row + r) * k / 2 + k0 / 2 + t * 2 + i); };
    auto bAt = [&](int i) { return *reinterpret_cast<const unsigned*>(b + (column + g) * k + k0 + t * 2 + i); };
    // Lanes 0 and 1 of four have the places of 16 columns each: of row g, and of row g + 8 above them.
    const unsigned short* mine = places + row * (k / 16) + k0 / 16 + t % 2;
    unsigned e = mine[0] | static_cast<unsigned>(mine[8 * (k / 16)]) << 16;
    asm volatile(
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, 0x0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a(0, 0)), "r"(a(8, 0)), "r"(a(0, 8)), "r"(a(8, 8)), "r"(bAt(0)), "r"(bAt(8)), "r"(bAt(16)), "r"(bAt(24)), "r"(e));
  }
  for (int i = 0; i < 4; i++) c[(row + i / 2 * 8) * n + column + t * 2 + i % 2] = d[i];
}
