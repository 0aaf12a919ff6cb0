#include "registry.cuh"

__device__ int sumDigits(int x, int base) {
  int sum = 0;
  for (unsigned rest = abs(x); rest; rest /= base) sum += rest % base;
  return sum;
}

__device__ int powerOf(int x, int n) {
  int result = 1;
  for (int i = 0; i < n; i++) result *= x;
  return result;
}

__device__ int bothWays(int x, int depth) { return depth <= 0 ? -x : backAgain(x - 3, depth - 1) * 2; }
