// Iterations until z = z^2 + c leaves the circle of radius 2, at most `limit`; one byte per pixel. Compiled without
// contraction: only the explicit fmaf is fused.

extern "C" __global__ void mandelbrot(unsigned char* image, int width, int height, float left, float top, float step,
                                      int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float cx = left + px * step, cy = top - py * step;
  float x = 0, y = 0;
  int count = 0;
  while (count < limit && x * x + y * y <= 4.0f) {
    float next = x * x - y * y + cx;
    y = fmaf(2.0f * x, y, cy);
    x = next;
    count++;
  }
  image[py * width + px] = static_cast<unsigned char>(count);
}
