// The arithmetic, and a block-wide sum in this module's own shared memory.

#include "matrix.cuh"

__shared__ int partial[2];

__device__ Matrix2 multiply(Matrix2 x, Matrix2 y) {
  atomicAdd(&products, 1ull);
  int m = modulus;
  return {(x.a * y.a + x.b * y.c) % m, (x.a * y.b + x.b * y.d) % m, (x.c * y.a + x.d * y.c) % m, (x.c * y.b + x.d * y.d) % m};
}

__device__ Matrix2 power(Matrix2 base, unsigned exponent) {
  Matrix2 result = {1, 0, 0, 1};
  for (; exponent; exponent >>= 1) {
    if (exponent & 1) result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

__device__ int blockSum(int value) {
  value = __reduce_add_sync(0xffffffffu, value);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = value;
  __syncthreads();
  return partial[0] + partial[1];
}
