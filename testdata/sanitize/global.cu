// Races in global memory, and what orders threads of different blocks.
#include "sanitize.cuh"

//@ overlap 2 32 u32[40]=0
template <bool BAD>
__global__ void overlap(unsigned* out) {
  out[blockIdx.x * (BAD ? 16 : 32) % 40 + threadIdx.x % 8 + (BAD ? threadIdx.x / 8 * 8 % 16 : 0)] = BAD ? blockIdx.x + threadIdx.x : threadIdx.x % 8;  // finds race global
}
BOTH(overlap, (unsigned* out))

//@ counter 4 32 u32[1]=0
template <bool BAD>
__global__ void counter(unsigned* count) {
  if (BAD)
    *count = *count + 1;  // finds race global
  else
    atomicAdd(count, 1);
}
BOTH(counter, (unsigned* count))

//@ narrowScope 4 32 u32[1]=0
template <bool BAD>
__global__ void narrowScope(unsigned* count) {
  if (BAD)
    atomicAdd_block(count, 1);  // finds race global
  else
    atomicAdd(count, 1);
}
BOTH(narrowScope, (unsigned* count))

__device__ unsigned ticket;
//@ lastBlock 4 32 u32[128]=iota u32[4]=0 u32[1]=0
template <bool BAD>
__global__ void lastBlock(const unsigned* in, unsigned* partial, unsigned* out) {
  __shared__ bool last;
  unsigned sum = __reduce_add_sync(0xffffffff, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;  // finds race global
    if (!BAD) __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    unsigned all = 0;
    for (int i = 0; i < 4; i++) all += partial[i];  // finds race global
    out[0] = all;
  }
}
BOTH(lastBlock, (const unsigned* in, unsigned* partial, unsigned* out))

//@ blockFence 4 32 u32[128]=iota u32[4]=0 u32[1]=0
template <bool BAD>
__global__ void blockFence(const unsigned* in, unsigned* partial, unsigned* out) {
  __shared__ bool last;
  unsigned sum = __reduce_add_sync(0xffffffff, in[blockIdx.x * 32 + threadIdx.x]);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;  // finds race global
    if (BAD)
      __threadfence_block();
    else
      __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    unsigned all = 0;
    for (int i = 0; i < 4; i++) all += partial[i];  // finds race global
    out[0] = all;
  }
}
BOTH(blockFence, (const unsigned* in, unsigned* partial, unsigned* out))

//@ spinLock 4 32 u32[1]=0 u32[2]=0
template <bool BAD>
__global__ void spinLock(unsigned* lock, unsigned* data) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    if (!BAD) __threadfence();
    data[0] += 1;  // finds race global
    data[1] += data[0];  // finds race global
    __threadfence();
    atomicExch(lock, 0);
  }
}
BOTH(spinLock, (unsigned* lock, unsigned* data))

//@ flag 2 1 u32[1]=0 u32[1]=0 u32[1]=0
template <bool BAD>
__global__ void flag(unsigned* flag, unsigned* data, unsigned* out) {
  if (blockIdx.x == 0) {
    data[0] = 42;  // finds race global
    if (BAD)
      asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(flag)) : "memory");
    else
      asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(__cvta_generic_to_global(flag)) : "memory");
  } else {
    unsigned seen = 0;
    while (seen == 0) asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(flag)) : "memory");
    out[0] = data[0];  // finds race global
  }
}
BOTH(flag, (unsigned* flag, unsigned* data, unsigned* out))

//@ noAcquire 2 1 u32[1]=0 u32[1]=0 u32[1]=0
template <bool BAD>
__global__ void noAcquire(unsigned* flag, unsigned* data, unsigned* out) {
  if (blockIdx.x == 0) {
    data[0] = 42;  // finds race global
    __threadfence();
    *static_cast<volatile unsigned*>(flag) = 1;
  } else {
    while (*static_cast<volatile unsigned*>(flag) == 0) {
    }
    if (!BAD) __threadfence();
    out[0] = data[0];  // finds race global
  }
}
BOTH(noAcquire, (unsigned* flag, unsigned* data, unsigned* out))

//@ plainFlag 2 1 u32[1]=0 u32[1]=0
template <bool BAD>
__global__ void plainFlag(unsigned* flag, unsigned* out) {
  if (blockIdx.x == 0) {
    if (BAD)
      *flag = 1;  // finds race global
    else
      atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0) == 1)  // finds race global
    out[0] = 1;
}
BOTH(plainFlag, (unsigned* flag, unsigned* out))

// A look-back scan: each block publishes its sum with a flag, and adds up those before it.
struct State {
  unsigned flag;
  unsigned sum;
};
//@ lookBack 4 32 u32[128]=iota u32[8]=0 u32[128]=0
template <bool BAD>
__global__ void lookBack(const unsigned* in, State* states, unsigned* out) {
  __shared__ unsigned before;
  int t = threadIdx.x;
  int i = blockIdx.x * 32 + t;
  unsigned sum = in[i];
  for (int step = 1; step < 32; step *= 2) {
    unsigned other = __shfl_up_sync(0xffffffff, sum, step);
    if (t >= step) sum += other;
  }
  if (t == 31) {
    unsigned prefix = 0;
    if (blockIdx.x > 0) {
      State* last = states + blockIdx.x - 1;
      while (*static_cast<volatile unsigned*>(&last->flag) == 0) {
      }
      __threadfence();
      prefix = last->sum;  // finds race global
    }
    before = prefix;
    states[blockIdx.x].sum = prefix + sum;  // finds race global
    if (!BAD) __threadfence();
    *static_cast<volatile unsigned*>(&states[blockIdx.x].flag) = 1;
  }
  __syncthreads();
  out[i] = before + sum;
}
BOTH(lookBack, (const unsigned* in, State* states, unsigned* out))

//@ inBlock 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void inBlock(unsigned* data, unsigned* out) {
  int t = threadIdx.x;
  data[t] += 1;  // finds race global
  if (!BAD) __syncthreads();
  out[t] = data[(t + 32) % 64];  // finds race global
}
BOTH(inBlock, (unsigned* data, unsigned* out))
