// Half precision arithmetic, alone and in pairs, and conversions from and to half.

#include <cuda_fp16.h>

extern "C" __global__ void scalars(const __half* a, const __half* b, const __half* c, __half* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half x = a[i], y = b[i], z = c[i];
  out[i] = __hadd_rn(x, y);
  out[n + i] = __hsub_rn(x, y);
  out[2 * n + i] = __hmul_rn(x, y);
  out[3 * n + i] = __hfma(x, y, z);
  out[4 * n + i] = __hmin(x, y);
  out[5 * n + i] = __hmax(x, y);
  out[6 * n + i] = __hneg(__habs(x));
  out[7 * n + i] = __hadd_sat(x, y);
  out[8 * n + i] = __hfma_relu(x, y, z);
  out[9 * n + i] = __hlt(x, y) ? x : __hge(y, z) ? y : z;
}

extern "C" __global__ void pairs(const __half2* a, const __half2* b, const __half2* c, __half2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 x = a[i], y = b[i], z = c[i];
  out[i] = __hfma2(x, y, z);
  out[n + i] = __hmul2_rn(__hadd2_rn(x, y), __lowhigh2highlow(z));
  out[2 * n + i] = __hmax2(__hmin2(x, y), __hneg2(z));
  out[3 * n + i] = __hgt2(x, y);
  out[4 * n + i] = __halves2half2(__high2half(x), __hbeq2(x, y) ? __low2half(y) : __low2half(z));
}

extern "C" __global__ void toHalf(const float* f, const int* whole, __half* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __float2half_rn(f[i]);
  out[n + i] = __float2half_rz(f[i]);
  out[2 * n + i] = __float2half_ru(f[i]);
  out[3 * n + i] = __float2half_rd(f[i]);
  out[4 * n + i] = __int2half_rn(whole[i]);
  out[5 * n + i] = __uint2half_rz(static_cast<unsigned>(whole[i]));
  out[6 * n + i] = __double2half(f[i] * (1.0 + 0x1p-30));
}

extern "C" __global__ void fromHalf(const __half* a, float* wide, int* nearest, int* down, short* narrow, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  wide[i] = __half2float(a[i]);
  nearest[i] = __half2int_rn(a[i]);
  down[i] = __half2int_rd(a[i]);
  narrow[i] = __half2short_rz(a[i]);
}
