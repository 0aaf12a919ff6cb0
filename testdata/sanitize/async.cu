// Asynchronous copies: bytes that are touched too early, and mbarriers.
#include "sanitize.cuh"

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
__device__ void copy4(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
}
__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N>
__device__ void waitGroup() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

//@ noWait 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void noWait(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  int t = threadIdx.x;
  copy4(tile + t, in + t);
  commit();
  if (!BAD) waitGroup<0>();
  __syncthreads();
  out[t] = tile[31 - t];  // finds missing-wait shared
}
BOTH(noWait, (const unsigned* in, unsigned* out))

//@ ownBytes 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void ownBytes(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  int t = threadIdx.x;
  copy4(tile + t, in + t);
  commit();
  if (!BAD) waitGroup<0>();
  out[t] = tile[t];  // finds missing-wait shared
}
BOTH(ownBytes, (const unsigned* in, unsigned* out))

// One stage too many is left in flight.
//@ wrongCount 1 32 u32[128]=iota u32[32]=0
template <bool BAD>
__global__ void wrongCount(const unsigned* in, unsigned* out) {
  __shared__ unsigned stages[2][32];
  int t = threadIdx.x;
  unsigned sum = 0;
  copy4(&stages[0][t], in + t);
  commit();
  for (int k = 0; k < 4; k++) {
    if (k < 3) copy4(&stages[(k + 1) % 2][t], in + 32 * (k + 1) + t);  // finds missing-wait shared
    commit();
    if (BAD)
      waitGroup<2>();
    else
      waitGroup<1>();
    __syncthreads();
    sum += stages[k % 2][31 - t];  // finds missing-wait shared
    __syncthreads();
  }
  out[t] = sum;
}
BOTH(wrongCount, (const unsigned* in, unsigned* out))

// Waited for, but other threads do not know of it.
//@ waitWithoutBarrier 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void waitWithoutBarrier(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  copy4(tile + t, in + t);  // finds race shared
  commit();
  waitGroup<0>();
  if (!BAD) __syncthreads();
  out[t] = tile[63 - t];  // finds race shared
}
BOTH(waitWithoutBarrier, (const unsigned* in, unsigned* out))

// The source is overwritten while it is read.
//@ sourceChanged 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void sourceChanged(unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  int t = threadIdx.x;
  copy4(tile + t, in + t);
  commit();
  if (!BAD) waitGroup<0>();
  in[t] = 7;  // finds missing-wait global
  waitGroup<0>();
  out[t] = tile[t];
}
BOTH(sourceChanged, (unsigned* in, unsigned* out))

__device__ void init(unsigned long long* barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
}
__device__ void arrive(unsigned long long* barrier) {
  asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.shared.b64 s, [%0];\n\t}" ::"r"(sharedAddress(barrier)) : "memory");
}
__device__ void expectBytes(unsigned long long* barrier, unsigned bytes) {
  asm volatile("{\n\t.reg .b64 s;\n\tmbarrier.arrive.expect_tx.shared.b64 s, [%0], %1;\n\t}" ::"r"(sharedAddress(barrier)), "r"(bytes) : "memory");
}
__device__ void await(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n\t.reg .pred p;\n"
      "again: mbarrier.try_wait.parity.shared.b64 p, [%0], %1;\n\t"
      "@!p bra again;\n\t}" ::"r"(sharedAddress(barrier)), "r"(parity) : "memory");
}
__device__ void bulkIn(void* to, const void* from, unsigned bytes, unsigned long long* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(to)), "l"(from), "r"(bytes), "r"(sharedAddress(barrier)) : "memory");
}

//@ bulkNoWait 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void bulkNoWait(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[32];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 1);
  __syncthreads();
  if (t == 0) {
    expectBytes(&barrier, 128);
    bulkIn(tile, in, 128, &barrier);
  }
  if (BAD) __syncthreads();
  if (!BAD) await(&barrier, 0);
  out[t] = tile[31 - t];  // finds missing-wait shared
}
BOTH(bulkNoWait, (const unsigned* in, unsigned* out))

//@ oneLaneWaits 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void oneLaneWaits(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[64];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 1);
  __syncthreads();
  if (t == 0) {
    expectBytes(&barrier, 256);
    bulkIn(tile, in, 256, &barrier);
    await(&barrier, 0);
  }
  if (!BAD) __syncthreads();
  out[t] = tile[63 - t];  // finds missing-wait shared
}
BOTH(oneLaneWaits, (const unsigned* in, unsigned* out))

// The stage is refilled while others still read it.
//@ refill 1 32 u32[64]=iota u32[32]=0
template <bool BAD>
__global__ void refill(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[32];
  __shared__ unsigned long long full;
  int t = threadIdx.x;
  if (t == 0) init(&full, 1);
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < 2; k++) {
    if (t == 0) {
      expectBytes(&full, 128);
      bulkIn(tile, in + 32 * k, 128, &full);  // finds race shared
    }
    await(&full, k);
    sum += tile[31 - t];  // finds race shared
    if (!BAD) __syncthreads();
  }
  out[t] = sum;
}
BOTH(refill, (const unsigned* in, unsigned* out))

//@ bulkOut 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void bulkOut(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[32];
  int t = threadIdx.x;
  tile[t] = in[t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(out), "r"(sharedAddress(tile)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (!BAD) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    tile[5] = 9;  // finds missing-wait shared
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
BOTH(bulkOut, (const unsigned* in, unsigned* out))

//@ useBeforeInit 1 32 u32[32]=0
template <bool BAD>
__global__ void useBeforeInit(unsigned* out) {
  __shared__ unsigned long long barrier;
  if (!BAD && threadIdx.x == 0) init(&barrier, 32);
  if (BAD && threadIdx.x == 0) barrier = (32ull << 20) | 32;
  __syncthreads();
  arrive(&barrier);  // finds mbarrier shared
  await(&barrier, 0);  // finds mbarrier shared
  out[threadIdx.x] = 1;
}
BOTH(useBeforeInit, (unsigned* out))

//@ initWithoutBarrier 1 64 u32[64]=0
template <bool BAD>
__global__ void initWithoutBarrier(unsigned* out) {
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) init(&barrier, 64);  // finds race shared
  if (!BAD) __syncthreads();
  arrive(&barrier);  // finds race shared
  await(&barrier, 0);
  out[threadIdx.x] = 1;
}
BOTH(initWithoutBarrier, (unsigned* out))

//@ tooManyArrivals 1 32 u32[32]=0
template <bool BAD>
__global__ void tooManyArrivals(unsigned* out) {
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) init(&barrier, BAD ? 8 : 32);
  __syncthreads();
  arrive(&barrier);  // finds mbarrier shared
  await(&barrier, 0);
  out[threadIdx.x] = 1;
}
BOTH(tooManyArrivals, (unsigned* out))

//@ nobodyArrives 1 32 u32[32]=0
template <bool BAD>
__global__ void nobodyArrives(unsigned* out) {
  __shared__ unsigned long long barrier;
  if (threadIdx.x == 0) init(&barrier, BAD ? 33 : 32);
  __syncthreads();
  arrive(&barrier);
  await(&barrier, 0);  // finds mbarrier
  out[threadIdx.x] = 1;
}
BOTH(nobodyArrives, (unsigned* out))

//@ bytesNeverCome 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void bytesNeverCome(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) unsigned tile[32];
  __shared__ unsigned long long barrier;
  int t = threadIdx.x;
  if (t == 0) init(&barrier, 1);
  __syncthreads();
  if (t == 0) {
    expectBytes(&barrier, BAD ? 144 : 128);
    bulkIn(tile, in, 128, &barrier);
  }
  await(&barrier, 0);  // finds mbarrier
  out[t] = tile[31 - t];
}
BOTH(bytesNeverCome, (const unsigned* in, unsigned* out))

//@ initAgain 1 32 u32[32]=0
template <bool BAD>
__global__ void initAgain(unsigned* out) {
  __shared__ unsigned long long barrier;
  for (int k = 0; k < 2; k++) {
    if (threadIdx.x == 0 && (BAD || k == 0)) init(&barrier, 32);  // finds mbarrier shared
    __syncthreads();
    arrive(&barrier);
    await(&barrier, BAD ? 0 : k);
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}
BOTH(initAgain, (unsigned* out))
