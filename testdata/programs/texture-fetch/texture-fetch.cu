// Textures over ordinary buffers: bytes counted into bins, and a pitched picture summed by columns.

extern "C" __global__ void histogram(cudaTextureObject_t bytes, unsigned* counts, int count) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[tex1Dfetch<unsigned char>(bytes, i)], 1u);
  __syncthreads();
  if (bins[threadIdx.x] != 0) atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

extern "C" __global__ void columns(cudaTextureObject_t picture, int2* sums, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  int2 sum = make_int2(0, 0);
  for (int y = -2; y < height + 2; y++) {
    short2 p = tex2D<short2>(picture, static_cast<float>(x), static_cast<float>(y));
    sum.x += p.x;
    sum.y = sum.y * 3 + p.y;
  }
  sums[x] = sum;
}
