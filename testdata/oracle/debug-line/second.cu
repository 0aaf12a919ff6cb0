// The second of two modules, whose inlined functions have other names, at other offsets of its .debug_str.

#include "vector.cuh"

__device__ inline float clamped(float x) { return fminf(fmaxf(x, 0.0f), 1.0f); }

__device__ float weigh(const Vector &v) {
  float total = 0.0f;
  for (int i = 0; i < 3; i++) {
    // The calls are on other lines than each other, and than product is in vector.cuh.
    float part = product(v.x, v.y, v.z * i);
    total += clamped(part);
  }
  return total;
}
