// Formatted output. printf returns how many arguments it was given.

extern "C" __global__ void conversions(int negative, unsigned big, long long wide, double real, const char* word, int* counts) {
  counts[0] = printf("plain text, 100%%\n");
  counts[1] = printf("[%d] [%i] [%u] [%x] [%X] [%o] [%c]\n", negative, negative, big, big, big, big, 'k');
  counts[2] = printf("[%8d] [%-8d] [%08d] [%+d] [% d] [%.5d]\n", negative, negative, negative, 17, 17, 17);
  counts[3] = printf("[%#x] [%#o] [%lld] [%llu] [%llx] [%ld]\n", big, big, wide, wide, wide, static_cast<long>(wide));
  counts[4] = printf("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%010.4f]\n", real, real, real, real, real, real);
  counts[5] = printf("[%e] [%.3E] [%g] [%G] [%g] [%a]\n", real, real, real, real * 1e20, 0.5, 1.0);
  counts[6] = printf("[%s] [%10s] [%-10s] [%.3s]\n", word, word, "left", "truncated");
  counts[7] = printf("[%f] [%g] [%f]\n", static_cast<double>(1.5f * negative), 1.0 / 0.0, -1.0 / 0.0);
}

extern "C" __global__ void greet(int rounds) {
  for (int i = 0; i < rounds; i++) {
    if (threadIdx.x == i) printf("block %d of %d, thread %d: %.3f\n", blockIdx.x, gridDim.x, threadIdx.x, blockIdx.x * 0.25f + i);
    __syncwarp();  // or thread 1 might print before thread 0
  }
}
