extern "C" __device__ int helper(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * x; return s; }
__device__ int table[3] = {1,2,3};
