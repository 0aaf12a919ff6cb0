// Instructions that look across a warp.

extern "C" __global__ void votes(const int* in, unsigned* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  int v = in[i];
  unsigned all = 0xffffffffu, lower;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lower));
  unsigned positive = __ballot_sync(all, v > 0);
  out[i] = positive;
  out[n + i] = __popc(positive & lower);  // this lane's place among the positive ones
  out[2 * n + i] = __any_sync(all, v == 7) * 4 + __all_sync(all, v > -50) * 2 + __uni_sync(all, v & 1);
  out[3 * n + i] = __match_any_sync(all, v);
  int same;
  unsigned whole = __match_all_sync(all, v / 1000, &same);
  out[4 * n + i] = whole ^ same;
  // Half-warps vote on their own.
  unsigned half = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
  if (threadIdx.x % 32 < 16)
    out[5 * n + i] = __ballot_sync(half, v & 2);
  else
    out[5 * n + i] = __match_any_sync(half, v & 3);
}

extern "C" __global__ void reductions(const int* in, int* out) {
  int lane = threadIdx.x % 32, v = in[blockIdx.x * 32 + lane];
  int* to = out + (blockIdx.x * 32 + lane) * 8;
  unsigned all = 0xffffffffu;
  to[0] = __reduce_add_sync(all, v);
  to[1] = __reduce_min_sync(all, v);
  to[2] = __reduce_max_sync(all, v);
  to[3] = __reduce_min_sync(all, static_cast<unsigned>(v));
  to[4] = __reduce_max_sync(all, static_cast<unsigned>(v));
  to[5] = __reduce_and_sync(all, static_cast<unsigned>(v) | 0xff);
  to[6] = __reduce_or_sync(all, static_cast<unsigned>(v) & 0xf0f0);
  to[7] = __reduce_xor_sync(all, static_cast<unsigned>(v));
}

extern "C" __global__ void shuffles(const int* in, int* out) {
  int lane = threadIdx.x, v = in[lane];
  unsigned all = 0xffffffffu;
  int* to = out + lane * 8;
  to[0] = __shfl_sync(all, v, lane * 7);
  to[1] = __shfl_sync(all, v, lane + 3, 8);
  to[2] = __shfl_up_sync(all, v, 5);
  to[3] = __shfl_up_sync(all, v, 3, 16);
  to[4] = __shfl_down_sync(all, v, 9);
  to[5] = __shfl_down_sync(all, v, 1, 4);
  to[6] = __shfl_xor_sync(all, v, 21);
  to[7] = __shfl_xor_sync(all, v, 12, 8);
}

// Appends the multiples of three to `list`: one atomic for all lanes that happen to be together. Neither the order nor
// the grouping is defined; the set is, and so is the count.
extern "C" __global__ void compact(const int* in, int* count, int* sum) {
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  __shared__ int list[64], used;
  if (threadIdx.x == 0) used = 0;
  __syncthreads();
  if (v % 3 == 0) {
    unsigned together = __activemask();
    int leader = __ffs(together) - 1, lane = threadIdx.x % 32, base = 0;
    if (lane == leader) base = atomicAdd(&used, __popc(together));
    base = __shfl_sync(together, base, leader);
    list[base + __popc(together & ((1u << lane) - 1))] = v;
  }
  __syncwarp();
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < used) atomicAdd(sum, list[threadIdx.x]);
  if (threadIdx.x == 0) atomicAdd(count, used);
}
