// Layer normalisation of rows of floats by a block each, and root-mean-square normalisation of bfloat16 by a warp each with the residual
// added first.

#include <cuda_bf16.h>

__device__ float warpSum(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

// The sum over a block of four warps, in every thread.
__device__ float blockSum(float x, float* shared) {
  x = warpSum(x);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = x;
  __syncthreads();
  x = shared[threadIdx.x % 4];
  x += __shfl_xor_sync(~0u, x, 1);
  x += __shfl_xor_sync(~0u, x, 2);
  __syncthreads();
  return x;
}

// 512 columns: four to a thread.
extern "C" __global__ void layerNorm(const float4* in, const float4* gain, const float4* bias, float4* out, float2* statistics) {
  __shared__ float shared[4];
  int t = threadIdx.x;
  float4 x = in[blockIdx.x * 128 + t];
  float mean = blockSum((x.x + x.y) + (x.z + x.w), shared) * (1.0f / 512);
  float4 c = {x.x - mean, x.y - mean, x.z - mean, x.w - mean};
  float variance = blockSum((c.x * c.x + c.y * c.y) + (c.z * c.z + c.w * c.w), shared) * (1.0f / 512);
  float scale = 1.0f / sqrtf(variance + 1e-5f);
  float4 g = gain[t], b = bias[t];
  out[blockIdx.x * 128 + t] = {c.x * scale * g.x + b.x, c.y * scale * g.y + b.y, c.z * scale * g.z + b.z, c.w * scale * g.w + b.w};
  if (t == 0) statistics[blockIdx.x] = {mean, scale};
}

// 64 columns: a pair to a lane. The residual is what it was plus the input, and the output its normal form.
extern "C" __global__ void rmsNorm(const __nv_bfloat162* in, __nv_bfloat162* residual, const __nv_bfloat162* gain, __nv_bfloat162* out, int rows) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  __nv_bfloat162 sum = __hadd2(in[row * 32 + lane], residual[row * 32 + lane]);
  residual[row * 32 + lane] = sum;
  float2 x = __bfloat1622float2(sum);
  float mean = warpSum(x.x * x.x + x.y * x.y) * (1.0f / 64);
  float scale = 1.0f / sqrtf(mean + 1e-6f);
  out[row * 32 + lane] = __hmul2(__floats2bfloat162_rn(x.x * scale, x.y * scale), gain[lane]);
}
