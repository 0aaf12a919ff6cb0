// What the programs of this folder inline.

#pragma once

struct Vector {
  float x, y, z;
};

__device__ inline float product(float a, float b, float c) {
  return a * b + c;
}

__device__ inline float dot(const Vector &a, const Vector &b) {
  return product(a.x, b.x, product(a.y, b.y, a.z * b.z));
}

__device__ inline Vector scaled(const Vector &v, float by) {
  return {v.x * by, v.y * by, v.z * by};
}

__device__ inline Vector sum(const Vector &a, const Vector &b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

__device__ inline Vector mirrored(const Vector &v, const Vector &normal) {
  return sum(v, scaled(normal, -2.0f * dot(v, normal)));
}
