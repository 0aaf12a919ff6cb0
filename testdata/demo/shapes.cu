// shapes.cu: the signed distance functions, the table they are called through, and the palette. No kernels: a library module.
#include "still.cuh"

extern "C" __device__ float sd_floor(Vec3 local, const float*) {
    return local.y;
}

extern "C" __device__ float sd_sphere(Vec3 local, const float* size) {
    return sqrtf(dot(local, local)) - size[0];
}

/// size: half width, half height, half depth, radius of the rounded edges
extern "C" __device__ float sd_box(Vec3 local, const float* size) {
    Vec3 over = {fmaxf(fabsf(local.x) - size[0], 0.0f), fmaxf(fabsf(local.y) - size[1], 0.0f),
                 fmaxf(fabsf(local.z) - size[2], 0.0f)};
    return sqrtf(dot(over, over)) - size[3];
}

/// size: radius of the ring, radius of the tube; the ring faces the z axis
extern "C" __device__ float sd_torus(Vec3 local, const float* size) {
    float ring = sqrtf(fmaf(local.y, local.y, local.x * local.x)) - size[0];
    return sqrtf(fmaf(local.z, local.z, ring * ring)) - size[1];
}

/// Indexed by shape_kind. Function pointers in the constant bank: the marcher calls through them.
extern "C" __constant__ DistanceFn distance_table[4] = {sd_floor, sd_sphere, sd_box, sd_torus};

extern "C" __device__ const Material palette[MATERIALS] = {
    {0.62f, 0.00f, "marble"}, {0.95f, 0.04f, "pearl"},  {0.50f, 0.02f, "oak"},
    {0.80f, 0.06f, "brass"},  {0.30f, 0.85f, "candle"}, {0.00f, 0.34f, "evening"},
};

extern "C" __device__ const Nameplate nameplate = {20, "Still life in ASCII"};
