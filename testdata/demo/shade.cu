// shade.cu: the second kernel finds how bright each cell is.
#include "still.cuh"

/// Brightness of the backdrop from the bottom of the picture to the top.
__constant__ float sky_curve[9] = {0.9f, 1.0f, 0.85f, 0.6f, 0.42f, 0.3f, 0.2f, 0.12f, 0.05f};
/// Haze: how much of the surface is left, by distance.
__constant__ float haze_curve[9] = {1.0f, 1.0f, 1.0f, 0.95f, 0.85f, 0.7f, 0.5f, 0.3f, 0.1f};

/// As in march.cu, and not the same variable.
static __device__ unsigned evaluations;

/// The distance from a point to one shape: the normal needs no other. Same name and type as march.cu's function.
static __device__ __noinline__ float nearest(Vec3 p, unsigned* which) {
    unsigned i = *which;
    Vec3 local = {p.x - shape_centre[i][0], p.y - shape_centre[i][1], p.z - shape_centre[i][2]};
    return distance_table[shape_kind[i]](local, shape_size[i]);
}

/// Squares of light and dark, one unit wide.
static __device__ float chequer(Vec3 p) {
    int squares = int(floorf(p.x)) + int(floorf(p.z));
    return squares & 1 ? 0.35f : 1.0f;
}

extern "C" __global__ void shade(Camera camera, const float* depth, const unsigned* touched, float* brightness) {
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= camera.width || row >= camera.height) return;
    unsigned cell = row * camera.width + column;
    Vec3 ray = camera_ray(camera, column, row);
    float distance = depth[cell];
    const Material* material = backdrop.material;
    float sky = material->glow * sample<8>(sky_curve, fmaf(ray.y, float(backdrop.bands), 0.5f));
    float result = sky;
    if (distance >= 0.0f) {
        unsigned which = touched[cell];
        material = shape_material[which];
        Vec3 p = along(camera.eye, ray, distance);
        float step = hit_epsilon<float>;
        float here = nearest(p, &which);
        Vec3 normal = normalise({nearest({p.x + step, p.y, p.z}, &which) - here, nearest({p.x, p.y + step, p.z}, &which) - here,
                                 nearest({p.x, p.y, p.z + step}, &which) - here});
        float albedo = material->albedo;
        if (shape_kind[which] == 0) albedo = albedo * chequer(p);
        float surface = fmaf(albedo, lambert(normal), material->glow);
        float clear = sample<8>(haze_curve, distance / FAR_AWAY);
        result = fmaf(clear, surface - sky, sky);
        atomicAdd(&evaluations, 4u);
    }
    brightness[cell] = result;
    tally(unsigned(material - palette));
}
