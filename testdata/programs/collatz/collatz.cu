// Steps until the Collatz sequence of each start reaches 1, and over all starts the highest value seen.

extern "C" __global__ void collatz(unsigned first, unsigned* steps, unsigned long long* highest) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long value = first + i, peak = value;
  unsigned count = 0;
  while (value != 1) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    if (value > peak) peak = value;
    count++;
  }
  steps[i] = count;
  atomicMax(highest, peak);
}
