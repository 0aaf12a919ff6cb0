// Surfaces: a picture of 8-bit pixels is blurred into another, whose brightness then goes to the faces of a cube.

extern "C" __global__ void blur(cudaSurfaceObject_t source, cudaSurfaceObject_t target, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int r = 0, g = 0, b = 0, a = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      uchar4 near = surf2Dread<uchar4>(source, (x + dx) * 4, y + dy, cudaBoundaryModeClamp);
      uchar4 only = surf2Dread<uchar4>(source, (x + dx) * 4, y + dy, cudaBoundaryModeZero);
      r += near.x;
      g += near.y;
      b += only.z;
      a += only.w;
    }
  surf2Dwrite(make_uchar4(r / 9, g / 9, b / 9, a / 9), target, x * 4, y);
}

extern "C" __global__ void project(cudaTextureObject_t picture, cudaSurfaceObject_t cube, int size) {
  int x = threadIdx.x;
  int y = threadIdx.y;
  int face = blockIdx.x;
  uchar4 p = tex2D<uchar4>(picture, static_cast<float>(x + face), static_cast<float>(y));
  surf2DLayeredwrite(static_cast<float>(p.x + p.y + p.z) / 4.0f, cube, x * 4, y, face);
  // Outside: dropped.
  surf2DLayeredwrite(1.0f, cube, (size + x) * 4, y, face, cudaBoundaryModeZero);
}

extern "C" __global__ void turn(cudaSurfaceObject_t cube, int size) {
  int x = threadIdx.x;
  int y = threadIdx.y;
  float top = surf2DLayeredread<float>(cube, x * 4, y, 2);
  float bottom = surf2DLayeredread<float>(cube, (size - 1 - x) * 4, size - 1 - y, 3);
  __syncthreads();
  surf2DLayeredwrite(bottom, cube, x * 4, y, 2);
  surf2DLayeredwrite(top, cube, (size - 1 - x) * 4, size - 1 - y, 3);
}
