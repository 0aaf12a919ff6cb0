// still.cuh: what the modules of "Still life in ASCII" share: the types, the names that cross modules, and the two templates
// whose instances several modules emit.
//
// Arithmetic is written so that a CPU can repeat it bit for bit: every fused multiply-add is an explicit fmaf, and no
// product stands where the compiler could fuse it with a sum by itself (make.mjs checks that -fmad=false gives the same PTX).
#pragma once

struct Vec3 {
    float x, y, z;
};

/// Passed to the kernels by value: 60 bytes, no padding.
struct Camera {
    Vec3 eye, right, up, forward;
    float zoom;
    unsigned width, height;
};

struct Material {
    float albedo, glow;
    const char* name;
};

/// As an exporter would write it: no padding, so the pointer sits at an odd offset and its bytes are read one by one.
struct __attribute__((packed)) Backdrop {
    unsigned char version;
    const Material* material;
    unsigned char bands;
};
struct __attribute__((packed)) Nameplate {
    unsigned char length;
    const char* text;
};

/// A signed distance function of one kind of shape: the point relative to the shape's centre, and the shape's four sizes.
typedef float (*DistanceFn)(Vec3 local, const float* size);

constexpr unsigned MATERIALS = 6;
constexpr unsigned BINS = 16;
constexpr unsigned MAX_STEPS = 24;
constexpr float FAR_AWAY = 12.0f;

// shapes.cu
extern "C" __constant__ DistanceFn distance_table[4];
extern "C" __device__ const Material palette[MATERIALS];
extern "C" __device__ const Nameplate nameplate;

// scene.ptx (written by hand)
extern "C" __constant__ unsigned shape_count;
extern "C" __device__ const unsigned shape_kind[];
extern "C" __device__ const float shape_centre[][4];
extern "C" __device__ const float shape_size[][4];
extern "C" __device__ const Material* const shape_material[];
extern "C" __device__ const Backdrop backdrop;
extern "C" __device__ float lambert(Vec3 normal);

// tally.ptx (written by hand); `tallies` is a .common of scene.ptx and tally.ptx
extern "C" __device__ unsigned tallies[8];
extern "C" __device__ void tally(unsigned slot);

// expose.cu
extern "C" __device__ float exposure;

/// How near counts as touching. A variable template: every module that uses it emits it, and the linker keeps one.
template <typename T>
__device__ T hit_epsilon = T(0.004);

/// Looks x of [0, 1] up in a table of N + 1 samples, linearly between them. Also emitted by every module that uses it.
template <int N>
__device__ __noinline__ float sample(const float* table, float x) {
    float at = fminf(fmaxf(x, 0.0f), 1.0f) * float(N);
    int cell = min(int(at), N - 1);
    float part = at - float(cell);
    return fmaf(part, table[cell + 1] - table[cell], table[cell]);
}

__device__ __forceinline__ float dot(Vec3 a, Vec3 b) {
    return fmaf(a.z, b.z, fmaf(a.y, b.y, a.x * b.x));
}

__device__ __forceinline__ Vec3 along(Vec3 from, Vec3 direction, float distance) {
    return {fmaf(direction.x, distance, from.x), fmaf(direction.y, distance, from.y), fmaf(direction.z, distance, from.z)};
}

__device__ __forceinline__ Vec3 normalise(Vec3 v) {
    float length = sqrtf(dot(v, v));
    return {v.x / length, v.y / length, v.z / length};
}

/// The ray through the middle of a character cell; cells are twice as high as wide.
__device__ __forceinline__ Vec3 camera_ray(const Camera& camera, unsigned column, unsigned row) {
    float u = (float(2 * column + 1) - float(camera.width)) / float(2 * camera.height);
    float v = (float(camera.height) - float(2 * row + 1)) / float(camera.height);
    Vec3 ray = along(along({camera.forward.x * camera.zoom, camera.forward.y * camera.zoom, camera.forward.z * camera.zoom},
                           camera.right, u), camera.up, v);
    return normalise(ray);
}
