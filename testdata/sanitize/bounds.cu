// Accesses that leave what their address was made from. A line with "finds" is where the finding stands.
#include "sanitize.cuh"

//@ last 1 32 u32[32]=iota u32[31]=0
template <bool BAD>
__global__ void last(const unsigned* in, unsigned* out) {
  int t = threadIdx.x;
  if (BAD || t < 31) out[t] = in[t];  // finds out-of-bounds global
}
BOTH(last, (const unsigned* in, unsigned* out))

//@ negative 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void negative(const unsigned* in, unsigned* out) {
  int t = threadIdx.x;
  out[t] = in[BAD ? t - 1 : max(t - 1, 0)];  // finds out-of-bounds global
}
BOTH(negative, (const unsigned* in, unsigned* out))

// The shared array behind is long enough to hold what is written too far.
//@ neighbour 1 32 u32[32]=iota u32[64]=0
template <bool BAD>
__global__ void neighbour(const unsigned* in, unsigned* out) {
  __shared__ unsigned first[32];
  __shared__ unsigned second[32];
  int t = threadIdx.x;
  first[t] = 1;
  second[t] = 2;
  __syncthreads();
  volatile unsigned* p = first;
  p[in[t] + (BAD ? 1 : 0)] = 3;  // finds out-of-bounds shared
  __syncthreads();
  out[t] = first[t];
  out[32 + t] = second[t];
}
BOTH(neighbour, (const unsigned* in, unsigned* out))

//@ variable 1 16 u32[16]=iota u32[16]=0
__device__ unsigned tableA[16];
__device__ unsigned tableB[16];

template <bool BAD>
__global__ void variable(const unsigned* in, unsigned* out) {
  unsigned* p = tableA;
  tableB[threadIdx.x] = 0;
  __syncwarp();
  out[threadIdx.x] = p[in[threadIdx.x] + (BAD ? 8 : 0)];  // finds out-of-bounds global
}
BOTH(variable, (const unsigned* in, unsigned* out))

//@ vector 1 8 u32[30]=iota u32[32]=0
template <bool BAD>
__global__ void vector(const uint4* in, uint4* out) {
  int t = threadIdx.x;
  if (BAD || t < 7) out[t] = in[t];  // finds out-of-bounds global
}
BOTH(vector, (const uint4* in, uint4* out))

//@ fromParameter 1 1 u32[4]=iota u32[4]=0 u64=4
template <bool BAD>
__global__ void fromParameter(const unsigned* in, unsigned* out, unsigned long long count) {
  for (unsigned long long i = 0; i < count + (BAD ? 1 : 0); i++) out[i % 4] = in[i];  // finds out-of-bounds global
}
BOTH(fromParameter, (const unsigned* in, unsigned* out, unsigned long long count))

//@ callee 1 1 u32[8]=0
__device__ __noinline__ void fill(unsigned* to, int count) {
  for (int i = 0; i < count; i++) to[i] = i;  // finds out-of-bounds shared
}

template <bool BAD>
__global__ void callee(unsigned* out) {
  __shared__ unsigned small[8];
  __shared__ unsigned other[8];
  other[threadIdx.x] = 7;
  fill(small, BAD ? 9 : 8);
  out[0] = small[3] + other[0];
}
BOTH(callee, (unsigned* out))

//@ heapBlock 1 1 u32[8]=0
template <bool BAD>
__global__ void heapBlock(unsigned* out) {
  unsigned* p = static_cast<unsigned*>(malloc(16));
  unsigned* q = static_cast<unsigned*>(malloc(16));
  for (int i = 0; i < 4; i++) p[i] = q[i] = i;
  out[0] = p[3];
  if (!BAD) out[1] = p[0];
  if (BAD) out[1] = p[out[2] + 4];  // finds out-of-bounds global
  free(p);
  free(q);
}
BOTH(heapBlock, (unsigned* out))

//@ throughMemory 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void throughMemory(unsigned* in, unsigned* out) {
  __shared__ unsigned* pointers[2];
  if (threadIdx.x == 0) {
    pointers[0] = in;
    pointers[1] = out;
  }
  __syncthreads();
  unsigned* volatile* p = pointers;
  p[1][threadIdx.x] = p[0][threadIdx.x + (BAD ? 1 : 0)];  // finds out-of-bounds global
}
BOTH(throughMemory, (unsigned* in, unsigned* out))

//@ dynamicShared 1 32 shared=128 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void dynamicShared(const unsigned* in, unsigned* out) {
  extern __shared__ unsigned pool[];
  int t = threadIdx.x;
  pool[t] = in[t];
  if (BAD && t == 31) pool[in[t] + 1] = 0;  // finds out-of-bounds shared
  __syncthreads();
  out[t] = pool[31 - t];
}
BOTH(dynamicShared, (const unsigned* in, unsigned* out))

//@ oddAddress 1 1 u8[16]=iota u32[4]=0
template <bool BAD>
__global__ void oddAddress(const char* in, unsigned* out) {
  out[0] = *reinterpret_cast<const unsigned*>(in + (BAD ? 2 : 4));  // finds misaligned global
}
BOTH(oddAddress, (const char* in, unsigned* out))

//@ oddVector 1 1 u32[16]=iota u32[4]=0
template <bool BAD>
__global__ void oddVector(const unsigned* in, uint4* out) {
  out[0] = *reinterpret_cast<const uint4*>(in + (BAD ? 1 : 4));  // finds misaligned global
}
BOTH(oddVector, (const unsigned* in, uint4* out))

//@ oddShared 1 1 u32[4]=0
template <bool BAD>
__global__ void oddShared(unsigned* out) {
  __shared__ __align__(16) unsigned char bytes[16];
  for (int i = 0; i < 16; i++) bytes[i] = i;
  out[0] = *reinterpret_cast<volatile unsigned short*>(bytes + (BAD ? 3 : 4));  // finds misaligned shared
}
BOTH(oddShared, (unsigned* out))
