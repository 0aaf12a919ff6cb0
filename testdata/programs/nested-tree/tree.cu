// Each thread of a grid launches a grid of its own for a quarter of its square, down to single cells.
#include <cstdio>

struct Square {
  short x, y;
  int size;
  double weight;
};

__global__ void fill(Square square, int* field, int width) {
  extern __shared__ int row[];
  row[threadIdx.x] = square.x + threadIdx.x;
  __syncthreads();
  const int other = row[blockDim.x - 1 - threadIdx.x];
  field[(square.y + blockIdx.y) * width + square.x + threadIdx.x] += static_cast<int>(square.weight) + other;
}

__global__ void divide(Square square, int* field, int width, int* counter) {
  atomicAdd(counter, 1);
  const int half = square.size / 2;
  Square part;
  part.x = static_cast<short>(square.x + threadIdx.x * half);
  part.y = static_cast<short>(square.y + threadIdx.y * half);
  part.size = half;
  part.weight = square.weight * 2 + threadIdx.y * 2 + threadIdx.x;
  if (half > 4) divide<<<1, dim3(2, 2)>>>(part, field, width, counter);
  else fill<<<dim3(1, half), half, half * sizeof(int)>>>(part, field, width);
}

__global__ void last(const int* field, int width, int* counter, int** kept) {
  int sum = 0;
  for (int i = 0; i < width * width; i++) sum += field[i];
  (*kept)[0] = sum;
  printf("sum %d of %d grids\n", sum, *counter);
}

extern "C" __global__ void start(int* field, int width, int* counter, int** kept) {
  *kept = nullptr;
  cudaMalloc(reinterpret_cast<void**>(kept), 64);
  Square whole = {0, 0, width, 1.0};
  // All four of the first level, and behind everything the sum.
  divide<<<1, dim3(2, 2)>>>(whole, field, width, counter);
  last<<<1, 1, 0, cudaStreamTailLaunch>>>(field, width, counter, kept);
}

extern "C" __global__ void questions(int** kept, int* out) {
  out[0] = (*kept)[0];
  cudaFree(*kept);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, fill);
  out[1] = attributes.maxThreadsPerBlock;
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fill, 1024, 100000);
  out[2] = blocks;
  cudaDeviceGetAttribute(&out[3], cudaDevAttrWarpSize, 0);
  cudaDeviceGetAttribute(&out[4], cudaDevAttrComputeCapabilityMajor, 0);
  // No grid: a launch that cannot be, and what it leaves.
  fill<<<1, 2000>>>(Square{0, 0, 1, 0}, out, 1);
  out[5] = cudaPeekAtLastError();
  out[6] = cudaGetLastError();
  out[7] = cudaGetLastError();
  printf("%s: %s\n", cudaGetErrorName(cudaErrorInvalidConfiguration), cudaGetErrorString(cudaErrorInvalidConfiguration));
}
