// Races in shared memory.
#include "sanitize.cuh"

//@ missingBarrier 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void missingBarrier(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];  // finds race shared
  if (!BAD) __syncthreads();
  out[t] = tile[(t + 32) % 64];  // finds race shared
}
BOTH(missingBarrier, (const unsigned* in, unsigned* out))

// The second round overwrites what others still read.
//@ missingSecondBarrier 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void missingSecondBarrier(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  unsigned sum = 0;
  for (int round = 0; round < 3; round++) {
    tile[t] = in[t] + round;  // finds race shared
    __syncthreads();
    sum += tile[63 - t];  // finds race shared
    if (!BAD) __syncthreads();
  }
  out[t] = sum;
}
BOTH(missingSecondBarrier, (const unsigned* in, unsigned* out))

//@ warpSynchronous 1 32 u32[32]=iota u32[1]=0
template <bool BAD>
__global__ void warpSynchronous(const unsigned* in, unsigned* out) {
  __shared__ volatile unsigned sums[32];
  int t = threadIdx.x;
  sums[t] = in[t];
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    unsigned other = t < step ? sums[t + step] : 0;  // finds race shared
    if (!BAD) __syncwarp();
    if (t < step) sums[t] += other;  // finds race shared
    if (!BAD) __syncwarp();
  }
  if (t == 0) out[0] = sums[0];
}
BOTH(warpSynchronous, (const unsigned* in, unsigned* out))

//@ warpMask 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void warpMask(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[32];
  int t = threadIdx.x;
  values[t] = in[t];  // finds race shared
  __syncwarp(BAD ? (t < 16 ? 0xffff : 0xffff0000) : 0xffffffff);
  out[t] = values[31 - t];  // finds race shared
}
BOTH(warpMask, (const unsigned* in, unsigned* out))

//@ plainCounter 1 64 u32[1]=0
template <bool BAD>
__global__ void plainCounter(unsigned* out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (BAD)
    count += 1;  // finds race shared
  else
    atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}
BOTH(plainCounter, (unsigned* out))

//@ readBesideAtomic 1 64 u32[64]=0
template <bool BAD>
__global__ void readBesideAtomic(unsigned* out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);  // finds race shared
  if (!BAD) __syncthreads();
  out[threadIdx.x] = count;  // finds race shared
}
BOTH(readBesideAtomic, (unsigned* out))

// Neighbouring bytes do not race; the same one does.
//@ bytes 1 64 u8[64]=iota u8[64]=0
template <bool BAD>
__global__ void bytes(const unsigned char* in, unsigned char* out) {
  __shared__ unsigned char cells[65];
  int t = threadIdx.x;
  cells[t] = in[t];  // finds race shared
  if (BAD) cells[t + 1] = 9;  // finds race shared
  __syncthreads();
  out[t] = cells[t];
}
BOTH(bytes, (const unsigned char* in, unsigned char* out))

// Two warps meet at a named barrier; with too small a count only one of them does.
//@ namedBarrier 1 96 u32[96]=iota u32[96]=0
template <bool BAD>
__global__ void namedBarrier(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  if (t < 64) {
    tile[t] = in[t];  // finds race shared
    if (BAD)
      asm volatile("bar.sync %0, 32;" ::"r"(1 + t / 32) : "memory");
    else
      asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = tile[63 - t];  // finds race shared
  }
}
BOTH(namedBarrier, (const unsigned* in, unsigned* out))

// The producer arrives, the consumer waits: the order goes one way only.
//@ arriveOneWay 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void arriveOneWay(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  int t = threadIdx.x % 32;
  for (int round = 0; round < 2; round++) {
    if (threadIdx.x < 32) {
      if (!BAD && round > 0) asm volatile("bar.sync 2, 64;" ::: "memory");
      tile[t] = in[t + 32 * round];  // finds race shared
      asm volatile("bar.arrive %0, 64;" ::"r"(3 + round) : "memory");
    } else {
      asm volatile("bar.sync %0, 64;" ::"r"(3 + round) : "memory");
      out[t + 32 * round] = tile[31 - t];  // finds race shared
      if (!BAD && round == 0) asm volatile("bar.arrive 2, 64;" ::: "memory");
    }
  }
}
BOTH(arriveOneWay, (const unsigned* in, unsigned* out))

//@ oneWriter 1 64 u32[64]=0
template <bool BAD>
__global__ void oneWriter(unsigned* out) {
  __shared__ unsigned chosen;
  if (BAD || threadIdx.x == 0) chosen = threadIdx.x + 1;  // finds race shared
  __syncthreads();
  out[threadIdx.x] = chosen;
}
BOTH(oneWriter, (unsigned* out))

// All write the same: whoever is last, it is there.
//@ sameValue 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void sameValue(const unsigned* in, unsigned* out) {
  __shared__ unsigned found;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  if (in[threadIdx.x] > 40) found = BAD ? in[threadIdx.x] : 1;  // finds race shared
  __syncthreads();
  out[threadIdx.x] = found;
}
BOTH(sameValue, (const unsigned* in, unsigned* out))

//@ matrixStage 1 32 u16[256]=iota u32[32]=0
template <bool BAD>
__global__ void matrixStage(const unsigned short* in, unsigned* out) {
  __shared__ __align__(16) unsigned short tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];  // finds race shared
  tile[t + 32] = in[t + 32];  // finds race shared
  if (!BAD) __syncwarp();
  unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(tile + 8 * (t % 8)));
  unsigned value;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(value) : "r"(at) : "memory");  // finds race shared
  out[t] = value;
}
BOTH(matrixStage, (const unsigned short* in, unsigned* out))

// A cluster: the other block's shared memory.
//@ cluster 2 32 cluster=2 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void cluster(const unsigned* in, unsigned* out) {
  __shared__ unsigned cell[32];
  int t = threadIdx.x;
  cell[t] = in[32 * blockIdx.x + t];  // finds race shared
  if (!BAD) asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
  if (BAD) asm volatile("barrier.cluster.arrive.relaxed;\n\tbarrier.cluster.wait;" ::: "memory");
  unsigned mine = static_cast<unsigned>(__cvta_generic_to_shared(cell + t));
  unsigned other, value;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(mine), "r"(1 - blockIdx.x));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(other) : "memory");  // finds race shared
  out[32 * blockIdx.x + t] = value;
  asm volatile("barrier.cluster.arrive;\n\tbarrier.cluster.wait;" ::: "memory");
}
BOTH(cluster, (const unsigned* in, unsigned* out))
