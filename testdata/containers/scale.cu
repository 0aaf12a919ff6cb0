// A kernel that needs a function of another module.
__device__ int twice(int x);

__global__ void scale(int *p) { p[threadIdx.x] = twice(p[threadIdx.x]); }
