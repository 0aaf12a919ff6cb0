// Exclusive scan after Blelloch: 256 elements per block of 128 threads, totals scanned by a second launch of the same
// kernel, and added back by `addTotals`.

extern "C" __global__ void scanBlocks(const unsigned* in, unsigned* out, unsigned* totals, int n) {
  __shared__ unsigned tree[256];
  int t = threadIdx.x;
  int base = blockIdx.x * 256;
  tree[t] = base + t < n ? in[base + t] : 0;
  tree[t + 128] = base + t + 128 < n ? in[base + t + 128] : 0;
  int stride = 1;
  for (int active = 128; active > 0; active >>= 1, stride <<= 1) {
    __syncthreads();
    if (t < active) tree[stride * (2 * t + 2) - 1] += tree[stride * (2 * t + 1) - 1];
  }
  if (t == 0) {
    if (totals != nullptr) totals[blockIdx.x] = tree[255];
    tree[255] = 0;
  }
  for (int active = 1; active <= 128; active <<= 1) {
    stride >>= 1;
    __syncthreads();
    if (t < active) {
      int left = stride * (2 * t + 1) - 1, right = stride * (2 * t + 2) - 1;
      unsigned carried = tree[right];
      tree[right] += tree[left];
      tree[left] = carried;
    }
  }
  __syncthreads();
  if (base + t < n) out[base + t] = tree[t];
  if (base + t + 128 < n) out[base + t + 128] = tree[t + 128];
}

extern "C" __global__ void addTotals(unsigned* out, const unsigned* totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += totals[blockIdx.x];
}
