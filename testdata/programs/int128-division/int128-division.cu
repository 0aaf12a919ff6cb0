// Division of 128-bit integers. The code that nvcc makes of it subtracts with sub.cc and subc.cc and takes the flag with addc.

typedef unsigned __int128 u128;
typedef __int128 s128;
typedef unsigned long long u64;

struct Pair {
  u64 low, high;
};

__device__ u128 whole(Pair p) { return static_cast<u128>(p.high) << 64 | p.low; }
__device__ Pair parts(u128 x) { return {static_cast<u64>(x), static_cast<u64>(x >> 64)}; }

// Unsigned quotient and remainder, then the signed ones.
extern "C" __global__ void divide(const Pair* a, const Pair* b, Pair* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u128 x = whole(a[i]), y = whole(b[i]);
  s128 sx = static_cast<s128>(x), sy = static_cast<s128>(y);
  out[4 * i] = parts(x / y);
  out[4 * i + 1] = parts(x % y);
  out[4 * i + 2] = parts(static_cast<u128>(sx / sy));
  out[4 * i + 3] = parts(static_cast<u128>(sx % sy));
}
