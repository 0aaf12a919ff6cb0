__device__ int B(int x) { return x + 1; }
static __device__ __noinline__ int C(int x) { return x * 3; }
__global__ void own(int *p) { *p = C(*p); }
