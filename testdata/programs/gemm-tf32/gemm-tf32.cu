// D = alpha * A * B + beta * C of floats that tensor cores take with 10 bits of fraction, each warp a tile of 16 times 16.

__device__ unsigned rounded(float x) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(x));
  return r;
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void gemm(const float* __restrict__ a, const float* __restrict__ b, const float* __restrict__ c,
                                float* __restrict__ d, int n, int k, float alpha, float beta) {
  int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * 16, column0 = blockIdx.x * 16;
  float sums[2][4] = {};
  for (int k0 = 0; k0 < k; k0 += 8) {
    const float *a0 = a + (row0 + g) * k + k0 + t, *a1 = a0 + 8 * k;
    unsigned fa[4] = {rounded(a0[0]), rounded(a1[0]), rounded(a0[4]), rounded(a1[4])};
    for (int j = 0; j < 2; j++) {
      const float* b0 = b + (k0 + t) * n + column0 + j * 8 + g;
      multiply(sums[j], fa, rounded(b0[0]), rounded(b0[4 * n]));
    }
  }
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 4; i++) {
      int at = (row0 + g + i / 2 * 8) * n + column0 + j * 8 + t * 2 + i % 2;
      d[at] = alpha * sums[j][i] + beta * c[at];
    }
}
