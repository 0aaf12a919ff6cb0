// The variables: nothing else is in this module.

#include "matrix.cuh"

__constant__ Matrix2 generators[3] = {{1, 1, 1, 0}, {2, 5, 1, 3}, {0, 1, 30000, 7}};
__device__ int modulus = 30011;
__device__ unsigned long long products;
