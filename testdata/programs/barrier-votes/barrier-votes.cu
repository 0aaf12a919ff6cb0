// Barriers of a block that do more than wait.

extern "C" __global__ void votes(const int* in, int* out) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  int count = __syncthreads_count(v > 10);
  int every = __syncthreads_and(v > -60);
  int some = __syncthreads_or(v == 42);
  if (threadIdx.x == 0) out[blockIdx.x] = count * 4 + (every != 0) * 2 + (some != 0);
}

// Two warps produce, two consume, through two buffers and four named barriers: full 1 and 2, empty 3 and 4.
extern "C" __global__ void pipeline(const int* in, int rounds, int* out) {
  __shared__ int buffers[2][64];
  int t = threadIdx.x % 64;
  bool producer = threadIdx.x < 64;
  for (int round = 0; round < rounds; round++) {
    int which = round & 1;
    if (producer) {
      if (round >= 2) asm volatile("bar.sync %0, 128;" ::"r"(3 + which) : "memory");
      buffers[which][t] = in[round * 64 + t] * 3 + 1;
      __threadfence_block();
      asm volatile("bar.arrive %0, 128;" ::"r"(1 + which) : "memory");
    } else {
      asm volatile("bar.sync %0, 128;" ::"r"(1 + which) : "memory");
      out[round * 64 + t] = buffers[which][63 - t];
      if (round + 2 < rounds) asm volatile("bar.arrive %0, 128;" ::"r"(3 + which) : "memory");
    }
  }
}

// Half of each warp leaves early; the others go on to meet at barriers that no longer wait for the leavers.
extern "C" __global__ void leavers(int* out) {
  __shared__ int values[64];
  int t = threadIdx.x;
  if (t & 1) return;
  values[t] = t * 10;
  __syncthreads();
  int next = values[(t + 2) % 64];
  __syncwarp(0x55555555u);
  out[t] = next + __popc(__ballot_sync(0x55555555u, next > 200));
}
