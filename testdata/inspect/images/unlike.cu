// What differs by architecture: a kernel, parameters, launch bounds, shared memory, constants.
#if __CUDA_ARCH__ >= 900
__constant__ int table[8] = {1, 2, 3};
#define BOUNDS __launch_bounds__(256)
#define TILE 64
typedef double number;
extern "C" __global__ void late(int *p) { *p = table[*p & 7]; }
#else
__constant__ int table[4] = {1, 2, 3};
#define BOUNDS __launch_bounds__(128)
#define TILE 32
typedef float number;
#endif
extern "C" __global__ void alike(int *p) { *p = table[*p & 3]; }
extern "C" __global__ void BOUNDS bounded(int *p) { *p += 1; }
extern "C" __global__ void taking(int *p, number n) { *p = n; }
extern "C" __global__ void tiled(int *p) {
  __shared__ int tile[TILE];
  tile[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = tile[TILE - 1 - threadIdx.x];
}
