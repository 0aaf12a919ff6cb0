// Threads that talk through memory with C++ atomics.

#include <cuda/atomic>

// A block stores its square, then raises its flag; it then waits for the block before it (never after it, so that
// blocks may run one after the other) and adds what that block has found.
extern "C" __global__ void chain(int* values, int* flags, int* sums) {
  int block = blockIdx.x;
  if (threadIdx.x != 0) return;
  int sum = values[block] * values[block];
  if (block > 0) {
    cuda::atomic_ref<int, cuda::thread_scope_device> before(flags[block - 1]);
    while (before.load(cuda::memory_order_acquire) == 0) {
    }
    sum += sums[block - 1];
  }
  sums[block] = sum;
  cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[block]);
  mine.store(1, cuda::memory_order_release);
}

// A queue in shared memory: every warp takes numbers until none is left.
extern "C" __global__ void queue(const int* items, int n, int* sum, unsigned long long* order) {
  __shared__ cuda::atomic<int, cuda::thread_scope_block> next;
  if (threadIdx.x == 0) new (&next) cuda::atomic<int, cuda::thread_scope_block>(0);
  __syncthreads();
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> most(*order);
  cuda::atomic_ref<int, cuda::thread_scope_device> total(*sum);
  for (int i; (i = next.fetch_add(1, cuda::memory_order_relaxed)) < n;) {
    total.fetch_add(items[i], cuda::memory_order_acq_rel);
    most.fetch_max(static_cast<unsigned long long>(items[i]) << 33 | i, cuda::memory_order_seq_cst);
  }
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
