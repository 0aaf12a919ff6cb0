// Roberts' cross of each 2 x 2 square of texels, gathered at once, one channel after the other.

__device__ float cross(float4 g) { return fabsf(g.x - g.z) + fabsf(g.y - g.w); }

extern "C" __global__ void edges(cudaTextureObject_t picture, float4* target, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x > width) return;
  float u = static_cast<float>(x), v = static_cast<float>(y);
  float4 r = tex2Dgather<float4>(picture, u, v, 0);
  float4 g = tex2Dgather<float4>(picture, u, v, 1);
  float4 b = tex2Dgather<float4>(picture, u, v, 2);
  float4 a = tex2Dgather<float4>(picture, u, v, 3);
  target[y * (width + 1) + x] = make_float4(cross(r), cross(g), cross(b), cross(a));
}

extern "C" __global__ void largest(cudaTextureObject_t numbers, int* target, int size) {
  int x = threadIdx.x, y = blockIdx.x;
  float scale = 1.0f / static_cast<float>(size);
  int4 n = tex2Dgather<int4>(numbers, static_cast<float>(x) * scale, static_cast<float>(y) * scale);
  target[y * blockDim.x + x] = max(max(n.x, n.y), max(n.z, n.w)) * 2 + (n.w > n.y);
}
