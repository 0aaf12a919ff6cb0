// out[x][y] = in[y][x] by tiles of 16 x 16. The tile's padding column keeps its columns in different banks.

template <class T>
__device__ void transposeTile(const T* in, T* out, int width, int height) {
  __shared__ T tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose32(const int* in, int* out, int width, int height) {
  transposeTile(in, out, width, height);
}

extern "C" __global__ void transpose64(const double* in, double* out, int width, int height) {
  transposeTile(in, out, width, height);
}
