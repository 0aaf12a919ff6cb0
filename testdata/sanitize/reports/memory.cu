// Bounds, alignment and initialisation, as public reports describe them.
#include "../sanitize.cuh"

// https://github.com/numba/numba/issues/7284
// A kernel for arrays of any length does not look whether its thread has an element.
//@ mutateAll 1 64 u32[40]=iota u32=7
template <bool BAD>
__global__ void mutateAll(unsigned* array, unsigned value) {
  int i = threadIdx.x;
  if (BAD || i < 40) array[i] += value;  // finds out-of-bounds global
}
BOTH(mutateAll, (unsigned* array, unsigned value))

// https://github.com/ggml-org/llama.cpp/pull/7479
// Attention: rows of the last tile are read although the matrix has fewer.
//@ lastTile 1 32 u32[48]=iota u32[32]=0
template <bool BAD>
__global__ void lastTile(const unsigned* keys, unsigned* out) {
  int lane = threadIdx.x;
  unsigned sum = 0;
  for (int row = lane; row < 64; row += 32) sum += BAD || row < 48 ? keys[row] : 0;  // finds out-of-bounds global
  out[lane] = sum;
}
BOTH(lastTile, (const unsigned* keys, unsigned* out))

// https://github.com/ORNL/HeCBench/issues/122
// LU decomposition in blocks of 16 of a matrix whose size is no multiple of 16.
//@ luDiagonal 2 16 u32[400]=iota u32[32]=0
template <bool BAD>
__global__ void luDiagonal(const unsigned* matrix, unsigned* out) {
  const int size = 20;
  int t = threadIdx.x, offset = 16 * blockIdx.x;
  unsigned sum = 0;
  for (int i = 0; i < 16; i++) {
    int row = offset + i, column = offset + t;
    if (BAD || (row < size && column < size)) sum += matrix[row * size + column];  // finds out-of-bounds global
  }
  out[offset + t] = sum;
}
BOTH(luDiagonal, (const unsigned* matrix, unsigned* out))

// https://github.com/ORNL/HeCBench/issues/112
// A box filter reads one row beyond the image at its lower edge.
//@ boxFilter 1 32 u32[128]=iota u32[128]=0
template <bool BAD>
__global__ void boxFilter(const unsigned* image, unsigned* out) {
  int x = threadIdx.x;
  for (int y = 0; y < 4; y++) {
    unsigned sum = image[32 * y + x];
    if (y > 0) sum += image[32 * (y - 1) + x];
    if (BAD || y < 3) sum += image[32 * (y + 1) + x];  // finds out-of-bounds global
    out[32 * y + x] = sum;
  }
}
BOTH(boxFilter, (const unsigned* image, unsigned* out))

// https://github.com/vllm-project/vllm/issues/27911
// The product of a row number and a stride is more than 32 bits hold, and the offset comes out negative.
//@ scanOffset 1 1 u32[16]=iota u32=2147483640 u32[1]=0
template <bool BAD>
__global__ void scanOffset(const unsigned* u, unsigned stride, unsigned* out) {
  int row = 2;
  long long offset = BAD ? (long long)(row * (int)stride) : ((long long)row * stride) % 16;
  out[0] = u[offset];  // finds out-of-bounds global
}
BOTH(scanOffset, (const unsigned* u, unsigned stride, unsigned* out))

// https://github.com/flashinfer-ai/flashinfer/pull/636
// Norm: a vector of 16 bytes is read behind as many floats as the block has warps, which are no multiple of four.
//@ normVectors 1 96 u32[4]=iota u32[96]=0 shared=4096
template <bool BAD>
__global__ void normVectors(const unsigned* in, unsigned* out) {
  extern __shared__ __align__(16) unsigned memory[];
  int t = threadIdx.x, warps = blockDim.x / 32;
  unsigned* input = memory + (BAD ? warps : (warps + 3) / 4 * 4);
  for (int i = 0; i < 4; i++) input[4 * t + i] = in[i];
  uint4 vector = *reinterpret_cast<uint4*>(input + 4 * t);  // finds misaligned shared
  out[t] = vector.x + vector.w;
}
BOTH(normVectors, (const unsigned* in, unsigned* out))

// https://github.com/apache/tvm/issues/8540
// Two halves are read as one word from an odd element.
//@ stridedSlice 1 1 u16[8]=iota u32[1]=0
template <bool BAD>
__global__ void stridedSlice(const unsigned short* in, unsigned* out) {
  int first = 3 * threadIdx.x + 1;
  if (BAD)
    out[0] = *reinterpret_cast<const unsigned*>(in + first);  // finds misaligned global
  else
    out[0] = in[first] | in[first + 1] << 16;
}
BOTH(stridedSlice, (const unsigned short* in, unsigned* out))

// https://github.com/ggml-org/llama.cpp/pull/18799
// A copy of 16 bytes to an array whose elements have 8.
//@ copyToPairs 1 32 u32[128]=iota u32[128]=0
template <bool BAD>
__global__ void copyToPairs(const unsigned* in, unsigned* out) {
  __shared__ __align__(16) uint2 pairs[3 * 32];
  int t = threadIdx.x;
  uint4 four = *reinterpret_cast<const uint4*>(in + 4 * t);
  uint2* mine = pairs + 3 * t;
  if (BAD)
    *reinterpret_cast<uint4*>(mine) = four;  // finds misaligned shared
  else
    mine[0] = make_uint2(four.x, four.y), mine[1] = make_uint2(four.z, four.w);
  out[t] = mine[0].x + mine[1].y;
}
BOTH(copyToPairs, (const unsigned* in, unsigned* out))

// https://github.com/numba/numba/issues/6076
// Shared memory is added to before anything is in it; on hardware it still holds what an earlier kernel left.
//@ persistentShared 1 1 f32=10 f32[1]=0
template <bool BAD>
__global__ void persistentShared(float x, float* out) {
  __shared__ float sums[4];
  if (!BAD) sums[0] = 0;
  sums[0] += x;
  out[0] = sums[0];  // finds uninitialized shared
}
BOTH(persistentShared, (float x, float* out))

// https://github.com/NVIDIA/cudf/issues/8873
// The bits of a mask are counted, the last word's unused ones included, which nothing has written.
//@ countBits 1 1 u32[2]=0 u32[1]=0
template <bool BAD>
__global__ void countBits(unsigned* mask, unsigned* out) {
  unsigned* words = static_cast<unsigned*>(malloc(8));
  words[0] = mask[0] | 5;
  if (!BAD) words[1] = 0;
  out[0] = __popc(words[0]) + __popc(words[1]);  // finds uninitialized global
  free(words);
}
BOTH(countBits, (unsigned* mask, unsigned* out))

// https://github.com/Dao-AILab/flash-attention/issues/1813
// An epilogue does not write all of the rows that are read afterwards.
//@ epilogueRows 1 32 undefined=1 u32[32]=iota u32[64]=0 u32[1]=0
template <bool BAD>
__global__ void epilogueRows(const unsigned* in, unsigned* rows, unsigned* out) {
  int t = threadIdx.x;
  rows[t] = in[t];
  if (!BAD) rows[32 + t] = 0;
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) sum += rows[i];
    out[0] = sum;  // finds uninitialized global
  }
}
BOTH(epilogueRows, (const unsigned* in, unsigned* rows, unsigned* out))

// https://github.com/NVIDIA/numba-cuda-mlir/issues/247
// A captured array is copied to the device heap by every thread, and never given back.
//@ capturedArray 1 4 u32[4]=iota u32[4]=0
template <bool BAD>
__global__ void capturedArray(const unsigned* in, unsigned* out) {
  unsigned* copy = static_cast<unsigned*>(malloc(16));  // finds leak
  for (int i = 0; i < 4; i++) copy[i] = in[i];
  out[threadIdx.x] = copy[3 - threadIdx.x];
  if (!BAD) free(copy);
}
BOTH(capturedArray, (const unsigned* in, unsigned* out))
