// The table: its entries are functions of arithmetic.cu and of this module.

#include "registry.cuh"

static __device__ int difference(int x, int y) { return x - y; }

__device__ Entry registry[4] = {{sumDigits, 2}, {difference, 2}, {powerOf, 2}, {bothWays, 1}};
__constant__ Operation fallback = powerOf;

__device__ int backAgain(int x, int depth) { return depth <= 0 ? x : bothWays(x * 2 + 1, depth - 1) + 1; }
