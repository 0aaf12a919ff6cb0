// Block-wise reductions. `sumBlocks` halves the block in shared memory down to one warp, then halves the warp with
// shuffles; `maxBlocks` reduces each warp with butterfly shuffles first and the warps' results after that.

extern "C" __global__ void sumBlocks(const float* in, float* out, int n) {
  __shared__ float tile[256];
  int t = threadIdx.x;
  int i = blockIdx.x * 512 + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + 256 < n) sum += in[i + 256];
  tile[t] = sum;
  __syncthreads();
  for (int half = 128; half >= 32; half /= 2) {
    if (t < half) tile[t] = sum = sum + tile[t + half];
    __syncthreads();
  }
  if (t < 32) {
    for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffffffffu, sum, delta);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

extern "C" __global__ void maxBlocks(const int* in, int* out, int n) {
  __shared__ int perWarp[8];
  int best = -2147483647 - 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) best = max(best, in[i]);
  for (int mask = 16; mask > 0; mask >>= 1) best = max(best, __shfl_xor_sync(0xffffffffu, best, mask));
  if (threadIdx.x % 32 == 0) perWarp[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x < 8) {
    best = perWarp[threadIdx.x];
    for (int mask = 4; mask > 0; mask >>= 1) best = max(best, __shfl_xor_sync(0xffu, best, mask, 8));
    if (threadIdx.x == 0) out[blockIdx.x] = best;
  }
}
