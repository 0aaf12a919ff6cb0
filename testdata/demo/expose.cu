// expose.cu: a light meter, as in a camera: a histogram of the picture, and from it the exposure.
#include <cstdio>
#include "still.cuh"

extern "C" __device__ unsigned histogram[BINS];
extern "C" __device__ float exposure;
/// Written by the host before the first launch.
extern "C" __constant__ float exposure_bias = 1.0f;
extern "C" __device__ unsigned histogram[BINS] = {};
extern "C" __device__ float exposure = 0.0f;

/// Each block counts in shared memory, then adds its counts to the picture's.
extern "C" __global__ void meter(const float* brightness, unsigned cells) {
    __shared__ unsigned bins[BINS];
    if (threadIdx.x < BINS) bins[threadIdx.x] = 0;
    __syncthreads();
    unsigned cell = blockIdx.x * blockDim.x + threadIdx.x;
    if (cell < cells) atomicAdd(&bins[min(unsigned(brightness[cell] * float(BINS)), BINS - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);
}

/// One warp: a prefix sum over the bins; nineteen cells of twenty should be no brighter than white.
extern "C" __global__ void expose(unsigned cells) {
    unsigned lane = threadIdx.x;
    unsigned darker = lane < BINS ? histogram[lane] : 0u;
#pragma unroll
    for (unsigned reach = 1; reach < 32; reach *= 2) {
        unsigned below = __shfl_up_sync(0xffffffffu, darker, reach);
        if (lane >= reach) darker += below;
    }
    unsigned enough = __ballot_sync(0xffffffffu, darker * 20 >= cells * 19);
    unsigned white = __ffs(enough) - 1;
    if (lane != 0) return;
    exposure = exposure_bias * float(BINS) / float(white + 1);
    printf("%s (%d letters)\n", nameplate.text, int(nameplate.length));
    for (unsigned i = 0; i < MATERIALS; ++i) printf("%8s %5u cells\n", palette[i].name, tallies[i]);
    printf("white is bin %u of %u, exposure %.5f\n", white, BINS, double(exposure));
}
