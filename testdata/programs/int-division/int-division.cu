// Quotients and remainders: by variables, where PTX has the instruction, and by constants, where nvcc multiplies.

extern "C" __global__ void byVariable(const int* a, const int* b, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = a[i], y = b[i];
  unsigned ux = x, uy = y;
  short sx = x, sy = y | 1;
  unsigned short hx = x, hy = y | 1;
  signed char cx = x, cy = y | 1;
  int results[10] = {x / y,   x % y,   static_cast<int>(ux / uy), static_cast<int>(ux % uy), sx / sy, sx % sy,
                     hx / hy, hx % hy, cx / cy,                   cx % cy};
  for (int k = 0; k < 10; k++) out[k * n + i] = results[k];
}

extern "C" __global__ void byConstant(const int* a, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = a[i];
  unsigned ux = x;
  long long wide = static_cast<long long>(x) * 1234567;
  int results[8] = {x / 3,
                    x % 10,
                    x / -8,
                    x % 1000003,
                    static_cast<int>(ux / 7),
                    static_cast<int>(ux % 641),
                    static_cast<int>(wide / 86400),
                    static_cast<int>(wide % 65537)};
  for (int k = 0; k < 8; k++) out[k * n + i] = results[k];
}

// Greatest common divisors, by Euclid: as many divisions as the data ask for.
extern "C" __global__ void gcds(const int* a, const int* b, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = abs(a[i]), y = abs(b[i]);
  while (y != 0) {
    unsigned rest = x % y;
    x = y;
    y = rest;
  }
  out[i] = x;
}
