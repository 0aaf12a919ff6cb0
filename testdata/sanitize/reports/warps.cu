// Lanes of a warp and barriers, as public reports describe them.
#include "../sanitize.cuh"

// https://github.com/kokkos/kokkos/pull/6630
// The last step of a reduction: one lane writes the sum and others of its warp read it.
//@ kokkosReduce 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void kokkosReduce(const unsigned* in, unsigned* out) {
  __shared__ unsigned shared[32];
  int t = threadIdx.x;
  unsigned sum = __reduce_add_sync(0xffffffff, in[t]);
  if (t == 0) shared[0] = sum;  // finds race shared
  if (!BAD) __syncwarp();
  out[t] = shared[0] + t;  // finds race shared
}
BOTH(kokkosReduce, (const unsigned* in, unsigned* out))

// https://github.com/kokkos/kokkos/issues/1958
// The mask of a group of lanes is made with % where / is meant, so that it names another group.
//@ groupMask 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void groupMask(const unsigned* in, unsigned* out) {
  const int width = 8;
  int lane = threadIdx.x;
  unsigned mask = ((1u << width) - 1) << (BAD ? lane % (32 / width) * width : lane / width * width);
  unsigned value = in[lane];
  for (int step = 4; step > 0; step /= 2) value += __shfl_xor_sync(mask, value, step, width);  // finds warp-mask
  out[lane] = value;
}
BOTH(groupMask, (const unsigned* in, unsigned* out))

// https://github.com/sgl-project/sglang/pull/9620
// Groups of 16 lanes find their maximum, all with the mask of the lower half.
//@ groupMaximum 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void groupMaximum(const unsigned* in, unsigned* out) {
  int lane = threadIdx.x;
  unsigned mask = BAD ? 0xffff : lane % 32 >= 16 ? 0xffff0000 : 0xffff;
  unsigned value = in[lane];
  for (int step = 8; step > 0; step /= 2) value = max(value, __shfl_xor_sync(mask, value, step, 16));  // finds warp-mask
  out[lane] = value;
}
BOTH(groupMaximum, (const unsigned* in, unsigned* out))

// https://github.com/alpaka-group/mallocMC/pull/145
// A vote with the mask of the whole warp in a branch that some lanes have left for good.
//@ wholeMask 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void wholeMask(const unsigned* in, unsigned* out) {
  int lane = threadIdx.x;
  unsigned takers = __ballot_sync(0xffffffff, in[lane] % 3 == 0);
  if (in[lane] % 3 != 0) return;
  unsigned votes = __ballot_sync(BAD ? 0xffffffff : takers, in[lane] % 2 == 0);  // finds warp-mask
  out[lane] = votes;
}
BOTH(wholeMask, (const unsigned* in, unsigned* out))

// https://github.com/ORNL/HeCBench/issues/91
// The reduction of a warp through volatile shared memory, from before Volta.
//@ volatileReduce 1 32 u32[64]=iota u32[1]=0
template <bool BAD>
__global__ void volatileReduce(const unsigned* in, unsigned* out) {
  __shared__ volatile unsigned s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = in[t + 32];
  unsigned sum = s[t];
  __syncwarp();
  for (int step = 32; step > 0; step /= 2) {
    sum += s[t + step >= 64 ? 63 : t + step];  // finds race shared
    if (!BAD) __syncwarp();
    s[t] = sum;  // finds race shared
    if (!BAD) __syncwarp();
  }
  if (t == 0) out[0] = sum;
}
BOTH(volatileReduce, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/raft/pull/679
// Nearest neighbours: lanes swap candidates through shared memory of their warp.
//@ nearestNeighbours 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void nearestNeighbours(const unsigned* in, unsigned* out) {
  __shared__ unsigned queue[2][32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  queue[warp][lane] = in[threadIdx.x];  // finds race shared
  if (!BAD) __syncwarp();
  out[threadIdx.x] = queue[warp][lane ^ 1];  // finds race shared
}
BOTH(nearestNeighbours, (const unsigned* in, unsigned* out))

// https://github.com/NVIDIA/cudf/pull/23681
// Delta decoding: all lanes read the index that lane 0 advances to the next mini block.
//@ miniBlocks 1 32 u32[128]=iota u32[32]=0
template <bool BAD>
__global__ void miniBlocks(const unsigned* in, unsigned* out) {
  __shared__ unsigned current;
  int lane = threadIdx.x;
  if (lane == 0) current = 0;
  __syncwarp();
  unsigned sum = 0;
  for (int pass = 0; pass < 4; pass++) {
    sum += in[current + lane];  // finds race shared
    if (!BAD) __syncwarp();
    if (lane == 0) current += 32;  // finds race shared
    __syncwarp();
  }
  out[lane] = sum;
}
BOTH(miniBlocks, (const unsigned* in, unsigned* out))

// https://github.com/ORNL/HeCBench/pull/221
// Lane 0 allocates the warp's scratch memory and leaves its address in shared memory; the __syncwarp() behind it is commented out.
//@ warpScratch 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void warpScratch(const unsigned* in, unsigned* out) {
  __shared__ unsigned* scratch;
  int lane = threadIdx.x;
  if (lane == 0) scratch = static_cast<unsigned*>(malloc(128));  // finds race shared
  if (!BAD) __syncwarp();
  unsigned* mine = scratch;  // finds race shared
  mine[lane] = in[lane];  // finds out-of-bounds
  out[lane] = mine[lane] + 1;
  __syncwarp();
  if (lane == 0) free(mine);
}
BOTH(warpScratch, (const unsigned* in, unsigned* out))

// https://github.com/ggml-org/llama.cpp/issues/27678
// Attention: lanes of one warp take two ways, each with a barrier of its own.
//@ twoBarriers 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void twoBarriers(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  if (t % 4 == 0) {
    tile[t] = in[t];
    if (BAD) __syncthreads();  // finds barrier
  } else {
    tile[t] = 2 * in[t];
    if (BAD) __syncthreads();
  }
  if (!BAD) __syncthreads();
  out[t] = tile[63 - t];
}
BOTH(twoBarriers, (const unsigned* in, unsigned* out))

// https://github.com/ggml-org/llama.cpp/pull/13469
// A barrier that only some warps of the block execute: from there on they are one barrier ahead of the others.
//@ oneAhead 1 64 u32[64]=iota u32[64]=0
template <bool BAD>
__global__ void oneAhead(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[64];
  int t = threadIdx.x;
  tile[t] = in[t];
  if (BAD && t < 32) __syncthreads();
  __syncthreads();  // finds barrier
  out[t] = tile[63 - t];
}
BOTH(oneAhead, (const unsigned* in, unsigned* out))

// https://github.com/1bit-MONSTER/1bit-MONSTER/issues/1262
// Mixture of experts: lanes leave the loop early, which has a barrier in it.
//@ expertLoop 1 32 u32[32]=iota u32[32]=0
template <bool BAD>
__global__ void expertLoop(const unsigned* in, unsigned* out) {
  __shared__ unsigned tile[32];
  int t = threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k < 4; k++) {
    bool isOver = in[t] < 8 * k;
    if (BAD && isOver) break;
    tile[t] = in[t] + k;
    __syncthreads();  // finds barrier
    if (!isOver) sum += tile[31 - t];
    __syncthreads();
  }
  out[t] = sum;
}
BOTH(expertLoop, (const unsigned* in, unsigned* out))
