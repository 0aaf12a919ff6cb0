// engrave.cu: the last kernel turns brightness into characters.
#include "still.cuh"

/// From dark to light.
__constant__ char ramp[] = " .:-=+*#%@";
constexpr int SHADES = sizeof(ramp) - 1;
/// Ordered dithering: the threshold of each cell of a 4 x 4 square, in sixteenths.
__constant__ unsigned char bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
/// A film's response: gentle at both ends.
__constant__ float film_curve[9] = {0.0f, 0.08f, 0.2f, 0.34f, 0.5f, 0.66f, 0.8f, 0.92f, 1.0f};
/// The middle of the curve, kept as a pointer, so that development can be pushed by moving it.
__device__ const float* film_middle = &film_curve[4];

/// sharedBytes: (blockDim.x + 2) * (blockDim.y + 2) floats, a tile with a border of one cell
extern "C" __global__ void engrave(const float* brightness, unsigned width, unsigned height, char* picture) {
    extern __shared__ float tile[];
    unsigned pitch = blockDim.x + 2;
    unsigned size = pitch * (blockDim.y + 2);
    unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    int left = int(blockIdx.x * blockDim.x) - 1;
    int top = int(blockIdx.y * blockDim.y) - 1;
    for (unsigned i = thread; i < size; i += blockDim.x * blockDim.y) {
        int column = min(max(left + int(i % pitch), 0), int(width) - 1);
        int row = min(max(top + int(i / pitch), 0), int(height) - 1);
        tile[i] = brightness[row * width + column] * exposure;
    }
    __syncthreads();
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const float* at = &tile[(threadIdx.y + 1) * pitch + threadIdx.x + 1];
    float here = at[0];
    float around = (at[-1] + at[1]) + (at[-int(pitch)] + at[int(pitch)]);
    float sharp = fmaf(-0.15f, around, fmaf(0.6f, here, here));
    float tone = sample<8>(film_middle - 4, sharp);
    float threshold = (float(bayer[row & 3][column & 3]) + 0.5f) * 0.0625f;
    int shade = min(int(fmaf(tone, float(SHADES - 1), threshold)), SHADES - 1);
    picture[row * width + column] = ramp[shade];
}
