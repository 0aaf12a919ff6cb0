// Products by the fragments of nvcuda::wmma: bfloat16 from shared memory with a linear combination at the end, tf32, and double.

#include <cuda_bf16.h>
#include <mma.h>

using namespace nvcuda;

// A block of two warps: 32 rows and 32 columns, each warp 16 rows; D = alpha * A * B + beta * C.
extern "C" __global__ void bfloatProduct(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d, int n, int k, float alpha,
                                         float beta) {
  __shared__ alignas(32) __nv_bfloat16 as[32][24];
  __shared__ alignas(32) __nv_bfloat16 bs[16][40];
  int t = threadIdx.x, warp = t / 32, row0 = blockIdx.y * 32, column0 = blockIdx.x * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[2];
  for (auto& sum : sums) wmma::fill_fragment(sum, 0.0f);
  for (int k0 = 0; k0 < k; k0 += 16) {
    *reinterpret_cast<uint4*>(&as[t / 2][t % 2 * 8]) = *reinterpret_cast<const uint4*>(&a[(row0 + t / 2) * k + k0 + t % 2 * 8]);
    *reinterpret_cast<uint4*>(&bs[t / 4][t % 4 * 8]) = *reinterpret_cast<const uint4*>(&b[(k0 + t / 4) * n + column0 + t % 4 * 8]);
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::load_matrix_sync(fa, &as[warp * 16][0], 24);
    for (int j = 0; j < 2; j++) {
      wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::row_major> fb;
      wmma::load_matrix_sync(fb, &bs[0][j * 16], 40);
      wmma::mma_sync(sums[j], fa, fb, sums[j]);
    }
    __syncthreads();
  }
  for (int j = 0; j < 2; j++) {
    int at = (row0 + warp * 16) * n + column0 + j * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> before;
    wmma::load_matrix_sync(before, c + at, n, wmma::mem_row_major);
    for (int i = 0; i < before.num_elements; i++) before.x[i] = alpha * sums[j].x[i] + beta * before.x[i];
    wmma::store_matrix_sync(d + at, before, n, wmma::mem_row_major);
  }
}

// A warp 16 times 16; B lies column after column.
extern "C" __global__ void tf32Product(const float* a, const float* b, float* c, int n, int k) {
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  int row0 = blockIdx.y * 16, column0 = blockIdx.x * 16;
  for (int k0 = 0; k0 < k; k0 += 8) {
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
    wmma::load_matrix_sync(fa, a + row0 * k + k0, k);
    wmma::load_matrix_sync(fb, b + column0 * k + k0, k);
    for (auto& x : fa.x) x = wmma::__float_to_tf32(x);
    for (auto& x : fb.x) x = wmma::__float_to_tf32(x);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c + row0 * n + column0, sum, n, wmma::mem_row_major);
}

// The transposed product of doubles, a warp 8 times 8.
extern "C" __global__ void doubleProduct(const double* a, const double* b, double* c, int m, int n, int k) {
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> sum;
  wmma::fill_fragment(sum, 0.0);
  int row0 = blockIdx.y * 8, column0 = blockIdx.x * 8;
  for (int k0 = 0; k0 < k; k0 += 4) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::load_matrix_sync(fa, a + row0 * k + k0, k);
    wmma::load_matrix_sync(fb, b + k0 * n + column0, n);
    wmma::mma_sync(sum, fa, fb, sum);
  }
  wmma::store_matrix_sync(c + column0 * m + row0, sum, m, wmma::mem_col_major);
}
