// Locks that lanes of one warp contend for: right only if a lane that waits lets the lane that holds the lock run on.

// Appends (index, running total) entries to a log under one global lock; nothing in the critical section is atomic.
extern "C" __global__ void lockedLog(int* lock, volatile int* length, volatile int* total, volatile int* log) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
  __threadfence();
  int at = *length;
  log[at] = i;
  *length = at + 1;
  *total = *total + i * i;
  __threadfence();
  atomicExch(lock, 0);
}

// The same with one lock per account, taken in order: moves money between accounts and keeps the sum.
extern "C" __global__ void transfers(unsigned* locks, volatile int* balances, int accounts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int from = i * 7 % accounts, to = (i * 3 + 1) % accounts;
  if (from == to) return;
  int low = min(from, to), high = max(from, to);
  bool done = false;
  while (!done) {
    unsigned taken, second;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(taken) : "l"(__cvta_generic_to_global(&locks[low])) : "memory");
    if (taken != 0) continue;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], 0, 1;" : "=r"(second) : "l"(__cvta_generic_to_global(&locks[high])) : "memory");
    if (second == 0) {
      balances[from] = balances[from] - i;
      balances[to] = balances[to] + i;
      done = true;
      asm volatile("st.release.gpu.global.u32 [%0], 0;" ::"l"(__cvta_generic_to_global(&locks[high])) : "memory");
    }
    asm volatile("st.release.gpu.global.u32 [%0], 0;" ::"l"(__cvta_generic_to_global(&locks[low])) : "memory");
  }
}

// Lane 0 waits in a loop for a flag that the block's last warp raises: warps must take turns.
extern "C" __global__ void handOver(int* out) {
  __shared__ volatile int flag, value;
  int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (warp == 0 && threadIdx.x == 0) {
    while (flag == 0) {
    }
    __threadfence_block();
    *out = value;
  }
  if (warp == 3 && threadIdx.x % 32 == 31) {
    value = 4711;
    __threadfence_block();
    flag = 1;
  }
}
