// Barriers and collectives of a warp that not everybody reaches as they have to.
#include "sanitize.cuh"

//@ branch 1 64 u32[64]=0
template <bool BAD>
__global__ void branch(unsigned* out) {
  if (!BAD || threadIdx.x < 32) __syncthreads();  // finds barrier
  out[threadIdx.x] = threadIdx.x;
}
BOTH(branch, (unsigned* out))

//@ divergent 1 64 u32[64]=0
template <bool BAD>
__global__ void divergent(unsigned* out) {
  if (!BAD || threadIdx.x % 2 == 0) __syncthreads();  // finds barrier
  out[threadIdx.x] = threadIdx.x;
}
BOTH(divergent, (unsigned* out))

// Half of a warp waits at one barrier, half at another: neither opens.
//@ twoBarriers 1 32 u32[32]=0
template <bool BAD>
__global__ void twoBarriers(unsigned* out) {
  if (BAD && threadIdx.x < 16)
    asm volatile("barrier.sync 1;" ::: "memory");  // finds barrier
  else
    asm volatile("barrier.sync 2;" ::: "memory");  // finds barrier
  out[threadIdx.x] = 1;
}
BOTH(twoBarriers, (unsigned* out))

//@ differentCounts 1 64 u32[64]=0
template <bool BAD>
__global__ void differentCounts(unsigned* out) {
  unsigned count = BAD && threadIdx.x >= 32 ? 96 : 64;
  asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");  // finds barrier
  out[threadIdx.x] = 1;
}
BOTH(differentCounts, (unsigned* out))

//@ laneBarriers 1 32 u32[32]=0
template <bool BAD>
__global__ void laneBarriers(unsigned* out) {
  unsigned number = BAD ? threadIdx.x / 16 : 0;
  asm volatile("bar.sync %0;" ::"r"(number) : "memory");  // finds barrier
  out[threadIdx.x] = 1;
}
BOTH(laneBarriers, (unsigned* out))

// More threads are counted than the block has left.
//@ countOfExited 1 64 u32[64]=0
template <bool BAD>
__global__ void countOfExited(unsigned* out) {
  if (BAD && threadIdx.x >= 32) return;
  asm volatile("bar.sync 1, 64;" ::: "memory");  // finds barrier
  out[threadIdx.x] = 1;
}
BOTH(countOfExited, (unsigned* out))

//@ clusterWithoutWait 2 32 cluster=2 u32[64]=0
template <bool BAD>
__global__ void clusterWithoutWait(unsigned* out) {
  out[blockIdx.x * 32 + threadIdx.x] = 1;
  asm volatile("barrier.cluster.arrive;" ::: "memory");  // finds barrier
  if (!BAD) asm volatile("barrier.cluster.wait;" ::: "memory");
}
BOTH(clusterWithoutWait, (unsigned* out))

//@ clusterTwice 2 32 cluster=2 u32[64]=0
template <bool BAD>
__global__ void clusterTwice(unsigned* out) {
  for (int i = 0; i < 2; i++) {
    asm volatile("barrier.cluster.arrive;" ::: "memory");  // finds barrier
    if (!BAD || i > 0) asm volatile("barrier.cluster.wait;" ::: "memory");
  }
  out[blockIdx.x * 32 + threadIdx.x] = 1;
}
BOTH(clusterTwice, (unsigned* out))

//@ ownLane 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void ownLane(const unsigned* in, unsigned* out) {
  unsigned value = in[threadIdx.x], other;
  unsigned mask = BAD ? 0xfffffffe : 0xffffffff;
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, %2;" : "=r"(other) : "r"(value), "r"(mask));  // finds warp-mask
  out[threadIdx.x] = other;
}
BOTH(ownLane, (const unsigned* in, unsigned* out))

//@ ownLaneOfSync 1 32 u32[32]=0
template <bool BAD>
__global__ void ownLaneOfSync(unsigned* out) {
  out[threadIdx.x] = 1;
  unsigned mask = BAD ? 0x7fffffff : 0xffffffff;
  if (!BAD || threadIdx.x == 31) asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");  // finds warp-mask
}
BOTH(ownLaneOfSync, (unsigned* out))

//@ exitedLane 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void exitedLane(const unsigned* in, unsigned* out) {
  if (BAD && in[threadIdx.x] > 29) return;
  __syncwarp(BAD ? 0x3fffffff : 0xffffffff);
  out[threadIdx.x] = __ballot_sync(0xffffffff, in[threadIdx.x] > 3);  // finds warp-mask
}
BOTH(exitedLane, (const unsigned* in, unsigned* out))

//@ differentMasks 1 32 u32[32]=0
template <bool BAD>
__global__ void differentMasks(unsigned* out) {
  unsigned mask = BAD ? (threadIdx.x < 16 ? 0xffffffff : 0xffff0000) : 0xffffffff;
  unsigned result;
  asm volatile("{\n\t.reg .pred p;\n\tsetp.gt.u32 p, %1, 3;\n\tvote.sync.ballot.b32 %0, p, %2;\n\t}" : "=r"(result) : "r"(+threadIdx.x), "r"(mask));  // finds warp-mask
  out[threadIdx.x] = result;
}
BOTH(differentMasks, (unsigned* out))

// Lanes of a branch shuffle among themselves, one reads a lane that is not among them.
//@ readsOutside 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void readsOutside(const unsigned* in, unsigned* out) {
  unsigned value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    unsigned from = BAD ? threadIdx.x + 8 : (threadIdx.x + 8) % 16;
    value = __shfl_sync(0xffff, value, from);  // finds warp-mask
  }
  out[threadIdx.x] = value;
}
BOTH(readsOutside, (const unsigned* in, unsigned* out))

// As the destructor of libcu++'s pipeline: every lane arrives, a match elects a lane of each warp, the last of these ends the mbarrier.
//@ lastEnds 1 64 u32[64]=0
template <bool BAD>
__global__ void lastEnds(unsigned* out) {
  __shared__ unsigned long long barrier;
  __shared__ unsigned warps;
  unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at) : "memory");
    warps = 2;
  }
  __syncthreads();
  asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(at) : "memory");
  unsigned same = __match_any_sync(0xffffffff, at);
  if (threadIdx.x % 32 == __ffs(same) - 1) {
    if (!BAD) __threadfence_block();
    unsigned left = atomicSub(&warps, 1);
    if (!BAD) __threadfence_block();
    if (left == 1) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");  // finds race shared
  }
  out[threadIdx.x] = same;
}
BOTH(lastEnds, (unsigned* out))
