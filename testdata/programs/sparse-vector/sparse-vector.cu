// Products of a sparse matrix and a vector: rows by subwarps of eight lanes, elements by a segmented scan, and a matrix whose rows have
// equal lengths, column after column.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

extern "C" __global__ void byRows(const int* starts, const int* columns, const float* values, const float* x, float* y, int rows) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int row = blockIdx.x * (blockDim.x / 8) + threadIdx.x / 8;
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row] + tile.thread_rank(); i < starts[row + 1]; i += 8) sum = fmaf(values[i], __ldg(&x[columns[i]]), sum);
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) y[row] = sum;
}

// Elements in the order of their rows; the last lane of each run of a row adds the run's sum.
extern "C" __global__ void byElements(const int* rowOf, const int* columns, const float* values, const float* x, float* y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  int row = i < count ? rowOf[i] : -1;
  float sum = i < count ? values[i] * x[columns[i]] : 0;
  for (int d = 1; d < 32; d *= 2) {
    float before = __shfl_up_sync(~0u, sum, d);
    int its = __shfl_up_sync(~0u, row, d);
    if (lane >= d && its == row) sum += before;
  }
  int next = __shfl_down_sync(~0u, row, 1);
  if (row >= 0 && (lane == 31 || next != row)) atomicAdd(&y[row], sum);
}

extern "C" __global__ void byColumns(const int* columns, const double* values, const double* x, double* y, int rows, int width) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int i = 0; i < width; i++) {
    int column = columns[i * rows + row];
    if (column < 0) break;
    sum = fma(values[i * rows + row], x[column], sum);
  }
  atomicAdd(&y[row], sum);
}
