// Softmax of rows of any length by a warp each, in one pass for the largest value and the sum; then the loss against labels and its
// gradient.

struct Running {
  float largest, sum;
};

__device__ Running merged(Running a, Running b) {
  float top = fmaxf(a.largest, b.largest);
  return {top, a.sum * __expf(a.largest - top) + b.sum * __expf(b.largest - top)};
}

__device__ Running ofRow(const float* row, int columns) {
  int lane = threadIdx.x % 32;
  Running mine = {-1e30f, 0};
  for (int i = lane; i < columns; i += 32) mine = merged(mine, {row[i], 1});
  for (int d = 16; d > 0; d /= 2)
    mine = merged(mine, {__shfl_xor_sync(~0u, mine.largest, d), __shfl_xor_sync(~0u, mine.sum, d)});
  return mine;
}

extern "C" __global__ void softmax(const float* in, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  Running all = ofRow(in + row * columns, columns);
  float scale = __frcp_rn(all.sum);
  for (int i = threadIdx.x; i < columns; i += 32) out[row * columns + i] = __expf(in[row * columns + i] - all.largest) * scale;
}

extern "C" __global__ void crossEntropy(const float* in, const int* labels, float* losses, float* gradient, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  Running all = ofRow(in + row * columns, columns);
  int label = labels[row];
  for (int i = threadIdx.x; i < columns; i += 32)
    gradient[row * columns + i] = __fdividef(__expf(in[row * columns + i] - all.largest), all.sum) - (i == label);
  if (threadIdx.x == 0) losses[row] = __logf(all.sum) + all.largest - in[row * columns + label];
}
