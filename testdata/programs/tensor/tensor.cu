// One 16 x 16 x 16 product per warp and kernel. The values are small whole numbers: no sum needs rounding, so that the
// order in which the hardware adds cannot show.

#include <mma.h>

using namespace nvcuda;

// d = a * b + c: a row-major, b column-major.
extern "C" __global__ void halfToFloat(const __half* a, const __half* b, const float* c, float* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}

// d = a * a, twice accumulated, through shared memory; stored by columns with a stride of 24.
extern "C" __global__ void halfToHalf(const __half* a, __half* d) {
  __shared__ alignas(32) __half tile[256];
  for (int i = threadIdx.x; i < 256; i += 32) tile[i] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, __half> sum;
  wmma::fill_fragment(sum, __float2half(0.0f));
  wmma::load_matrix_sync(left, tile, 16);
  wmma::load_matrix_sync(right, tile, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 24, wmma::mem_col_major);
}

extern "C" __global__ void bytes(const unsigned char* a, const unsigned char* b, int* d) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fill_fragment(sum, -5);
  wmma::load_matrix_sync(left, a, 16);
  wmma::load_matrix_sync(right, b, 16);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(d, sum, 16, wmma::mem_row_major);
}
