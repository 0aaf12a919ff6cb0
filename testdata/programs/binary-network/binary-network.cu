// A layer of one-bit weights and a layer of four-bit weights by the experimental fragments of wmma.

#include <mma.h>

using namespace nvcuda;

// Signs packed into bits: a warp makes a word of 32 values.
extern "C" __global__ void signs(const float* in, unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned word = __ballot_sync(~0u, in[i] < 0);
  if (threadIdx.x % 32 == 0) out[i / 32] = word;
}

// Products of signs: k minus twice the bits that differ.
extern "C" __global__ void binary(const unsigned* a, const unsigned* b, int* c, int n, int k) {
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::fill_fragment(sum, 0);
  int row0 = blockIdx.y * 8, column0 = blockIdx.x * 8;
  for (int k0 = 0; k0 < k; k0 += 128) {
    wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a + (row0 * k + k0) / 32, k);
    wmma::load_matrix_sync(fb, b + (column0 * k + k0) / 32, k);
    wmma::bmma_sync(sum, fa, fb, sum, wmma::experimental::bmmaBitOpXOR);
  }
  for (auto& x : sum.x) x = k - 2 * x;
  wmma::store_matrix_sync(c + row0 * n + column0, sum, n, wmma::mem_row_major);
}

// Bits that both have.
extern "C" __global__ void common(const unsigned* a, const unsigned* b, int* c, int n, int k) {
  wmma::fragment<wmma::accumulator, 8, 8, 128, int> sum;
  wmma::fill_fragment(sum, 0);
  int row0 = blockIdx.y * 8, column0 = blockIdx.x * 8;
  for (int k0 = 0; k0 < k; k0 += 128) {
    wmma::fragment<wmma::matrix_a, 8, 8, 128, wmma::experimental::precision::b1, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 128, wmma::experimental::precision::b1, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a + (row0 * k + k0) / 32, k);
    wmma::load_matrix_sync(fb, b + (column0 * k + k0) / 32, k);
    wmma::bmma_sync(sum, fa, fb, sum, wmma::experimental::bmmaBitOpAND);
  }
  wmma::store_matrix_sync(c + row0 * n + column0, sum, n, wmma::mem_row_major);
}

// Signed values of four bits, eight a word.
extern "C" __global__ void nibbles(const int* a, const int* b, int* c, int n, int k) {
  wmma::fragment<wmma::accumulator, 8, 8, 32, int> sum;
  wmma::fill_fragment(sum, 0);
  int row0 = blockIdx.y * 8, column0 = blockIdx.x * 8;
  for (int k0 = 0; k0 < k; k0 += 32) {
    wmma::fragment<wmma::matrix_a, 8, 8, 32, wmma::experimental::precision::s4, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 32, wmma::experimental::precision::s4, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a + (row0 * k + k0) / 8, k);
    wmma::load_matrix_sync(fb, b + (column0 * k + k0) / 8, k);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c + row0 * n + column0, sum, n, wmma::mem_row_major);
}
