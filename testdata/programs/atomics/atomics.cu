// Atomic operations. Where many threads meet on one location, only what does not depend on their order is kept: final
// values of operations that commute, and sums of the old values that inc and dec hand out.

#include <cuda_fp16.h>

extern "C" __global__ void commuting(const unsigned* in, unsigned* u32, int* s32, unsigned long long* u64, float* f32,
                                     float* inexact, double* f64, __half2* halves) {
  __shared__ unsigned local[6];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[i];
  if (threadIdx.x < 6) local[threadIdx.x] = threadIdx.x == 1 || threadIdx.x == 3 ? ~0u : 0;
  __syncthreads();
  atomicAdd(&u32[0], v);
  atomicSub(&u32[1], v);
  atomicMin(&u32[2], v);
  atomicMax(&u32[3], v);
  atomicAnd(&u32[4], v | 0x0ff00000u);
  atomicOr(&u32[5], v & 0x00f0f0f0u);
  atomicXor(&u32[6], v);
  int sv = static_cast<int>(v);
  atomicAdd(&s32[0], sv);
  atomicMin(&s32[1], sv);
  atomicMax(&s32[2], sv);
  atomicMin_block(&s32[3 + blockIdx.x], sv >> 8);
  atomicMax_system(&s32[5], sv >> 16);
  unsigned long long wide = static_cast<unsigned long long>(v) << 20 | i;
  atomicAdd(&u64[0], wide);
  atomicMin(&u64[1], wide);
  atomicMax(&u64[2], wide);
  atomicAnd(&u64[3], wide | 0xffff);
  atomicOr(&u64[4], wide);
  atomicXor(&u64[5], wide);
  atomicMin(reinterpret_cast<long long*>(&u64[6]), static_cast<long long>(wide << 12));
  atomicAdd(&f32[0], static_cast<float>(v >> 20));  // whole numbers below 2^24: exact in any order
  atomicAdd(&f64[0], static_cast<double>(v));
  atomicAdd(&f64[1], v * 0x1p-32);
  atomicAdd(halves, __halves2half2(__float2half(1.0f), __float2half((v & 3) * 0.25f)));
  atomicAdd(inexact, 1.0f / (1 + (v & 1023)));  // the order shows in the last bits
  atomicAdd(&local[0], v);
  atomicMin(&local[1], v);
  atomicMax(reinterpret_cast<int*>(&local[2]), static_cast<int>(v >> 1));
  atomicAnd(&local[3], v | 0xff);
  atomicOr(&local[4], v & 0xff00);
  atomicXor_block(&local[5], v);
  __syncthreads();
  if (threadIdx.x < 6) u32[8 + blockIdx.x * 6 + threadIdx.x] = local[threadIdx.x];
}

// inc and dec wrap; the old values are a multiset fixed by the count of calls.
extern "C" __global__ void wrapping(unsigned* counters, unsigned* sums) {
  unsigned up = atomicInc(&counters[0], 9), down = atomicDec(&counters[1], 6);
  atomicAdd(&sums[0], up * up);
  atomicAdd(&sums[1], down * down);
  __shared__ unsigned local;
  if (threadIdx.x == 0) local = 3;
  __syncthreads();
  atomicAdd(&sums[2 + blockIdx.x], atomicInc(&local, 4));
}

// One location per thread: exchanges and compare-and-swaps whose old values are known.
extern "C" __global__ void exchanging(const unsigned* in, unsigned* cells, unsigned long long* wideCells, float* floats,
                                      unsigned* old) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned v = in[i];
  old[i] = atomicExch(&cells[i], v);
  old[n + i] = atomicCAS(&cells[i], i % 2 ? v : v + 1, v * 2);
  old[2 * n + i] = static_cast<unsigned>(atomicExch(&wideCells[i], static_cast<unsigned long long>(v) << 32));
  old[3 * n + i] = static_cast<unsigned>(atomicCAS(&wideCells[i], static_cast<unsigned long long>(v) << 32, v + 5ull) >> 32);
  old[4 * n + i] = __float_as_uint(atomicExch(&floats[i], v * 0.5f));
}

// Products modulo a prime, the maximum of floats, and packed 16-bit counters, by compare-and-swap loops.
extern "C" __global__ void loops(const unsigned* in, unsigned* product, float* maximum, unsigned short* counters) {
  unsigned v = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned seen = *product, expected;
  do {
    expected = seen;
    seen = atomicCAS(product, expected, expected * (v % 97 + 1) % 65521);
  } while (seen != expected);
  float f = static_cast<int>(v) * 0.001f;
  int bits = __float_as_int(*maximum);
  while (__int_as_float(bits) < f) {
    int before = atomicCAS(reinterpret_cast<int*>(maximum), bits, __float_as_int(f));
    if (before == bits) break;
    bits = before;
  }
  unsigned short* counter = &counters[v % 3];
  unsigned short count = *counter, assumed;
  do {
    assumed = count;
    count = atomicCAS(counter, assumed, static_cast<unsigned short>(assumed + 1));
  } while (count != assumed);
}
