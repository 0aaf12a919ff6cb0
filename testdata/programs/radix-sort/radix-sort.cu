// Least-significant-digit radix sort of 1024 (key, value) pairs by one block of 256 threads. Every thread owns four
// neighbouring elements; `counts`, digit-major, holds how many of each digit each thread has, and its exclusive scan
// is where they go.

__device__ unsigned scanExclusive(unsigned value, unsigned* perWarp) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned inclusive = value;
  for (int delta = 1; delta < 32; delta *= 2) {
    unsigned below = __shfl_up_sync(0xffffffffu, inclusive, delta);
    if (lane >= delta) inclusive += below;
  }
  if (lane == 31) perWarp[warp] = inclusive;
  __syncthreads();
  unsigned before = 0;
  for (int w = 0; w < warp; w++) before += perWarp[w];
  return before + inclusive - value;
}

extern "C" __global__ void radixSort(unsigned* keys, unsigned* values, unsigned* keys2, unsigned* values2) {
  __shared__ unsigned counts[16 * 256], perWarp[8];
  int t = threadIdx.x;
  for (int shift = 0; shift < 32; shift += 4) {
    for (int digit = 0; digit < 16; digit++) counts[digit * 256 + t] = 0;
    unsigned key[4], value[4];
    for (int i = 0; i < 4; i++) {
      key[i] = keys[t * 4 + i];
      value[i] = values[t * 4 + i];
      counts[(key[i] >> shift & 15) * 256 + t]++;
    }
    __syncthreads();
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) sum += counts[t * 16 + i];
    unsigned running = scanExclusive(sum, perWarp);
    for (int i = 0; i < 16; i++) {
      unsigned count = counts[t * 16 + i];
      counts[t * 16 + i] = running;
      running += count;
    }
    __syncthreads();
    for (int i = 0; i < 4; i++) {
      unsigned to = counts[(key[i] >> shift & 15) * 256 + t]++;
      keys2[to] = key[i];
      values2[to] = value[i];
    }
    __syncthreads();
    unsigned* k = keys;
    keys = keys2;
    keys2 = k;
    unsigned* v = values;
    values = values2;
    values2 = v;
  }
}
