// A PCG32 generator per thread. `countInside` counts the points of the unit square inside the quarter circle;
// `boxMuller` makes pairs of normal variates, with the library functions and with the hardware's approximations.

struct Pcg {
  unsigned long long state, increment;

  __device__ Pcg(unsigned stream) : state(0), increment(2ull * stream + 1) {
    next();
    state += 0x853c49e6748fea9bull;
    next();
  }
  __device__ unsigned next() {
    unsigned long long old = state;
    state = old * 6364136223846793005ull + increment;
    unsigned shifted = static_cast<unsigned>((old >> 18 ^ old) >> 27);
    return __funnelshift_r(shifted, shifted, static_cast<unsigned>(old >> 59));
  }
  // In (0, 1): an odd multiple of 2^-24.
  __device__ float unit() { return ((next() >> 9) * 2 + 1) * 0x1p-24f; }
};

extern "C" __global__ void countInside(int samples, unsigned* inside) {
  Pcg random(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned count = 0;
  for (int i = 0; i < samples; i++) {
    float x = random.unit(), y = random.unit();
    if (fmaf(x, x, __fmul_rn(y, y)) < 1.0f) count++;
  }
  count = __reduce_add_sync(0xffffffffu, count);
  if (threadIdx.x % 32 == 0) atomicAdd(inside, count);
}

extern "C" __global__ void boxMuller(float2* exact, float2* fast) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  Pcg random(id);
  float u = random.unit(), angle = 6.28318530717958647692f * random.unit();
  float radius = sqrtf(-2.0f * logf(u));
  exact[id] = make_float2(radius * cosf(angle), radius * sinf(angle));
  radius = sqrtf(-2.0f * __logf(u));
  fast[id] = make_float2(radius * __cosf(angle), radius * __sinf(angle));
}
