// Uses both, and has a `state` of its own.

static __device__ int state[2] = {-7, 70};

extern __device__ int nextOne(int x);
extern __device__ int nextTwo(int x);
extern __device__ unsigned stateOne();
extern __device__ unsigned stateTwo();

extern "C" __global__ void mix(int* values) {
  __shared__ int scratch[64];
  int i = threadIdx.x;
  scratch[i] = values[i] + state[i & 1];
  __syncthreads();
  int x = nextOne(scratch[63 - i]);
  x += nextTwo(x);
  values[i] = x + scratch[i];
}

extern "C" __global__ void states(unsigned* out) {
  out[0] = stateOne();
  out[1] = stateTwo();
  out[2] = state[0] + state[1];
  state[0] = 1;
}
