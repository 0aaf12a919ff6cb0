// A convolution as a product: rows are output pixels, columns are output channels, and k runs over the filter's places and the input
// channels. Copies of pixels outside the picture have no source bytes, and so fill with zeros.

#include <cuda_fp16.h>

constexpr int channels = 16, filters = 16, side = 3, pad = 8;

struct Shape {
  int height, width, outHeight, outWidth, stride, padding, dilation;
};

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy16(void* to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(to)), "l"(from), "r"(inside ? 16 : 0) : "memory");
}

// in: pixels of 16 channels, picture after picture; weights: filter, row, column, channel. A block: 64 pixels, all filters.
extern "C" __global__ void __launch_bounds__(128)
    convolve(const __half* in, const __half* weights, const __half* bias, __half* out, Shape shape, int pixels) {
  __shared__ alignas(16) __half as[2][64][channels + pad];
  __shared__ alignas(16) __half ws[2][filters][channels + pad];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  int mine = blockIdx.x * 64 + t / 2, y = mine / shape.outWidth % shape.outHeight, x = mine % shape.outWidth;
  int picture = mine / (shape.outWidth * shape.outHeight);
  auto fetch = [&](int place) {
    int fromY = y * shape.stride - shape.padding + place / side * shape.dilation;
    int fromX = x * shape.stride - shape.padding + place % side * shape.dilation;
    bool inside = mine < pixels && fromY >= 0 && fromY < shape.height && fromX >= 0 && fromX < shape.width;
    const __half* from = inside ? in + ((picture * shape.height + fromY) * shape.width + fromX) * channels + t % 2 * 8 : in;
    copy16(&as[place & 1][t / 2][t % 2 * 8], from, inside);
    if (t < filters * 2) copy16(&ws[place & 1][t / 2][t % 2 * 8], weights + (t / 2 * side * side + place) * channels + t % 2 * 8, true);
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  float d[2][4];
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 4; i++) d[j][i] = __half2float(bias[j * 8 + lane % 4 * 2 + i % 2]);
  fetch(0);
  for (int place = 0; place < side * side; place++) {
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    if (place + 1 < side * side) fetch(place + 1);
    unsigned a[4], w[4];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                 : "r"(sharedAddress(&as[place & 1][warp * 16 + lane % 16][lane / 16 * 8])));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3])
                 : "r"(sharedAddress(&ws[place & 1][lane / 16 * 8 + lane % 8][lane / 8 % 2 * 8])));
    for (int j = 0; j < 2; j++)
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
          : "+f"(d[j][0]), "+f"(d[j][1]), "+f"(d[j][2]), "+f"(d[j][3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(w[2 * j]), "r"(w[2 * j + 1]));
  }
  for (int j = 0; j < 2; j++)
    for (int h = 0; h < 2; h++) {
      int pixel = blockIdx.x * 64 + warp * 16 + lane / 4 + h * 8;
      __half2 pair = __hmax2(__floats2half2_rn(d[j][2 * h], d[j][2 * h + 1]), __half2half2(__half(0.0f)));
      if (pixel < pixels) *reinterpret_cast<__half2*>(out + pixel * filters + j * 8 + lane % 4 * 2) = pair;
    }
}
