__constant__ float taps[3] = {0.25f, 0.5f, 0.25f};

__device__ float tap(int k) { return taps[k + 1]; }
