// A picture of three levels, sampled at levels between them.

extern "C" __global__ void sample(cudaTextureObject_t smooth, cudaTextureObject_t sharp, float2* target, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= width) return;
  float u = static_cast<float>(x) / 37.0f - 0.25f;
  float v = static_cast<float>(y) / 16.0f;
  float level = static_cast<float>(y) * 0.375f - 0.5f;
  target[y * width + x] = make_float2(tex2DLod<float>(smooth, u, v, level), tex2DLod<float>(sharp, u, v, level));
}
