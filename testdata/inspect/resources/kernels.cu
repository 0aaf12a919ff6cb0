// Kernels that differ in what they take: shared memory and a barrier; local memory, constants of their own, a call.
#include <cstdio>

__constant__ float c[16];
__device__ int g[10];
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

extern "C" __global__ void reverse(int* p) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[63 - threadIdx.x] + c[threadIdx.x & 15];
}

extern "C" __global__ void wander(int* p, double d) {
  int a[32];
  for (int i = 0; i < 32; i++) a[i] = p[i];
  p[0] = a[p[3] & 31] + fib(p[1]) + pow(d, 3.3) + g[2];
  printf("%d", p[0]);
}
