// Blocks of a grid that exchange values through global memory, as public reports describe them.
#include "../sanitize.cuh"

__device__ unsigned partials[4], ready, lock, total, finished;

// https://github.com/kokkos/kokkos/issues/2681
// A scan: each block leaves its sum and counts itself as done, without a fence; the last one reads all sums.
//@ scanWithoutFence 4 32 u32[128]=iota u32[4]=0
template <bool BAD>
__global__ void scanWithoutFence(const unsigned* in, unsigned* out) {
  __shared__ bool isLast;
  unsigned sum = __reduce_add_sync(0xffffffff, in[32 * blockIdx.x + threadIdx.x]);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;  // finds race global
    if (!BAD) __threadfence();
    isLast = atomicAdd(&ready, 1) == 3;
    if (!BAD) __threadfence();
  }
  __syncthreads();
  if (isLast && threadIdx.x < 4) out[threadIdx.x] = partials[threadIdx.x];  // finds race global
}
BOTH(scanWithoutFence, (const unsigned* in, unsigned* out))

// https://github.com/pytorch/pytorch/pull/128455
// Not found: the last block's acquiring fence is missing, behind the ticket and a barrier. The CUDA programming guide's own example
// has none there either, so that the sanitizer takes this as ordered (docs/sanitizer.md, "What counts as right").
//@ twoStages 4 32 u32[128]=iota u32[4]=0
template <bool BAD>
__global__ void twoStages(const unsigned* in, unsigned* out) {
  __shared__ bool isLast;
  unsigned sum = __reduce_add_sync(0xffffffff, in[32 * blockIdx.x + threadIdx.x]);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicAdd(&ready, 1) == 3;
  }
  __syncthreads();
  if (!BAD) __threadfence();
  if (isLast && threadIdx.x < 4) out[threadIdx.x] = partials[threadIdx.x];
}
BOTH(twoStages, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/raft/pull/3041
// Top k: thread 0 counts its block as finished while other threads of it still write.
//@ selectTop 2 64 u32[128]=iota u32[128]=0 u32[1]=0
template <bool BAD>
__global__ void selectTop(const unsigned* in, unsigned* buffer, unsigned* out) {
  __shared__ bool isLast;
  int t = threadIdx.x, i = 64 * blockIdx.x + t;
  buffer[i] = in[i] + 1;  // finds race global
  __threadfence();
  if (!BAD) __syncthreads();
  if (t == 0) isLast = atomicAdd(&finished, 1) == 1;
  __syncthreads();
  __threadfence();
  if (isLast && t == 0) {
    unsigned most = 0;
    for (int k = 0; k < 128; k++) most = max(most, buffer[k]);  // finds race global
    out[0] = most;
  }
}
BOTH(selectTop, (const unsigned* in, unsigned* buffer, unsigned* out))

// https://github.com/kokkos/kokkos/issues/3038
// A lock that protects a plain update, taken and given back without fences.
//@ lockWithoutFence 4 1 u32[1]=0
template <bool BAD>
__global__ void lockWithoutFence(unsigned* out) {
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  if (!BAD) __threadfence();
  out[0] += 1;  // finds race global
  if (!BAD) __threadfence();
  atomicExch(&lock, 0);
}
BOTH(lockWithoutFence, (unsigned* out))

// https://github.com/NVIDIA/Fuser/pull/2391
// Split-K: blocks add their part one after the other; the semaphore is released without a fence of the threads that wrote.
//@ splitK 2 64 u32[64]=0
template <bool BAD>
__global__ void splitK(unsigned* out) {
  int t = threadIdx.x;
  if (blockIdx.x == 1) {
    if (t == 0)
      while (atomicAdd(&ready, 0) == 0) {
      }
    __syncthreads();
    __threadfence();
    out[t] += 5;  // finds race global
  } else {
    out[t] += 3;  // finds race global
    if (!BAD) __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(&ready, 1);
  }
}
BOTH(splitK, (unsigned* out))

// https://github.com/NVIDIA/cccl/pull/4556
// Look-back: thread 0 overwrites the block's aggregate with its prefix while others of the block still read the aggregate.
//@ lookBackTest 1 64 u32[1]=7 u32[64]=0
template <bool BAD>
__global__ void lookBackTest(unsigned* tile, unsigned* out) {
  int t = threadIdx.x;
  unsigned aggregate = tile[0];  // finds race global
  if (!BAD) __syncthreads();
  if (t == 0) tile[0] = 100;  // finds race global
  out[t] = aggregate + t;
}
BOTH(lookBackTest, (unsigned* tile, unsigned* out))

// https://github.com/JuliaGPU/AcceleratedKernels.jl/pull/98
// Look-back: the flag is read atomically, the aggregate that it announces is not ordered before it.
//@ staleAggregate 2 1 u32[2]=0
template <bool BAD>
__global__ void staleAggregate(unsigned* out) {
  if (blockIdx.x == 0) {
    partials[0] = 42;  // finds race global
    if (!BAD) __threadfence();
    atomicExch(&ready, 1);
  } else {
    while (atomicAdd(&ready, 0) == 0) {
    }
    if (!BAD) __threadfence();
    out[1] = partials[0];  // finds race global
  }
}
BOTH(staleAggregate, (unsigned* out))

// https://github.com/NVIDIA/cub/issues/356
// A grid barrier polls its flag with a load that has a cache operator and is not volatile: a weak load.
//@ weakPolling 2 1 u32[2]=0
template <bool BAD>
__global__ void weakPolling(unsigned* out) {
  if (blockIdx.x == 0) {
    out[0] = 1;
    __threadfence();
    *(volatile unsigned*)&ready = 1;  // finds race global
  } else {
    if (BAD) {
      unsigned seen;
      do {
        asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(seen) : "l"(&ready) : "memory");  // finds race global
      } while (seen == 0);
    } else
      while (*(volatile unsigned*)&ready == 0) {
      }
    __threadfence();
    out[1] = 2;
  }
}
BOTH(weakPolling, (unsigned* out))

// https://github.com/kaldi-asr/kaldi/issues/3036
// A sum meant for one block is launched with several, all of which reduce in the same buffer.
//@ sumReduce 3 32 u32[32]=iota
template <bool BAD>
__global__ void sumReduce(unsigned* buffer) {
  if (!BAD && blockIdx.x > 0) return;
  int t = threadIdx.x;
  for (int half = 16; half > 0; half /= 2) {
    if (t < half) buffer[t] += buffer[t + half];  // finds race global
    __syncthreads();
  }
}
BOTH(sumReduce, (unsigned* buffer))
