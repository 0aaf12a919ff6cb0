// Atomics of 128 bits: statistics that change together, and a stack whose head carries a tag against reuse.

struct alignas(16) Statistics {
  unsigned long long sum;
  unsigned count;
  int largest;
};

struct alignas(16) Head {
  unsigned long long node;  // 1 above its index; 0 is the end
  unsigned long long tag;
};

template <class T>
__device__ T compareAndSwap(T* at, T expected, T desired) {
  T before;
  auto* e = reinterpret_cast<unsigned long long*>(&expected);
  auto* d = reinterpret_cast<unsigned long long*>(&desired);
  auto* b = reinterpret_cast<unsigned long long*>(&before);
  asm volatile(
      "{\n\t"
      ".reg .b128 expected, desired, before;\n\t"
      "mov.b128 expected, {%2, %3};\n\t"
      "mov.b128 desired, {%4, %5};\n\t"
      "atom.acq_rel.gpu.global.cas.b128 before, [%6], expected, desired;\n\t"
      "mov.b128 {%0, %1}, before;\n\t"
      "}"
      : "=l"(b[0]), "=l"(b[1])
      : "l"(e[0]), "l"(e[1]), "l"(d[0]), "l"(d[1]), "l"(__cvta_generic_to_global(at))
      : "memory");
  return before;
}

template <class T>
__device__ T exchange(T* at, T desired) {
  T before;
  auto* d = reinterpret_cast<unsigned long long*>(&desired);
  auto* b = reinterpret_cast<unsigned long long*>(&before);
  asm volatile(
      "{\n\t"
      ".reg .b128 desired, before;\n\t"
      "mov.b128 desired, {%2, %3};\n\t"
      "atom.relaxed.gpu.global.exch.b128 before, [%4], desired;\n\t"
      "mov.b128 {%0, %1}, before;\n\t"
      "}"
      : "=l"(b[0]), "=l"(b[1])
      : "l"(d[0]), "l"(d[1]), "l"(__cvta_generic_to_global(at))
      : "memory");
  return before;
}

// The threads of a block share the block's statistics.
extern "C" __global__ void collect(const int* in, Statistics* all) {
  int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  Statistics *mine = all + blockIdx.x, seen = *mine;
  for (;;) {
    Statistics next = {seen.sum + static_cast<unsigned long long>(value), seen.count + 1, max(seen.largest, value)};
    Statistics before = compareAndSwap(mine, seen, next);
    if (before.count == seen.count) break;
    seen = before;
  }
}

// Threads put their nodes on the block's stack, take two off, and put one back.
extern "C" __global__ void stack(Head* heads, unsigned* next, unsigned* taken) {
  Head* head = heads + blockIdx.x;
  auto push = [&](unsigned node) {
    Head seen = *head;
    for (;;) {
      *const_cast<volatile unsigned*>(&next[node - 1]) = static_cast<unsigned>(seen.node);
      Head before = compareAndSwap(head, seen, Head{node, seen.tag + 1});
      if (before.tag == seen.tag) return;
      seen = before;
    }
  };
  auto pop = [&]() -> unsigned {
    Head seen = *head;
    for (;;) {
      if (seen.node == 0) return 0;
      unsigned after = *const_cast<volatile unsigned*>(&next[seen.node - 1]);
      Head before = compareAndSwap(head, seen, Head{after, seen.tag + 1});
      if (before.tag == seen.tag) return static_cast<unsigned>(seen.node);
      seen = before;
    }
  };
  push(blockIdx.x * blockDim.x + threadIdx.x + 1);
  __syncthreads();
  if (threadIdx.x % 2 == 0) {
    unsigned first = pop(), second = pop();
    push(first);
    if (second != 0) atomicAdd(&taken[second - 1], 1);
  }
}

// Every node was taken or is still there, once; how many are there is known, which of them is not. The stack is exchanged for an empty
// one.
extern "C" __global__ void drain(Head* heads, const unsigned* next, unsigned* seen, unsigned* lengths, unsigned long long* tags) {
  int i = threadIdx.x;
  Head last = exchange(&heads[i], Head{0, ~0ull});
  unsigned length = 0;
  for (unsigned node = static_cast<unsigned>(last.node); node != 0; node = next[node - 1], length++) seen[node - 1] += 1;
  lengths[i] = length;
  tags[i] = last.tag;
}
