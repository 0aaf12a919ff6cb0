// Arithmetic on special values: result k of thread i stands at out[k * n + i], as bits. Every NaN is stored as the
// canonical one, since its payload is not what is tested.

__device__ unsigned bitsOf(float f) { return f != f ? 0x7fffffffu : __float_as_uint(f); }
__device__ long long bitsOf(double d) { return d != d ? 0x7ff8000000000000ll : __double_as_longlong(d); }

extern "C" __global__ void single(const float* a, const float* b, const float* c, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i], y = b[i], z = c[i];
  unsigned results[32] = {
      bitsOf(__fadd_rn(x, y)),    bitsOf(__fadd_rz(x, y)),    bitsOf(__fadd_ru(x, y)),    bitsOf(__fadd_rd(x, y)),
      bitsOf(__fmul_rn(x, y)),    bitsOf(__fmul_rz(x, y)),    bitsOf(__fmul_ru(x, y)),    bitsOf(__fmul_rd(x, y)),
      bitsOf(__fmaf_rn(x, y, z)), bitsOf(__fmaf_rz(x, y, z)), bitsOf(__fmaf_ru(x, y, z)), bitsOf(__fmaf_rd(x, y, z)),
      bitsOf(__fdiv_rn(x, y)),    bitsOf(__fdiv_rz(x, y)),    bitsOf(__fdiv_ru(x, y)),    bitsOf(__fdiv_rd(x, y)),
      bitsOf(__fsqrt_rn(x)),      bitsOf(__fsqrt_rz(x)),      bitsOf(__fsqrt_ru(x)),      bitsOf(__fsqrt_rd(x)),
      bitsOf(__frcp_rn(x)),       bitsOf(__frcp_rz(x)),       bitsOf(fminf(x, y)),        bitsOf(fmaxf(x, y)),
      bitsOf(__fadd_rn(__saturatef(x), 0.0f)), bitsOf(rintf(x)),          bitsOf(floorf(x)),          bitsOf(ceilf(x)),
      bitsOf(truncf(x)),          bitsOf(roundf(x)),          bitsOf(copysignf(y, x)),    bitsOf(__fsub_rn(x, y))};
  for (int k = 0; k < 32; k++) out[k * n + i] = results[k];
}

extern "C" __global__ void comparisons(const float* a, const float* b, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i], y = b[i];
  out[i] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 |
           (!(x < y)) << 6 | (!(x <= y)) << 7 | (!(x > y)) << 8 | (!(x >= y)) << 9 | (isnan(x) || isnan(y)) << 10 |
           (isnan(x) ? 1u << 11 : 0) | (isinf(x) ? 1u << 12 : 0) | (signbit(x) ? 1u << 13 : 0) | (isfinite(y) ? 1u << 14 : 0);
}

extern "C" __global__ void toIntegers(const float* a, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  double wide = x;
  long long results[16] = {__float2int_rn(x),
                           __float2int_rz(x),
                           __float2int_ru(x),
                           __float2int_rd(x),
                           __float2uint_rn(x),
                           __float2uint_rz(x),
                           __float2ll_rn(x),
                           __float2ll_rz(x),
                           static_cast<long long>(__float2ull_ru(x)),
                           static_cast<long long>(__float2ull_rd(x)),
                           __double2int_rn(wide),
                           __double2int_rd(wide),
                           __double2uint_rz(wide),
                           __double2ll_rn(wide),
                           static_cast<long long>(__double2ull_rz(wide)),
                           static_cast<short>(__float2int_rz(x))};
  for (int k = 0; k < 16; k++) out[k * n + i] = results[k];
}

extern "C" __global__ void wide(const double* a, const double* b, const double* c, long long* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = a[i], y = b[i], z = c[i];
  long long results[24] = {bitsOf(__dadd_rn(x, y)),
                           bitsOf(__dadd_rz(x, y)),
                           bitsOf(__dadd_ru(x, y)),
                           bitsOf(__dadd_rd(x, y)),
                           bitsOf(__dmul_rn(x, y)),
                           bitsOf(__dmul_rz(x, y)),
                           bitsOf(__dmul_ru(x, y)),
                           bitsOf(__dmul_rd(x, y)),
                           bitsOf(__fma_rn(x, y, z)),
                           bitsOf(__fma_rz(x, y, z)),
                           bitsOf(__fma_ru(x, y, z)),
                           bitsOf(__fma_rd(x, y, z)),
                           bitsOf(__ddiv_rn(x, y)),
                           bitsOf(__ddiv_ru(x, y)),
                           bitsOf(__dsqrt_rn(x)),
                           bitsOf(__dsqrt_rd(x)),
                           bitsOf(fmin(x, y)),
                           bitsOf(fmax(x, y)),
                           bitsOf(__double2float_rn(x)),
                           bitsOf(__double2float_rz(x)),
                           bitsOf(__double2float_ru(x)),
                           bitsOf(__double2float_rd(x)),
                           bitsOf(rint(x)),
                           bitsOf(floor(x))};
  for (int k = 0; k < 24; k++) out[k * n + i] = results[k];
}

extern "C" __global__ void fromIntegers(const long long* a, unsigned* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long x = a[i];
  int low = static_cast<int>(x);
  unsigned results[12] = {
      bitsOf(__int2float_rn(low)),  bitsOf(__int2float_rz(low)), bitsOf(__int2float_ru(low)), bitsOf(__int2float_rd(low)),
      bitsOf(__uint2float_rn(low)), bitsOf(__uint2float_rd(low)), bitsOf(__ll2float_rn(x)),   bitsOf(__ll2float_ru(x)),
      bitsOf(__ull2float_rz(x)),    bitsOf(__ull2float_rn(x)),    0,                           0};
  long long asDouble = bitsOf(__ll2double_rd(x)) ^ bitsOf(__ull2double_ru(x)) * 3;
  results[10] = static_cast<unsigned>(asDouble);
  results[11] = static_cast<unsigned>(asDouble >> 32);
  for (int k = 0; k < 12; k++) out[k * n + i] = results[k];
}
