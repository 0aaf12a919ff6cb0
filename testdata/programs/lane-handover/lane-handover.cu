// Lanes of one warp that wait for each other, which only runs where each thread makes progress by itself.

// Lane i waits until lane i - 1 has left its value: the chain goes through the warp against the order of the lanes.
extern "C" __global__ void chain(const int* in, volatile int* out, volatile int* ready) {
  int i = threadIdx.x;
  int before = 0;
  if (i != 31) {
    while (ready[i + 1] == 0) {
    }
    before = out[i + 1];
  }
  out[i] = before * 3 + in[i];
  __threadfence_block();
  ready[i] = 1;
}

// Every lane takes a lock that is held while it writes three words; a list grows under it.
struct List {
  int lock, length;
};
extern "C" __global__ void insert(List* list, int* slots, int rounds) {
  for (int round = 0; round < rounds; round++) {
    while (atomicCAS(&list->lock, 0, 1) != 0) {
    }
    __threadfence();
    int at = *(volatile int*)&list->length;
    ((volatile int*)slots)[at] = round * 1000 + (int)(blockIdx.x * blockDim.x + threadIdx.x);
    *(volatile int*)&list->length = at + 1;
    __threadfence();
    atomicExch(&list->lock, 0);
  }
}

// The warp's halves go different ways and meet among themselves: __syncwarp with a mask for each.
extern "C" __global__ void halves(const int* in, int* out) {
  __shared__ int swap[32];
  int i = threadIdx.x;
  if (i < 16) {
    for (int step = 0; step < 4; step++) {
      swap[i] = in[i] + step;
      __syncwarp(0x0000ffff);
      int other = swap[(i + 1 + step) & 15];
      __syncwarp(0x0000ffff);
      out[4 * i + step] = other;
    }
  } else {
    for (int step = 0; step < 4; step++) {
      swap[i] = in[i] * (step + 1);
      __syncwarp(0xffff0000);
      int other = swap[16 + ((i + 15 - step) & 15)];
      __syncwarp(0xffff0000);
      out[4 * i + step] = other;
    }
  }
}
