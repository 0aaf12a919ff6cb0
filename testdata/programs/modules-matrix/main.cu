// Powers of 2 x 2 matrices modulo a prime: this module has the kernel and a pointer to a variable of data.cu.

#include "matrix.cuh"

__device__ int* where = &modulus;

extern "C" __global__ void powers(const unsigned* exponents, Matrix2* out, int* sums) {
  __shared__ Matrix2 firstOfBlock;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Matrix2 result = power(generators[i % 3], exponents[i]);
  if (threadIdx.x == 0) firstOfBlock = result;
  int sum = blockSum(result.a);
  result.d = (result.d + firstOfBlock.b) % *where;
  out[i] = result;
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}
