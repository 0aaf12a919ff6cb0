// A product of weights of 8 bits with bfloat16: the weights become bfloat16 in registers, from which wgmma takes A; B lies row after
// row, so that wgmma transposes it.

#include <cuda.h>
#include <cuda_bf16.h>

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

// Two neighbouring bytes of a row.
__device__ unsigned widened(const signed char* p) {
  char2 pair = *reinterpret_cast<const char2*>(p);
  __nv_bfloat162 wide = __floats2bfloat162_rn(pair.x, pair.y);
  return *reinterpret_cast<unsigned*>(&wide);
}

extern "C" __global__ void __launch_bounds__(128)
    gemm(const signed char* weights, const __grid_constant__ CUtensorMap b, float* c, int n, int k) {
  __shared__ alignas(1024) __nv_bfloat16 bs[32][64];  // 64 columns are a swizzled row of 128 bytes
  __shared__ alignas(8) unsigned long long barrier;
  int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4, column0 = blockIdx.x * 64;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async;" ::"r"(sharedAddress(&barrier)) : "memory");
  __syncthreads();
  float d[32] = {};
  for (int k0 = 0, parity = 0; k0 < k; k0 += 32, parity ^= 1) {
    if (t == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barrier)), "n"(sizeof bs) : "memory");
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
              sharedAddress(bs)),
          "l"(&b), "r"(column0), "r"(k0), "r"(sharedAddress(&barrier))
          : "memory");
    }
    unsigned a[2][4];
    for (int step = 0; step < 2; step++)
      for (int i = 0; i < 4; i++) a[step][i] = widened(weights + (row + i % 2 * 8) * k + k0 + step * 16 + t % 4 * 2 + i / 2 * 8);
    await(&barrier, parity);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int step = 0; step < 2; step++) {
      unsigned long long at = (sharedAddress(bs[step * 16]) & 0x3ffff) >> 4 | 4096ull / 16 << 16 | 1024ull / 16 << 32 | 1ull << 62;
      asm volatile(
          "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
          "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
          "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
          "{%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
          : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
            "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]),
            "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
            "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
          : "r"(a[step][0]), "r"(a[step][1]), "r"(a[step][2]), "r"(a[step][3]), "l"(at));
    }
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    __syncthreads();
  }
  int column = column0 + t % 4 * 2;
  for (int i = 0; i < 32; i++) c[(row + i / 2 % 2 * 8) * n + column + i / 4 * 8 + i % 2] = d[i];
}
