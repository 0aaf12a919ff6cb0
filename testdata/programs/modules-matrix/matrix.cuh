#pragma once

struct Matrix2 {
  int a, b, c, d;
};

extern __constant__ Matrix2 generators[3];
extern __device__ int modulus;
extern __device__ unsigned long long products;

__device__ Matrix2 multiply(Matrix2 x, Matrix2 y);
__device__ Matrix2 power(Matrix2 base, unsigned exponent);
__device__ int blockSum(int value);
