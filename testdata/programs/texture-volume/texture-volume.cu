// A plane through a volume of floats, filtered in three dimensions; and layered textures, by layer number.

extern "C" __global__ void slice(cudaTextureObject_t volume, float* target, int width, float3 origin, float3 right,
                                 float3 down) {
  int x = threadIdx.x;
  int y = blockIdx.x;
  float fx = static_cast<float>(x), fy = static_cast<float>(y);
  float u = __fadd_rn(__fadd_rn(__fmul_rn(right.x, fx), __fmul_rn(down.x, fy)), origin.x);
  float v = __fadd_rn(__fadd_rn(__fmul_rn(right.y, fx), __fmul_rn(down.y, fy)), origin.y);
  float w = __fadd_rn(__fadd_rn(__fmul_rn(right.z, fx), __fmul_rn(down.z, fy)), origin.z);
  if (x < width) target[y * width + x] = tex3D<float>(volume, u, v, w);
}

extern "C" __global__ void layers(cudaTextureObject_t rows, cudaTextureObject_t planes, float* target) {
  int i = threadIdx.x;
  int layer = blockIdx.x;
  float along = tex1DLayered<float>(rows, static_cast<float>(i) * 0.3125f, layer);
  float2 pair = tex2DLayered<float2>(planes, static_cast<float>(i & 7), static_cast<float>(i >> 3), layer);
  target[layer * blockDim.x + i] = along + pair.x * pair.y;
}
