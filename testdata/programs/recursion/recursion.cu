// Functions that call themselves and each other, to a different depth in every lane.

__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__device__ int odd(unsigned n);
__device__ __noinline__ int even(unsigned n) { return n == 0 ? 1 : odd(n - 1) + 2; }
__device__ __noinline__ int odd(unsigned n) { return n == 0 ? 0 : even(n - 1) * 3; }

// Appends the moves of the Towers of Hanoi to `log` as from * 4 + to.
__device__ __noinline__ void hanoi(int disks, int from, int to, unsigned char* log, int* used) {
  if (disks == 0) return;
  int other = 6 - from - to;
  hanoi(disks - 1, from, other, log, used);
  log[(*used)++] = static_cast<unsigned char>(from * 4 + to);
  hanoi(disks - 1, other, to, log, used);
}

__device__ __noinline__ void quicksort(int* first, int* last) {
  if (last - first < 2) return;
  int pivot = first[(last - first) / 2];
  int *i = first, *j = last - 1;
  while (i <= j) {
    while (*i < pivot) i++;
    while (*j > pivot) j--;
    if (i <= j) {
      int swapped = *i;
      *i++ = *j;
      *j-- = swapped;
    }
  }
  quicksort(first, j + 1);
  quicksort(i, last);
}

extern "C" __global__ void numbers(int* fib, int* ack, int* mutual) {
  int t = threadIdx.x;
  fib[t] = fibonacci(t % 11);
  ack[t] = ackermann(t % 3, t / 8);
  mutual[t] = even(t % 13);
}

extern "C" __global__ void towers(unsigned char* log, int* used) {
  int disks = threadIdx.x + 1;
  hanoi(disks, 1, 3, log + threadIdx.x * 32, used + threadIdx.x);
}

extern "C" __global__ void sortRuns(int* data, int length) {
  int* run = data + threadIdx.x * length;
  quicksort(run, run + length - threadIdx.x % 7);
}
