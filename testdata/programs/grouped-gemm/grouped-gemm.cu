// Products of several sizes in one launch: each block rewrites three tensor maps for its own matrices, publishes them in global memory,
// and multiplies by wgmma what they bring.

#include <cuda.h>

struct Problem {
  unsigned a, b, c;  // elements from the start of each buffer
  int m, n, k;
};

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

// The whole first warp: copies `from`, gives it a matrix's place and size, and publishes it.
__device__ void describe(CUtensorMap* scratch, CUtensorMap* to, const CUtensorMap* from, const void* matrix, int columns, int rows,
                         unsigned long long pitch) {
  int lane = threadIdx.x;
  reinterpret_cast<unsigned*>(scratch)[lane] = reinterpret_cast<const unsigned*>(from)[lane];
  __syncwarp();
  if (lane == 0) {
    unsigned at = sharedAddress(scratch);
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"r"(at), "l"(matrix) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %1;" ::"r"(at), "r"(columns) : "memory");
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;" ::"r"(at), "r"(rows) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %1;" ::"r"(at), "l"(pitch) : "memory");
  }
  __syncwarp();
  asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to),
               "r"(sharedAddress(scratch))
               : "memory");
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(to) : "memory");
}

__device__ void load(void* tile, const CUtensorMap* map, int x, int y, unsigned long long* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          sharedAddress(tile)),
      "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
      : "memory");
}

__device__ unsigned long long descriptor(const void* tile) {
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | 512ull / 16 << 32 | 2ull << 62;  // rows of 64 bytes, swizzled
}

extern "C" __global__ void __launch_bounds__(128)
    gemm(const Problem* problems, const unsigned short* a, const unsigned short* b, float* c, CUtensorMap* workspace,
         const __grid_constant__ CUtensorMap anyA, const __grid_constant__ CUtensorMap anyB, const __grid_constant__ CUtensorMap anyC) {
  __shared__ alignas(1024) unsigned short as[64 * 32];
  __shared__ alignas(1024) unsigned short bs[32 * 32];
  __shared__ alignas(128) float cs[64][32];
  __shared__ alignas(128) CUtensorMap scratch;
  __shared__ alignas(8) unsigned long long barrier;
  int t = threadIdx.x;
  Problem mine = problems[blockIdx.x];
  CUtensorMap *aMap = workspace + blockIdx.x * 3, *bMap = aMap + 1, *cMap = aMap + 2;
  if (t < 32) {
    describe(&scratch, aMap, &anyA, a + mine.a, mine.k, mine.m, mine.k * 2);
    describe(&scratch, bMap, &anyB, b + mine.b, mine.k, mine.n, mine.k * 2);
    describe(&scratch, cMap, &anyC, c + mine.c, mine.n, mine.m, mine.n * 4);
  }
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.proxy.async;" ::"r"(sharedAddress(&barrier)) : "memory");
  __syncthreads();
  unsigned parity = 0;
  for (int row0 = 0; row0 < mine.m; row0 += 64)
    for (int column0 = 0; column0 < mine.n; column0 += 32) {
      float d[16] = {};
      for (int k0 = 0; k0 < mine.k; k0 += 32, parity ^= 1) {
        if (t == 0) {
          asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barrier)), "r"(96 * 64) : "memory");
          load(as, aMap, k0, row0, &barrier);
          load(bs, bMap, k0, column0, &barrier);
        }
        await(&barrier, parity);
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int k = 0; k < 2; k++)
          asm volatile(
              "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 "
              "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1, 0, 0;"
              : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
                "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
              : "l"(descriptor(as) + k * 2), "l"(descriptor(bs) + k * 2));
        asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
      }
      for (int i = 0; i < 16; i++) cs[t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8][i / 4 * 8 + t % 4 * 2 + i % 2] = d[i];
      asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
      __syncthreads();
      if (t == 0) {
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(cMap), "r"(column0), "r"(row0),
                     "r"(sharedAddress(cs))
                     : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
      }
      __syncthreads();
    }
}
