// march.cu: the first kernel follows each cell's ray until it touches something.
#include "still.cuh"

/// How many times this module asked for a distance. shade.cu has a static of the same name: they are two variables.
static __device__ unsigned evaluations;

/// The distance from a point to the nearest shape. shade.cu has a static function of the same name and type, but not meaning.
static __device__ __noinline__ float nearest(Vec3 p, unsigned* which) {
    float best = FAR_AWAY;
#pragma unroll 1
    for (unsigned i = 0; i < shape_count; ++i) {
        Vec3 local = {p.x - shape_centre[i][0], p.y - shape_centre[i][1], p.z - shape_centre[i][2]};
        float distance = distance_table[shape_kind[i]](local, shape_size[i]);
        if (distance < best) {
            best = distance;
            *which = i;
        }
    }
    return best;
}

/// grid x block covers width x height; depth gets the distance along the ray, or -1; touched the shape's number
extern "C" __global__ void march(Camera camera, float* depth, unsigned* touched) {
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= camera.width || row >= camera.height) return;
    Vec3 ray = camera_ray(camera, column, row);
    float travelled = 0.0f;
    float result = -1.0f;
    unsigned which = 0;
    unsigned step = 0;
#pragma unroll 1
    while (step < MAX_STEPS) {
        float distance = nearest(along(camera.eye, ray, travelled), &which);
        ++step;
        if (distance < hit_epsilon<float>) {
            result = travelled;
            break;
        }
        travelled = travelled + distance;
        if (travelled > FAR_AWAY) break;
    }
    unsigned cell = row * camera.width + column;
    depth[cell] = result;
    touched[cell] = which;
    atomicAdd(&evaluations, step);
}
