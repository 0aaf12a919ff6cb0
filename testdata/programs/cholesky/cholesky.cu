// Double precision. `cholesky` factors a symmetric 16 x 16 matrix in place, one block, one thread per row; `simpson`
// integrates exp(-x^2) * (1 + sin x) + x^2.5 over [0, 2] with one warp.

extern "C" __global__ void cholesky(double* matrix) {
  __shared__ double a[16][17];
  int row = threadIdx.x;
  for (int j = 0; j < 16; j++) a[row][j] = matrix[row * 16 + j];
  for (int k = 0; k < 16; k++) {
    __syncthreads();
    if (row == k) a[k][k] = sqrt(a[k][k]);
    __syncthreads();
    if (row > k) a[row][k] = a[row][k] / a[k][k];
    __syncthreads();
    for (int j = k + 1; j <= row; j++) a[row][j] = fma(-a[row][k], a[j][k], a[row][j]);
  }
  __syncthreads();
  for (int j = 0; j < 16; j++) matrix[row * 16 + j] = j <= row ? a[row][j] : 0.0;
}

__device__ double integrand(double x) { return exp(-x * x) * (1.0 + sin(x)) + pow(x, 2.5); }

extern "C" __global__ void simpson(int intervals, double* result) {
  double h = 2.0 / intervals, sum = 0;
  for (int i = threadIdx.x; i <= intervals; i += 32) {
    double weight = i == 0 || i == intervals ? 1.0 : i % 2 ? 4.0 : 2.0;
    sum += weight * integrand(i * h);
  }
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffffu, sum, delta);
  if (threadIdx.x == 0) *result = sum * h / 3.0;
}
