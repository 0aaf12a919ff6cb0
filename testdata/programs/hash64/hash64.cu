// 64-bit integer work: a multiplicative hash over words, and one of each operation per thread.

typedef unsigned long long u64;
typedef long long s64;

__device__ u64 rotateLeft(u64 x, int n) { return x << n | x >> (64 - n); }

extern "C" __global__ void hashRows(const u64* words, int perRow, u64 seed, u64* out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  u64 h = seed ^ perRow * 0x9e3779b97f4a7c15ull;
  for (int i = 0; i < perRow; i++) {
    u64 k = words[row * perRow + i] * 0x87c37b91114253d5ull;
    h ^= rotateLeft(k, 31) * 0x4cf5ad432745937full;
    h = rotateLeft(h, 27) * 5 + 0x52dce729;
  }
  h ^= __umul64hi(h, 0xff51afd7ed558ccdull);
  out[row] = h ^ h >> 33;
}

extern "C" __global__ void operations(const s64* a, const s64* b, s64* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s64 x = a[i], y = b[i];
  u64 ux = x, uy = y;
  s64 results[12] = {x / y,
                     x % y,
                     static_cast<s64>(ux / uy),
                     static_cast<s64>(ux % uy),
                     __mul64hi(x, y),
                     static_cast<s64>(__umul64hi(ux, uy)),
                     x >> (y & 63),
                     static_cast<s64>(ux >> (y & 63)),
                     x << (y & 63),
                     min(x, y),
                     static_cast<s64>(max(ux, uy)),
                     x / 1000003 + x % 10};
  for (int k = 0; k < 12; k++) out[k * n + i] = results[k];
}

// x * y + x as a 128-bit number, low and high half.
extern "C" __global__ void wideMultiply(const u64* a, const u64* b, u64* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned __int128 product = static_cast<unsigned __int128>(a[i]) * b[i] + a[i];
  out[2 * i] = static_cast<u64>(product);
  out[2 * i + 1] = static_cast<u64>(product >> 64);
}
