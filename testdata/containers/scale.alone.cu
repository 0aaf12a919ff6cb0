// A whole program: nothing is left for device linking.
__global__ void scale(int *p) { p[threadIdx.x] *= 2; }
