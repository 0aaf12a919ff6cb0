__device__ int B(int); __device__ int C(int);
__global__ void A(int *p) { *p = B(*p) + C(*p); }
