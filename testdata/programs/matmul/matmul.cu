// C (m x n) = A (m x k) * B (k x n), row-major, all sizes multiples of 16: one 16 x 16 tile of C per block.

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n, int k) {
  __shared__ float left[16][16], right[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int tile = 0; tile < k; tile += 16) {
    left[ty][tx] = a[row * k + tile + tx];
    right[ty][tx] = b[(tile + ty) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += left[ty][i] * right[i][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
