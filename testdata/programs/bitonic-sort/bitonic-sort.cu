// Sorts 1024 (key, value) pairs by key with 512 threads; each thread owns one compare-exchange per step.

struct Pair {
  int key;
  unsigned value;
};

extern "C" __global__ void bitonicSort(int2* pairs) {
  __shared__ Pair items[1024];
  int t = threadIdx.x;
  for (int i = t; i < 1024; i += 512) items[i] = {pairs[i].x, static_cast<unsigned>(pairs[i].y)};
  for (int size = 2; size <= 1024; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      int low = 2 * t - (t & (stride - 1)), high = low + stride;
      bool ascending = (low & size) == 0;
      if ((items[low].key > items[high].key) == ascending) {
        Pair swapped = items[low];
        items[low] = items[high];
        items[high] = swapped;
      }
    }
  __syncthreads();
  for (int i = t; i < 1024; i += 512) pairs[i] = make_int2(items[i].key, static_cast<int>(items[i].value));
}
