// Floats converted to 8 bits, e4m3 and e5m2, multiplied on tensor cores, and the product converted back to e4m3.

#include <cuda_fp8.h>

extern "C" __global__ void toE4m3(const float2* in, __nv_fp8x2_e4m3* out, float scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __nv_fp8x2_e4m3(make_float2(in[i].x * scale, in[i].y * scale));
}

extern "C" __global__ void toE5m2(const float2* in, __nv_fp8x2_e5m2* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __nv_fp8x2_e5m2(in[i]);
}

// Rows of a times rows of b, a warp 16 times 8.
extern "C" __global__ void gemm(const unsigned* a, const unsigned* b, float* c, __nv_fp8x2_e4m3* small, int n, int k) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 16 + g, column = blockIdx.x * 8, words = k / 4;
  float d[4] = {};
  for (int k0 = 0; k0 < words; k0 += 8) {
    const unsigned *a0 = a + row * words + k0 + t, *a1 = a0 + 8 * words, *b0 = b + (column + g) * words + k0 + t;
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0[0]), "r"(a1[0]), "r"(a0[4]), "r"(a1[4]), "r"(b0[0]), "r"(b0[4]));
  }
  for (int h = 0; h < 2; h++) {
    int at = ((row + h * 8) * n + column + t * 2) / 2;
    reinterpret_cast<float2*>(c)[at] = {d[2 * h], d[2 * h + 1]};
    small[at] = __nv_fp8x2_e4m3(make_float2(d[2 * h] * 0.125f, d[2 * h + 1] * 0.125f));
  }
}
