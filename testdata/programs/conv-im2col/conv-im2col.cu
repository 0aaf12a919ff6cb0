// A convolution by a warpgroup: tensor copies in im2col mode gather the pixels that one place of the filter needs, wgmma multiplies them
// with that place's weights.

#include <cuda.h>

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void await(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred complete;\n\t"
      "WAIT:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n\t"
      "@!complete bra WAIT;\n\t"
      "}" ::"r"(sharedAddress(barrier)),
      "r"(parity)
      : "memory");
}

// Rows of 64 bytes, swizzled.
__device__ unsigned long long descriptor(const void* tile) {
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | 512ull / 16 << 32 | 2ull << 62;
}

// in: 32 channels, width, height, pictures; weights: 32 channels, 9 places, 16 filters. A block has 64 pixels in their order.
extern "C" __global__ void __launch_bounds__(128)
    convolve(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap weights, float* out, int width, int height, int pixels) {
  __shared__ alignas(1024) unsigned short as[2][64 * 32];
  __shared__ alignas(1024) unsigned short ws[2][16 * 32];
  __shared__ alignas(8) unsigned long long barriers[2];
  int t = threadIdx.x, first = blockIdx.x * 64, x = first % width, y = first / width % height, picture = first / (width * height);
  if (t == 0) {
    for (auto& barrier : barriers) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
  }
  __syncthreads();
  auto fetch = [&](int place) {
    unsigned barrier = sharedAddress(&barriers[place & 1]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(80 * 64) : "memory");
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {0, %2, %3, %4}], [%5], {%6, "
        "%7};" ::"r"(sharedAddress(as[place & 1])),
        "l"(&in), "r"(x - 1), "r"(y - 1), "r"(picture), "r"(barrier), "h"(static_cast<unsigned short>(place % 3)),
        "h"(static_cast<unsigned short>(place / 3))
        : "memory");
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {0, %2, 0}], [%3];" ::"r"(
            sharedAddress(ws[place & 1])),
        "l"(&weights), "r"(place), "r"(barrier)
        : "memory");
  };
  float d[8] = {};
  if (t == 0) fetch(0);
  for (int place = 0; place < 9; place++) {
    if (t == 0 && place < 8) fetch(place + 1);
    await(&barriers[place & 1], place / 2 & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < 2; k++)
      asm volatile(
          "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, 1, 1, 1, 0, 0;"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
          : "l"(descriptor(as[place & 1]) + k * 2), "l"(descriptor(ws[place & 1]) + k * 2));
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) {
    int pixel = first + t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8;
    if (pixel < pixels) out[pixel * 16 + i / 4 * 8 + t % 4 * 2 + i % 2] = d[i];
  }
}
