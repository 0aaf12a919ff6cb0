// Races between threads of a block, as public reports describe them. The first comment line above each kernel has the report.
#include "../sanitize.cuh"

// https://github.com/pytorch/pytorch/pull/162995
// Two reductions of a block, one over y and one over x, use the same shared memory one after the other.
//@ reduceTwice 1 8,8 u32[64]=iota u32[1]=0
template <bool BAD>
__global__ void reduceTwice(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[64];
  int x = threadIdx.x, y = threadIdx.y, t = 8 * y + x;
  shared[t] = in[t];
  for (int step = 4; step > 0; step /= 2) {
    __syncthreads();
    if (y < step) shared[t] += shared[t + 8 * step];
  }
  __syncthreads();
  unsigned column = shared[x];  // finds race shared
  if (!BAD) __syncthreads();
  shared[t] = y == 0 ? column : 0;  // finds race shared
  for (int step = 4; step > 0; step /= 2) {
    __syncthreads();
    if (x < step) shared[t] += shared[t + step];
  }
  if (t == 0) out[0] = shared[0];
}
BOTH(reduceTwice, (const unsigned* in, unsigned* out))

// https://github.com/pytorch/pytorch/pull/27634
// Layer norm: two sums of a block in a row through one array of warp sums.
//@ layerNormSums 1 64 u32[64]=iota u32[2]=0
template <bool BAD>
__device__ unsigned blockSum(unsigned value, unsigned* sums) {
  for (int step = 16; step > 0; step /= 2) value += __shfl_down_sync(0xffffffff, value, step);
  if (!BAD) __syncthreads();
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;  // finds race shared
  __syncthreads();
  return sums[0] + sums[1];  // finds race shared
}
template <bool BAD>
__global__ void layerNormSums(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[2];
  unsigned value = in[threadIdx.x];
  unsigned sum = blockSum<BAD>(value, sums);
  unsigned squares = blockSum<BAD>(value * value, sums);
  if (threadIdx.x == 0) out[0] = sum, out[1] = squares;
}
BOTH(layerNormSums, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/cuml/pull/6578
// A loop over rows: thread 0 sums the products up while the others write the next row's.
//@ blockGemv 1 64 u32[256]=iota u32[4]=0
template <bool BAD>
__global__ void blockGemv(const unsigned* in, unsigned* out) {
  __shared__ unsigned products[64];
  int t = threadIdx.x;
  for (int row = 0; row < 4; row++) {
    products[t] = 3 * in[64 * row + t];  // finds race shared
    __syncthreads();
    if (t == 0) {
      unsigned sum = 0;
      for (int i = 0; i < 64; i++) sum += products[i];  // finds race shared
      out[row] = sum;
    }
    if (!BAD) __syncthreads();
  }
}
BOTH(blockGemv, (const unsigned* in, unsigned* out))

// https://github.com/dmlc/xgboost/pull/3293
// Storage of a block reduction is used again in the next round of a loop.
//@ gradientSums 1 64 u32[256]=iota u32[4]=0
template <bool BAD>
__global__ void gradientSums(const unsigned* in, unsigned* out) {
  __shared__ unsigned warps[2];
  int t = threadIdx.x;
  for (int round = 0; round < 4; round++) {
    unsigned value = __reduce_add_sync(0xffffffff, in[64 * round + t]);
    if (t % 32 == 0) warps[t / 32] = value;  // finds race shared
    __syncthreads();
    if (t == 0) out[round] = warps[0] + warps[1];  // finds race shared
    if (!BAD) __syncthreads();
  }
}
BOTH(gradientSums, (const unsigned* in, unsigned* out))

// https://github.com/ORNL/HeCBench/issues/254
// One thread writes the block's totals, and all read them at once.
//@ triangleTotals 1 128 u32[128]=iota u32[128]=0
template <bool BAD>
__global__ void triangleTotals(const unsigned* in, unsigned* out) {
  __shared__ unsigned total;
  int t = threadIdx.x;
  if (t == 0) total = in[0] + in[127];  // finds race shared
  if (!BAD) __syncthreads();
  out[t] = total + t;  // finds race shared
}
BOTH(triangleTotals, (const unsigned* in, unsigned* out))

// https://github.com/ORNL/HeCBench/issues/261
// Shortest paths: a round relaxes distances that other threads of the same round still read.
//@ shortestPaths 1 8,8 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void shortestPaths(const unsigned* in, unsigned* out) {
  __shared__ unsigned d[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  d[y][x] = in[8 * y + x] * 37 % 64;
  __syncthreads();
  for (int k = 0; k < 8; k++) {
    unsigned through = d[(y + k) % 8][x] + d[y][(x + k) % 8] / 2;  // finds race shared
    if (!BAD) __syncthreads();
    if (through < d[y][x]) d[y][x] = through;  // finds race shared
    __syncthreads();
  }
  out[8 * y + x] = d[y][x];
}
BOTH(shortestPaths, (const unsigned* in, unsigned* out))

// https://github.com/vllm-project/vllm/pull/13140
// Counters in shared memory are cleared by some threads and counted up by others without a barrier between.
//@ alignExperts 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void alignExperts(const unsigned* in, unsigned* out) {
  __shared__ unsigned counts[64];
  int t = threadIdx.x;
  counts[t] = 0;  // finds race shared
  if (!BAD) __syncthreads();
  atomicAdd(&counts[(in[t] * 7) % 64], 1);  // finds race shared
  __syncthreads();
  out[t] = counts[t];
}
BOTH(alignExperts, (const unsigned* in, unsigned* out))

// https://github.com/sgl-project/sglang/pull/37663
// A prefix is written by a thread for each expert, and all search in it.
//@ searchPrefix 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void searchPrefix(const unsigned* in, unsigned* out) {
  __shared__ unsigned prefix[64];
  int t = threadIdx.x;
  prefix[t] = 2 * in[t];  // finds race shared
  if (!BAD) __syncthreads();
  int low = 0, high = 63;
  while (low < high) {
    int middle = (low + high) / 2;
    if (prefix[middle] < in[t])  // finds race shared
      low = middle + 1;
    else
      high = middle;
  }
  out[t] = low;
}
BOTH(searchPrefix, (const unsigned* in, unsigned* out))

// https://github.com/ggml-org/llama.cpp/pull/13742
// Attention: warps look at the mask in shared memory and go on to the next tile each at its own time, which writes the next mask.
//@ attentionMask 1 64 u32[256]=0 u32[64]=0
template <bool BAD>
__global__ void attentionMask(const unsigned* in, unsigned* out) {
  __shared__ unsigned mask[64];
  int t = threadIdx.x;
  unsigned sum = 0;
  for (int tile = 0; tile < 4; tile++) {
    mask[t] = in[64 * tile + t];  // finds race shared
    __syncthreads();
    bool skip = __all_sync(0xffffffff, mask[t] == 0 && mask[63 - t] == 0);  // finds race shared
    if (!BAD) __syncthreads();
    if (skip) continue;
    sum += in[64 * tile + t];
  }
  out[t] = sum;
}
BOTH(attentionMask, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/cudf/pull/20044
// Decimals of a stripe: all threads read the state that thread 0 moves on at the end of a round.
//@ decodeDecimals 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void decodeDecimals(const unsigned* in, unsigned* out) {
  __shared__ unsigned row;
  int t = threadIdx.x;
  if (t == 0) row = 0;
  __syncthreads();
  unsigned sum = 0;
  for (int round = 0; round < 3; round++) {
    sum += in[(row + t) % 64];  // finds race shared
    if (!BAD) __syncthreads();
    if (t == 0) row += 8;  // finds race shared
    __syncthreads();
  }
  out[t] = sum;
}
BOTH(decodeDecimals, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/cuCollections/pull/337
// The first thread of each group resets a counter while others of the block still flush the one before.
//@ groupCounters 1 64 u32[64]=iota u32[8]=0
template <bool BAD>
__global__ void groupCounters(const unsigned* in, unsigned* out) {
  __shared__ unsigned counts[8];
  int t = threadIdx.x, group = t / 8;
  if (t % 8 == 0) counts[group] = 0;  // finds race shared
  if (!BAD) __syncthreads();
  if (in[t] % 3 != 0) atomicAdd(&counts[(group + 1) % 8], 1);  // finds race shared
  __syncthreads();
  if (t % 8 == 0) out[group] = counts[group];
}
BOTH(groupCounters, (const unsigned* in, unsigned* out))

// https://github.com/tile-ai/tilelang/issues/2556
// A compiler drops the barrier of 48 threads that exchange values through shared memory: 48 is no multiple of 32.
//@ partialTile 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void partialTile(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[48];
  int t = threadIdx.x;
  if (t < 48) tile[t] = in[t];  // finds race shared
  if (!BAD) __syncthreads();
  if (t < 48) out[t] = tile[47 - t];  // finds race shared
}
BOTH(partialTile, (const unsigned* in, unsigned* out))
