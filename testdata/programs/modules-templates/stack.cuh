#pragma once

// How many pushes all stacks of element type T have seen: one weak variable for both modules.
template <class T>
__device__ unsigned pushes = 100;

template <class T, int capacity>
struct Stack {
  T items[capacity];
  int size = 0;

  __device__ __noinline__ bool push(T item) {
    atomicAdd(&pushes<T>, 1u);
    if (size == capacity) return false;
    items[size++] = item;
    return true;
  }
  __device__ __noinline__ T pop() { return size ? items[--size] : T(-1); }
};

inline __device__ __noinline__ int weigh(int value, int by) { return value * by + (value >> by); }
