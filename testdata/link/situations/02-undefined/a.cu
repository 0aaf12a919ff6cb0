extern "C" __device__ float undefined_fn(float);
extern "C" __global__ void k(float *p) { *p = undefined_fn(*p); }
