// bfloat16 arithmetic, alone and in pairs. The buffers hold bits: NumPy has no such type.

#include <cuda_bf16.h>

extern "C" __global__ void arithmetic(const unsigned short* a, const unsigned short* b, const unsigned short* c,
                                      unsigned short* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __nv_bfloat16 x = __ushort_as_bfloat16(a[i]), y = __ushort_as_bfloat16(b[i]), z = __ushort_as_bfloat16(c[i]);
  out[i] = __bfloat16_as_ushort(__hadd_rn(x, y));
  out[n + i] = __bfloat16_as_ushort(__hmul_rn(x, y));
  out[2 * n + i] = __bfloat16_as_ushort(__hfma(x, y, z));
  out[3 * n + i] = __bfloat16_as_ushort(__hmin(__hmax(x, y), z));
  __nv_bfloat162 both = __hsub2_rn(__halves2bfloat162(x, y), __halves2bfloat162(z, x));
  out[4 * n + i] = __bfloat16_as_ushort(__low2bfloat16(both));
  out[5 * n + i] = __bfloat16_as_ushort(__high2bfloat16(both));
  out[6 * n + i] = __bfloat16_as_ushort(__hle(x, y) ? __hneg(z) : __habs(z));
}

extern "C" __global__ void convert(const float* f, unsigned short* out, float* back, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __bfloat16_as_ushort(__float2bfloat16_rn(f[i]));
  out[n + i] = __bfloat16_as_ushort(__float2bfloat16_rz(f[i]));
  __nv_bfloat162 two = __floats2bfloat162_rn(f[i], f[(i + 1) % n]);
  out[2 * n + i] = __bfloat16_as_ushort(__high2bfloat16(two));
  back[i] = __bfloat162float(__low2bfloat16(two));
}
