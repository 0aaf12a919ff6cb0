// Compiled with -use_fast_math: library functions become the hardware's approximations, and subnormals become zero.

extern "C" __global__ void approximations(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i], size = fabsf(x);
  float results[12] = {expf(x), exp2f(x), logf(size), log2f(size), log10f(size), sinf(x),
                       cosf(x), tanhf(x), sqrtf(size), rsqrtf(size), 1.0f / x, powf(size, 1.5f)};
  for (int k = 0; k < 12; k++) out[k * n + i] = results[k];
}

// Exact but for the flushing: operands and results that are subnormal count as zeros of the same sign.
extern "C" __global__ void flushing(const float* a, const float* b, float* out, unsigned* flags, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i], y = b[i];
  out[i] = x + y;
  out[n + i] = x * y;
  out[2 * n + i] = fmaf(x, y, x);
  out[3 * n + i] = fabsf(x) - y;
  out[4 * n + i] = fmaxf(x, y);
  flags[i] = (x == y) | (x < y) << 1 | (x != 0) << 2 | static_cast<unsigned>(__float2int_ru(x) & 255) << 8;
}
