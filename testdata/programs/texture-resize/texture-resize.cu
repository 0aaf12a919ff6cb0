// A picture of 8-bit pixels, scaled by the texture unit's bilinear filter; and the same picture tiled by mirroring.

extern "C" __global__ void resize(cudaTextureObject_t source, float4* target, int width, int height, float scaleX,
                                  float scaleY) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = (static_cast<float>(x) + 0.5f) * scaleX;
  float v = (static_cast<float>(y) + 0.5f) * scaleY;
  target[y * width + x] = tex2D<float4>(source, u, v);
}

extern "C" __global__ void tile(cudaTextureObject_t source, uchar4* target, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  // Three and a half pictures across, two down.
  float u = (static_cast<float>(x) + 0.5f) / 32.0f - 1.0f;
  float v = (static_cast<float>(y) + 0.5f) / 32.0f - 0.5f;
  target[y * width + x] = tex2D<uchar4>(source, u, v);
}
