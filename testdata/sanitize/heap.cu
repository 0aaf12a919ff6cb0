// The device heap and local variables: memory that is gone, or never given back.
#include "sanitize.cuh"

//@ usedAfterFree 1 1 u32[4]=0
template <bool BAD>
__global__ void usedAfterFree(unsigned* out) {
  unsigned* p = static_cast<unsigned*>(malloc(16));
  *static_cast<volatile unsigned*>(p) = 3;
  if (BAD) free(p);
  out[0] = *static_cast<volatile unsigned*>(p);  // finds use-after-free global
  if (!BAD) free(p);
}
BOTH(usedAfterFree, (unsigned* out))

//@ freedTwice 1 1 u32[4]=0
template <bool BAD>
__global__ void freedTwice(unsigned* out) {
  unsigned* p = static_cast<unsigned*>(malloc(16));
  unsigned* q = static_cast<unsigned*>(malloc(16));
  *static_cast<volatile unsigned*>(p) = 3;
  out[0] = *static_cast<volatile unsigned*>(p);
  free(p);
  free(BAD ? p : q);  // finds double-free global
}
BOTH(freedTwice, (unsigned* out))

//@ leaks 1 32 u32[32]=0
template <bool BAD>
__global__ void leaks(unsigned* out) {
  unsigned* p = static_cast<unsigned*>(malloc(16));  // finds leak global
  *static_cast<volatile unsigned*>(p) = threadIdx.x;
  out[threadIdx.x] = *static_cast<volatile unsigned*>(p);
  if (!BAD) free(p);
}
BOTH(leaks, (unsigned* out))

//@ returned 1 1 u32[4]=iota u32[4]=0
__device__ __noinline__ unsigned* keep(unsigned value, unsigned** where) {
  unsigned local[4];
  for (int i = 0; i < 4; i++) static_cast<volatile unsigned*>(local)[i] = value + i;
  *where = local;
  return *where;
}
template <bool BAD>
__global__ void returned(const unsigned* in, unsigned* out) {
  unsigned own[4] = {in[0], in[1], in[2], in[3]};
  unsigned* where = nullptr;
  unsigned* p = keep(in[1], &where);
  if (!BAD) p = own;
  out[0] = static_cast<volatile unsigned*>(p)[in[2]];  // finds use-after-free local
}
BOTH(returned, (const unsigned* in, unsigned* out))
