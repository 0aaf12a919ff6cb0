// Rows of floats quantised to bytes by their largest magnitude, multiplied as bytes, and scaled back.

// One warp a row of k values.
extern "C" __global__ void quantize(const float* in, char* out, float* scales, int k) {
  int row = blockIdx.x, lane = threadIdx.x;
  float largest = 0;
  for (int i = lane; i < k; i += 32) largest = fmaxf(largest, fabsf(in[row * k + i]));
  for (int d = 16; d > 0; d /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, d));
  float scale = largest / 127;
  for (int i = lane; i < k; i += 32) out[row * k + i] = static_cast<char>(__float2int_rn(in[row * k + i] / scale));
  if (lane == 0) scales[row] = scale;
}

// Rows of a times rows of b.
extern "C" __global__ void gemm(const int* a, const int* b, const float* scaleA, const float* scaleB, float* c, int n, int k) {
  int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  int row0 = blockIdx.y * 16, column0 = (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * 8, words = k / 4;
  int sums[4] = {};
  for (int k0 = 0; k0 < words; k0 += 8) {
    const int *a0 = a + (row0 + g) * words + k0 + t, *a1 = a0 + 8 * words, *b0 = b + (column0 + g) * words + k0 + t;
    asm volatile(
        "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a0[0]), "r"(a1[0]), "r"(a0[4]), "r"(a1[4]), "r"(b0[0]), "r"(b0[4]));
  }
  for (int i = 0; i < 4; i++) {
    int row = row0 + g + i / 2 * 8, column = column0 + t * 2 + i % 2;
    c[row * n + column] = static_cast<float>(sums[i]) * (scaleA[row] * scaleB[column]);
  }
}
