// Directions on a cube: the face's texel, and filtered with and without its neighbours.

struct Hit {
  float nearest, inside, seamless, unused;
};

extern "C" __global__ void lookup(cudaTextureObject_t nearest, cudaTextureObject_t inside, cudaTextureObject_t seamless,
                                  const float4* directions, Hit* hits, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float4 d = directions[i];
  hits[i] = {texCubemap<float>(nearest, d.x, d.y, d.z), texCubemap<float>(inside, d.x, d.y, d.z),
             texCubemap<float>(seamless, d.x, d.y, d.z), d.w};
}
