// Evaluates expressions in reverse Polish notation on the same stacks.

#include "stack.cuh"

extern __device__ int total;

extern "C" __global__ void evaluate(const char* text, const int* starts, int* out) {
  Stack<int, 6> stack;
  int i = threadIdx.x;
  for (const char* p = text + starts[i]; *p; p++) {
    if (*p >= '0' && *p <= '9') {
      stack.push(*p - '0');
      continue;
    }
    int right = stack.pop(), left = stack.pop();
    stack.push(*p == '+' ? left + right : *p == '-' ? left - right : *p == '*' ? left * right : weigh(left, right));
  }
  out[i] = stack.pop();
  atomicAdd(&total, 1000);
}
