// A persistent product with specialised warpgroups: one brings tiles into a ring of three stages, two multiply them, each 64 rows, and
// send their results out by tensor copies. Registers move from the producer to the consumers.

#include <cuda.h>
#include <cuda_bf16.h>

constexpr int tileM = 128, tileN = 32, tileK = 32, stages = 3;

struct Shared {
  alignas(1024) __nv_bfloat16 a[stages][tileM][tileK];
  alignas(1024) __nv_bfloat16 b[stages][tileN][tileK];
  alignas(1024) __nv_bfloat16 d[2][64][tileN];
  alignas(8) unsigned long long full[stages], empty[stages];
};

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void await(unsigned long long* barrier, unsigned parity) {
  asm volatile(
      "{\n\t"
      ".reg .pred complete;\n\t"
      "WAIT:\n\t"
      "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 complete, [%0], %1, 0x989680;\n\t"
      "@complete bra DONE;\n\t"
      "bra WAIT;\n\t"
      "DONE:\n\t"
      "}" ::"r"(sharedAddress(barrier)),
      "r"(parity)
      : "memory");
}

__device__ void load(void* tile, const CUtensorMap* map, int x, int y, unsigned long long* barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          sharedAddress(tile)),
      "l"(map), "r"(x), "r"(y), "r"(sharedAddress(barrier))
      : "memory");
}

__device__ unsigned long long descriptor(const void* tile) {
  return (sharedAddress(tile) & 0x3ffff) >> 4 | 1ull << 16 | 512ull / 16 << 32 | 2ull << 62;  // rows of 64 bytes, swizzled
}

__device__ void multiply(float (&d)[16], unsigned long long a, unsigned long long b, int accumulate) {
  asm volatile(
      "{\n\t"
      ".reg .pred p;\n\t"
      "setp.ne.b32 p, %18, 0;\n\t"
      "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, p, 1, 1, 0, 0;\n\t"
      "}"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
        "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15])
      : "l"(a), "l"(b), "r"(accumulate));
}

__device__ unsigned packed(float low, float high) {
  __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return *reinterpret_cast<unsigned*>(&pair);
}

__device__ void produce(Shared& shared, const CUtensorMap* a, const CUtensorMap* b, int tiles, int tilesN, int steps) {
  if (threadIdx.x % 128 != 0) return;
  int n = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    for (int step = 0; step < steps; step++, n++) {
      int stage = n % stages;
      await(&shared.empty[stage], (n / stages & 1) ^ 1);  // a fresh barrier's phase before the first is over
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&shared.full[stage])),
                   "r"((tileM + tileN) * tileK * 2)
                   : "memory");
      load(shared.a[stage], a, step * tileK, tile / tilesN * tileM, &shared.full[stage]);
      load(shared.b[stage], b, step * tileK, tile % tilesN * tileN, &shared.full[stage]);
    }
}

__device__ void consume(Shared& shared, const CUtensorMap* d, int tiles, int tilesN, int steps) {
  int group = threadIdx.x / 128 - 1, t = threadIdx.x % 128, n = 0;
  for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    float sums[16];
    for (int step = 0; step < steps; step++, n++) {
      int stage = n % stages;
      await(&shared.full[stage], n / stages & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int k = 0; k < tileK; k += 16)
        multiply(sums, descriptor(&shared.a[stage][group * 64]) + k * 2 / 16, descriptor(shared.b[stage]) + k * 2 / 16, step + k > 0);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      // The products before these are over, and their stage is free.
      asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
      if (t == 0 && step > 0)
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(&shared.empty[(n - 1) % stages])) : "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned 0;"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3]), "+f"(sums[4]), "+f"(sums[5]), "+f"(sums[6]),
                   "+f"(sums[7]), "+f"(sums[8]), "+f"(sums[9]), "+f"(sums[10]), "+f"(sums[11]), "+f"(sums[12]), "+f"(sums[13]),
                   "+f"(sums[14]), "+f"(sums[15])::"memory");
    if (t == 0) {
      asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(sharedAddress(&shared.empty[(n - 1) % stages])) : "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");  // the tile before has left
    }
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    for (int j = 0; j < 2; j++) {
      const float* s = sums + j * 8;
      asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                       sharedAddress(&shared.d[group][t / 32 * 16 + t % 16][j * 16 + t % 32 / 16 * 8])),
                   "r"(packed(s[0], s[1])), "r"(packed(s[2], s[3])), "r"(packed(s[4], s[5])), "r"(packed(s[6], s[7]))
                   : "memory");
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (t == 0) {
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(d),
                   "r"(tile % tilesN * tileN), "r"(tile / tilesN * tileM + group * 64), "r"(sharedAddress(shared.d[group]))
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

extern "C" __global__ void __launch_bounds__(384, 1)
    gemm(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, const __grid_constant__ CUtensorMap d, int tiles,
         int tilesN, int steps) {
  extern __shared__ char dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic + (1024 - sharedAddress(dynamic) % 1024) % 1024);
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; i++) {
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&shared.full[i])) : "memory");
      asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(sharedAddress(&shared.empty[i])) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("prefetch.tensormap [%0]; prefetch.tensormap [%1];" ::"l"(&a), "l"(&b) : "memory");
  }
  __syncthreads();
  if (threadIdx.x < 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    produce(shared, &a, &b, tiles, tilesN, steps);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(shared, &d, tiles, tilesN, steps);
  }
}
