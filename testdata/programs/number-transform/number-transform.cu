// Products of polynomials by transforms modulo 998244353, in Montgomery's form, all in shared memory.

constexpr unsigned modulus = 998244353, negativeInverse = 998244351;  // -1 / modulus, to 32 bits

__device__ unsigned reduced(unsigned long long x) {
  unsigned q = static_cast<unsigned>(x) * negativeInverse;
  unsigned high = static_cast<unsigned>((x + static_cast<unsigned long long>(q) * modulus) >> 32);
  return min(high, high - modulus);
}

__device__ unsigned multiplied(unsigned a, unsigned b) { return reduced(static_cast<unsigned long long>(a) * b); }
__device__ unsigned sum(unsigned a, unsigned b) { return min(a + b, a + b - modulus); }
__device__ unsigned difference(unsigned a, unsigned b) { return min(a - b, a - b + modulus); }

__device__ unsigned power(unsigned base, unsigned exponent, unsigned one) {
  unsigned result = one;
  for (; exponent != 0; exponent >>= 1, base = multiplied(base, base))
    if (exponent & 1) result = multiplied(result, base);
  return result;
}

constexpr int size = 256;

// Decimation in frequency leaves the values in bit-reversed order; the way back takes them so.
__device__ void forward(unsigned* x, const unsigned* roots) {
  for (int half = size / 2; half > 0; half /= 2) {
    int t = threadIdx.x, i = t % half, at = t / half * 2 * half + i;
    unsigned low = x[at], high = x[at + half];
    x[at] = sum(low, high);
    x[at + half] = multiplied(difference(low, high), roots[i * (size / 2 / half)]);
    __syncthreads();
  }
}

__device__ void backward(unsigned* x, const unsigned* roots) {
  for (int half = 1; half < size; half *= 2) {
    int t = threadIdx.x, i = t % half, at = t / half * 2 * half + i, place = i * (size / 2 / half);
    // The inverse of a root is minus the root that is half a turn less it.
    unsigned root = place == 0 ? roots[0] : modulus - roots[size / 2 - place];
    unsigned low = x[at], high = multiplied(x[at + half], root);
    x[at] = sum(low, high);
    x[at + half] = difference(low, high);
    __syncthreads();
  }
}

// A block of 128 threads a pair of polynomials with 128 coefficients each. `square` is 2^64 modulo the modulus.
extern "C" __global__ void __launch_bounds__(size / 2) convolve(const unsigned* a, const unsigned* b, unsigned* out, unsigned square) {
  __shared__ unsigned x[size], y[size], roots[size / 2];
  int t = threadIdx.x;
  unsigned one = reduced(square), generator = multiplied(3, square);
  roots[t] = power(generator, (modulus - 1) / size * t, one);
  x[t] = multiplied(a[blockIdx.x * 128 + t], square);
  y[t] = multiplied(b[blockIdx.x * 128 + t], square);
  x[t + 128] = y[t + 128] = 0;
  __syncthreads();
  forward(x, roots);
  forward(y, roots);
  unsigned scale = power(multiplied(size, square), modulus - 2, one);
  for (int i = t; i < size; i += 128) x[i] = multiplied(multiplied(x[i], y[i]), scale);
  __syncthreads();
  backward(x, roots);
  for (int i = t; i < size; i += 128) out[blockIdx.x * size + i] = reduced(x[i]);
}
