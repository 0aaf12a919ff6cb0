// `state`, `table` and `step` are this module's own; two.cu has others of the same names.

static __device__ unsigned state = 1;
static __constant__ int table[4] = {1, 2, 3, 4};

static __device__ __noinline__ int step(int x) { return x * table[x & 3] + 1; }

__device__ __noinline__ int nextOne(int x) {
  static __device__ unsigned calls;
  atomicAdd(&calls, 1u);
  atomicAdd(&state, 2u);
  return step(x);
}

__device__ unsigned stateOne() { return state * 1000 + 0; }
