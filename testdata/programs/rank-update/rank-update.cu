// The lower triangle of C - A * A' in double precision on tensor cores, by tiles of 8 and by tiles of 16.

__device__ void multiply(double (&d)[2], double a, double b) {
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};" : "+d"(d[0]), "+d"(d[1]) : "d"(a), "d"(b));
}

// A warp for every tile of 8 times 8 on or below the diagonal; the grid has the tiles of the square.
extern "C" __global__ void small(const double* a, double* c, int n, int k) {
  if (blockIdx.x > blockIdx.y) return;
  int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 8 + g, column = blockIdx.x * 8 + t * 2;
  double* to = c + row * n + column;
  double sums[2] = {to[0], to[1]};
  for (int k0 = 0; k0 < k; k0 += 4) multiply(sums, -a[row * k + k0 + t], a[(blockIdx.x * 8 + g) * k + k0 + t]);
  for (int i = 0; i < 2; i++)
    if (column + i <= row) to[i] = sums[i];
}

// The same with 16 rows a warp and eight products at a time.
extern "C" __global__ void large(const double* a, double* c, int n, int k) {
  if (blockIdx.x > blockIdx.y * 2 + 1) return;
  int lane = threadIdx.x, g = lane / 4, t = lane % 4, row = blockIdx.y * 16 + g, column = blockIdx.x * 8 + t * 2;
  double *upper = c + row * n + column, *lower = upper + 8 * n;
  double d0 = upper[0], d1 = upper[1], d2 = lower[0], d3 = lower[1];
  for (int k0 = 0; k0 < k; k0 += 8) {
    const double *a0 = a + row * k + k0 + t, *a1 = a0 + 8 * k, *b0 = a + (blockIdx.x * 8 + g) * k + k0 + t;
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+d"(d0), "+d"(d1), "+d"(d2), "+d"(d3)
                 : "d"(-a0[0]), "d"(-a1[0]), "d"(-a0[4]), "d"(-a1[4]), "d"(b0[0]), "d"(b0[4]));
  }
  if (column <= row) upper[0] = d0;
  if (column + 1 <= row) upper[1] = d1;
  if (column <= row + 8) lower[0] = d2;
  if (column + 1 <= row + 8) lower[1] = d3;
}
