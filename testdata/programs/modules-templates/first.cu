// Fills a stack beyond its capacity and empties it. `total` is defined here and used in second.cu.

#include "stack.cuh"

__device__ int total;

template <class T>
__global__ void fill(const T* in, int n, T* out) {
  Stack<T, 6> stack;
  int i = threadIdx.x;
  for (int k = 0; k < n; k++)
    if (!stack.push(in[(i + k) % 32])) break;
  T sum = 0;
  for (int k = 0; k < 8; k++) sum = sum * 2 + stack.pop();
  out[i] = sum + weigh(i, 3);
  atomicAdd(&total, i);
}

template __global__ void fill<int>(const int*, int, int*);
template __global__ void fill<double>(const double*, int, double*);
