// Module-scope data of several kinds. Names without `static` keep their own names in PTX.

struct Planet {
  char name[9];
  unsigned char moons;
  short kind;
  float radius;
  double distance;
};

__constant__ Planet planets[6] = {{"Mercury", 0, 1, 2439.7f, 57.9}, {"Venus", 0, 1, 6051.8f, 108.2}, {"Earth", 1, 1, 6371.0f, 149.6},
                                  {"Mars", 2, 1, 3389.5f, 228.0},   {"Jupiter", 95, -2, 69911.0f, 778.5}, {"Saturn", 146, -2, 58232.0f, 1432.0}};
__device__ int numbers[8] = {10, 20, 30, 40, -50, 60, 70, 80};
__device__ const int* rows[4] = {numbers, numbers + 3, &numbers[7], nullptr};
__constant__ const int* constantRows[2] = {numbers + 1, numbers + 5};
__device__ const char* messages[3] = {"zero", "one", "a longer string"};
__device__ double scaled[4] = {0.1, -1e300, 5e-324, 1.0 / 3};
__device__ unsigned char mixed[5] = {1, 2, 255, 0x7f};
__constant__ float coefficients[8];
__device__ unsigned long long total;
__device__ int untouched[3] = {-1, -2, -3};

extern "C" __global__ void lookUp(const int* which, float* radii, double* distances, int* letters) {
  int i = threadIdx.x;
  const Planet& planet = planets[which[i]];
  radii[i] = planet.radius * planet.kind;
  distances[i] = planet.distance + planet.moons + scaled[i % 4] * 2.0;
  letters[i] = planet.name[i % 9];
}

extern "C" __global__ void follow(int* out) {
  int i = threadIdx.x;
  const int* row = rows[i % 4];
  int sum = row ? row[0] * 1000 : 7;
  sum += constantRows[i & 1][i % 3];
  const char* message = messages[i % 3];
  int length = 0;
  while (message[length]) length++;
  out[i] = sum + length + mixed[i % 5];
}

// A polynomial whose coefficients the launch has set; the block's threads add their indices to `total`.
extern "C" __global__ void polynomial(const float* x, float* y) {
  int i = threadIdx.x;
  float value = 0;
#pragma unroll
  for (int k = 7; k >= 0; k--) value = fmaf(value, x[i], coefficients[k]);
  y[i] = value;
  atomicAdd(&total, 1000000000000ull + i);
  if (i < 3) numbers[i] = i - 5;
}
