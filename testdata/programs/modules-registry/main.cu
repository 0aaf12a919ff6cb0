#include <cstdio>

#include "registry.cuh"

extern "C" __global__ void callAll(const int* x, const int* y, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i % 5 < 4 ? registry[i % 5].operation(x[i], y[i]) * registry[i % 5].arity : fallback(x[i], y[i]);
}

extern "C" __global__ void shapes(int* total) {
  Square square(blockIdx.x + 3);
  Strip strip(2, 9 + blockIdx.x);
  int sum = measure(square);
  sum += measure(strip);
  printf("block %d: %d\n", blockIdx.x, sum);
  atomicAdd(total, sum);
}
