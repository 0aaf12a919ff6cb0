// Values that nothing has written, and the ways in which they are used.
#include "sanitize.cuh"

//@ sharedOutput 1 32 u32[32]=0
template <bool BAD>
__global__ void sharedOutput(unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  tile[t] = t;
  if (!BAD) tile[t + 32] = t;
  __syncthreads();
  out[t] = tile[(t * 7) % 64];  // finds uninitialized shared
}
BOTH(sharedOutput, (unsigned* out))

//@ sharedSum 1 64 u32[1]=0
template <bool BAD>
__global__ void sharedSum(unsigned* out) {
  __shared__ unsigned sum;
  if (!BAD && threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;  // finds uninitialized shared
}
BOTH(sharedSum, (unsigned* out))

//@ decides 1 32 u32[32]=0
template <bool BAD>
__global__ void decides(unsigned* out) {
  __shared__ int flags[32];
  int t = threadIdx.x;
  if (!BAD || t > 3) flags[t] = t;
  __syncthreads();
  if (flags[31 - t] > 5)  // finds uninitialized shared
    out[t] = 1;
}
BOTH(decides, (unsigned* out))

//@ address 1 32 u32[64]=iota u32[32]=0
template <bool BAD>
__global__ void address(const unsigned* in, unsigned* out) {
  __shared__ int index[32];
  int t = threadIdx.x;
  if (!BAD || t != 9) index[t] = t;
  __syncthreads();
  out[t] = in[index[31 - t] & 31];  // finds uninitialized shared
}
BOTH(address, (const unsigned* in, unsigned* out))

//@ localArray 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void localArray(const unsigned* in, unsigned* out) {
  unsigned values[16];
  int t = threadIdx.x;
  for (int i = 0; i < (BAD ? 15 : 16); i++) values[(i * 5 + in[t]) & 15] = i;
  out[t] = values[(in[t] + 11) & 15];  // finds uninitialized local
}
BOTH(localArray, (const unsigned* in, unsigned* out))

//@ heapMemory 1 1 u32[4]=0
template <bool BAD>
__global__ void heapMemory(unsigned* out) {
  unsigned* p = static_cast<unsigned*>(malloc(32));
  for (int i = 0; i < (BAD ? 7 : 8); i++) p[i] = i;
  unsigned last = *static_cast<volatile unsigned*>(p + 7);
  out[0] = last;  // finds uninitialized global
  free(p);
}
BOTH(heapMemory, (unsigned* out))

//@ givenBuffer 1 32 undefined=0 u32[32]=0 u32[32]=0
template <bool BAD>
__global__ void givenBuffer(unsigned* scratch, unsigned* out) {
  int t = threadIdx.x;
  if (!BAD || t < 30) scratch[t] = t;
  __syncthreads();
  out[t] = scratch[31 - t];  // finds uninitialized global
}
BOTH(givenBuffer, (unsigned* scratch, unsigned* out))

//@ registerOutput 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void registerOutput(const unsigned* in, unsigned* out) {
  unsigned value;
  asm volatile(
      "{\n\t.reg .pred p;\n\t.reg .u32 x;\n\t"
      "setp.lt.u32 p, %1, %2;\n\t"
      "@p mov.u32 x, 5;\n\t"
      "mov.u32 %0, x;\n\t}"
      : "=r"(value)
      : "r"(in[threadIdx.x]), "n"(BAD ? 30 : 32));
  out[threadIdx.x] = value;  // finds uninitialized register
}
BOTH(registerOutput, (const unsigned* in, unsigned* out))

//@ registerDecides 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void registerDecides(const unsigned* in, unsigned* out) {
  unsigned value;
  asm volatile(
      "{\n\t.reg .pred p, q;\n\t"
      "setp.lt.u32 p, %1, %2;\n\t"
      "@p setp.eq.u32 q, %1, 3;\n\t"
      "mov.u32 %0, 0;\n\t"
      "@q mov.u32 %0, 1;\n\t}"
      : "=r"(value)
      : "r"(in[threadIdx.x]), "n"(BAD ? 30 : 32));  // finds uninitialized register
  out[threadIdx.x] = value;
}
BOTH(registerDecides, (const unsigned* in, unsigned* out))

struct Padded {
  char tag;
  int value;
};

// Bits picked out of a word that is written in part only, and padding that is copied.
//@ partOfWord 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void partOfWord(const unsigned* in, unsigned* out) {
  __shared__ __align__(4) unsigned char bytes[128];
  int t = threadIdx.x;
  bytes[4 * t] = in[t];
  bytes[4 * t + 1] = 1;
  __syncthreads();
  unsigned whole = *reinterpret_cast<volatile unsigned*>(bytes + 4 * (31 - t));
  out[t] = (whole & (BAD ? 0xffffff : 0xffff)) + 3;  // finds uninitialized shared
}
BOTH(partOfWord, (const unsigned* in, unsigned* out))

//@ copied 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void copied(const unsigned* in, unsigned* out) {
  __shared__ Padded from[32], to[32];
  int t = threadIdx.x;
  from[t].tag = 1;
  if (!BAD) from[t].value = in[t];
  __syncwarp();
  to[t] = from[t];
  __syncwarp();
  out[t] = to[t].tag;
  if (to[t].value == 40) out[t] = 2;  // finds uninitialized shared
}
BOTH(copied, (const unsigned* in, unsigned* out))
