// One relaxation step on a width x height grid with fixed edges. `change` keeps the largest step of all: floats that
// are not negative compare like their bits.

extern "C" __global__ void relax(const float* from, float* to, int width, int height, int* change) {
  __shared__ float tile[10][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int ty = threadIdx.y; ty < 10; ty += 8)
    for (int tx = threadIdx.x; tx < 18; tx += 16) {
      int gx = min(max(static_cast<int>(blockIdx.x) * 16 + tx - 1, 0), width - 1);
      int gy = min(max(static_cast<int>(blockIdx.y) * 8 + ty - 1, 0), height - 1);
      tile[ty][tx] = from[gy * width + gx];
    }
  __syncthreads();
  if (x >= width || y >= height) return;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  float old = tile[ty][tx], next = old;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    next = ((tile[ty - 1][tx] + tile[ty + 1][tx]) + (tile[ty][tx - 1] + tile[ty][tx + 1])) * 0.25f;
    atomicMax(change, __float_as_int(fabsf(next - old)));
  }
  to[y * width + x] = next;
}
