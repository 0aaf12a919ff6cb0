// The first of two modules: names of inlined functions begin its .debug_str.

#include "vector.cuh"

extern __device__ float weigh(const Vector &v);

__device__ inline float weighed(const Vector &v) { return weigh(v) * dot(v, v); }

extern "C" __global__ void weights(const Vector *vectors, float *out) {
  out[threadIdx.x] = weighed(vectors[threadIdx.x]);
}
