// Inlined code three calls deep, the same function inlined at two places, and one that stays a function.

#include "vector.cuh"

__device__ __noinline__ float norm(const Vector &v) { return sqrtf(dot(v, v)); }

extern "C" __global__ void normalise(Vector *vectors, float *norms, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float length = norm(vectors[i]);
  norms[i] = length;
  vectors[i] = scaled(vectors[i], 1.0f / length);
}

extern "C" __global__ void reflect(Vector *vectors, Vector normal, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    vectors[i] = mirrored(vectors[i], normal);
}
