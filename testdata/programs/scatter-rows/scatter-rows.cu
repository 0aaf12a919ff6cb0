// Rows of a table gathered and summed by bags of indices, and gradients added back to the rows, by bulk copies of whole rows.

#include <cuda_bf16.h>
#include <cuda_fp16.h>

constexpr int width = 64;

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

// A warp a bag: each lane asks for one row, so that at most 32 are under way.
extern "C" __global__ void gather(const __nv_bfloat16* table, const int* rows, const int* ends, float* out) {
  __shared__ alignas(16) __nv_bfloat162 fetched[32][width / 2];
  __shared__ alignas(8) unsigned long long barrier;
  int lane = threadIdx.x, begin = blockIdx.x == 0 ? 0 : ends[blockIdx.x - 1], count = ends[blockIdx.x] - begin;
  if (lane == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barrier)), "r"(count * width * 2) : "memory");
  }
  __syncwarp();
  if (lane < count)
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(fetched[lane])),
                 "l"(__cvta_generic_to_global(table + rows[begin + lane] * width)), "n"(width * 2), "r"(sharedAddress(&barrier))
                 : "memory");
  await(&barrier, 0);
  float2 sum = {0, 0};
  for (int i = 0; i < count; i++) {
    float2 pair = __bfloat1622float2(fetched[i][lane]);
    sum.x += pair.x, sum.y += pair.y;
  }
  reinterpret_cast<float2*>(out)[blockIdx.x * width / 2 + lane] = sum;
}

// Each bag's gradient goes to all of its rows, in three formats, and the largest of each place is kept besides.
extern "C" __global__ void scatter(const float2* gradients, const int* rows, const int* ends, __nv_bfloat16* sums16, __half* largest16, float* sums32) {
  __shared__ alignas(16) __nv_bfloat162 b[width / 2];
  __shared__ alignas(16) __half2 h[width / 2];
  __shared__ alignas(16) float2 f[width / 2];
  int lane = threadIdx.x, begin = blockIdx.x == 0 ? 0 : ends[blockIdx.x - 1], count = ends[blockIdx.x] - begin;
  float2 mine = gradients[blockIdx.x * width / 2 + lane];
  b[lane] = __float22bfloat162_rn(mine), h[lane] = __float22half2_rn(mine), f[lane] = mine;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncwarp();
  if (lane < count) {
    int row = rows[begin + lane];
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%0], [%1], %2;" ::"l"(
                     __cvta_generic_to_global(sums16 + row * width)),
                 "r"(sharedAddress(b)), "n"(width * 2)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [%0], [%1], %2;" ::"l"(
                     __cvta_generic_to_global(largest16 + row * width)),
                 "r"(sharedAddress(h)), "n"(width * 2)
                 : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(
                     __cvta_generic_to_global(sums32 + row * width)),
                 "r"(sharedAddress(f)), "n"(width * 4)
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
