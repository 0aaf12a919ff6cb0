// Asynchronous copies and mbarriers, as public reports describe them.
#include "../sanitize.cuh"

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void copy4(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ void waitGroup() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
__device__ void init(unsigned long long* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
}
__device__ void arrive(unsigned long long* barrier) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(sharedAddress(barrier)) : "memory");
}
__device__ void waitFor(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(sharedAddress(barrier)),
      "r"(parity)
      : "memory");
}

// https://github.com/NVIDIA/Fuser/pull/3438
// A barrier of the block behind cp.async, which does not wait for copies.
//@ barrierIsNoWait 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void barrierIsNoWait(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  int t = threadIdx.x;
  copy4(tile + t, in + t);
  commit();
  if (!BAD) waitGroup<0>();
  __syncthreads();
  out[t] = tile[31 - t];  // finds missing-wait shared
}
BOTH(barrierIsNoWait, (const unsigned* in, unsigned* out))

// https://github.com/csarofeen/pytorch/pull/2457
// In the main loop the group is committed behind the wait, so that the wait is for one group too few.
//@ lateCommit 1 32 u32[160]=iota u32[32]=0
template <bool BAD>
__global__ void lateCommit(const unsigned* in, unsigned* out) {
  __shared__ unsigned stages[3][32];
  int t = threadIdx.x;
  unsigned sum = 0;
  for (int i = 0; i < 2; i++) {
    copy4(&stages[i][t], in + 32 * i + t);
    commit();
  }
  waitGroup<1>();
  __syncthreads();
  for (int i = 0; i < 3; i++) {
    copy4(&stages[(i + 2) % 3][t], in + 32 * (i + 2) + t);
    if (!BAD) commit();
    sum += stages[i % 3][31 - t];  // finds missing-wait shared
    waitGroup<1>();
    if (BAD) commit();
    __syncthreads();
  }
  out[t] = sum;
  waitGroup<0>();
}
BOTH(lateCommit, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/cutlass/pull/2502
// As many stages are in flight as the wait leaves pending: it waits for none of them.
//@ nothingWaitedFor 1 32 u32[96]=iota u32[32]=0
template <bool BAD>
__global__ void nothingWaitedFor(const unsigned* in, unsigned* out) {
  __shared__ unsigned stages[3][32];
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    copy4(&stages[i][t], in + 32 * i + t);
    commit();
  }
  if (BAD)
    waitGroup<2>();
  else
    waitGroup<1>();
  __syncthreads();
  out[t] = stages[0][31 - t];  // finds missing-wait shared
  waitGroup<0>();
}
BOTH(nothingWaitedFor, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/Fuser/issues/1552
// One thread initialises an mbarrier, and the others use it at once.
//@ useBeforeInit 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void useBeforeInit(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 64);  // finds race shared
  if (!BAD) __syncthreads();
  tile[t] = in[t];
  arrive(&barrier);  // finds race shared
  waitFor(&barrier, 0);
  out[t] = tile[63 - t];
}
BOTH(useBeforeInit, (const unsigned* in, unsigned* out))

// https://github.com/triton-lang/triton/pull/3858
// The memory of an mbarrier is used for another one without mbarrier.inval.
//@ initAgain 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void initAgain(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x;
  for (int round = 0; round < 2; round++) {
    if (t == 0) init(&barrier, 32);  // finds mbarrier shared
    __syncthreads();
    tile[t] = in[t] + round;
    arrive(&barrier);
    waitFor(&barrier, 0);
    out[t] = tile[31 - t];
    __syncthreads();
    if (!BAD && t == 0)
      asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(sharedAddress(&barrier)) : "memory");
    __syncthreads();
  }
}
BOTH(initAgain, (const unsigned* in, unsigned* out))

__device__ void load(void* to, const void* from, unsigned long long* barrier) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 64;" ::"r"(sharedAddress(barrier)) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 64, [%2];" ::"r"(sharedAddress(to)),
               "l"(from), "r"(sharedAddress(barrier))
               : "memory");
}

// https://github.com/deepseek-ai/DeepEP/issues/657
// A ring of two stages: the store that still reads a stage is left pending when the next load into it is issued.
//@ ringOfTwo 1 1 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void ringOfTwo(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned stages[2][16];
  __shared__ unsigned long long barriers[2];
  for (int s = 0; s < 2; s++) init(&barriers[s], 1);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  for (int i = 0; i < 2; i++) load(stages[i], in + 16 * i, &barriers[i]);
  for (int i = 0; i < 4; i++) {
    int s = i % 2;
    waitFor(&barriers[s], i / 2);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 64;" ::"l"(out + 16 * i),
                 "r"(sharedAddress(stages[s]))  // finds missing-wait shared
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (i >= 2) continue;
    if (BAD)
      asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
    else
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    load(stages[s], in + 16 * (i + 2), &barriers[s]);  // finds missing-wait shared
  }
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
BOTH(ringOfTwo, (const unsigned* in, unsigned* out))
