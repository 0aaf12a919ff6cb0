// Two functions inlined at the same place, and one whose line is that of its call in another file (product, line 10).

#include "vector.cuh"

__device__ inline float clamped(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

extern "C" __global__ void quirks(Vector v, float *out) {
  float total = 0.0f;
  for (int i = 0; i < 3; i++)
    total += clamped(product(v.x, v.y, v.z * i));
  *out = total;
}
