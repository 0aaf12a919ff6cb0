// C = A B^T + bias: each block has 128 rows and 64 columns, and goes along K by tiles of 64 with a swizzle of 128 bytes.
#include <cuda_fp16.h>

constexpr int ROWS = 128, COLUMNS = 64, TILE = 64;

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

// Start, stride of eight rows (1024 bytes), the constant, and the swizzle of 128 bytes.
__device__ unsigned long long describe(unsigned address) {
  return ((address & 0x3ffff) >> 4) | (1ull << 16) | (64ull << 32) | (1ull << 46) | (2ull << 61);
}

__device__ void waitFor(unsigned barrier, unsigned phase) {
  asm volatile(
      "{\n\t"
      ".reg .pred complete;\n\t"
      "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 complete, [%0], %1;\n\t"
      "@!complete bra AGAIN;\n\t"
      "}" ::"r"(barrier),
      "r"(phase)
      : "memory");
}

// Rows of 64 halves; pieces of 16 bytes change places by the row.
__device__ void fill(__half* tile, const __half* from, int rows, int stride) {
  for (int i = threadIdx.x; i < rows * 8; i += blockDim.x) {
    int row = i / 8, piece = i % 8;
    *reinterpret_cast<uint4*>(tile + row * TILE + (piece ^ (row & 7)) * 8) =
        *reinterpret_cast<const uint4*>(from + row * stride + piece * 8);
  }
}

extern "C" __global__ void __launch_bounds__(128) gemm(const __half* a, const __half* b, const float* bias, float* c, int n, int k) {
  __shared__ alignas(1024) __half tileA[ROWS * TILE];
  __shared__ alignas(1024) __half tileB[COLUMNS * TILE];
  __shared__ alignas(8) unsigned long long barrier;
  __shared__ unsigned base;
  int warp = threadIdx.x / 32;
  int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
  if (warp == 0) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 64;" ::"r"(sharedAddress(&base)) : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  }
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  unsigned memory = base;
  // f32 sums, f16 factors, N = 64, M = 128.
  const unsigned instruction = (1u << 4) | ((COLUMNS / 8) << 17) | ((ROWS / 16) << 24);
  for (int tile = 0; tile < k / TILE; tile++) {
    if (tile > 0) waitFor(sharedAddress(&barrier), (tile - 1) & 1);
    __syncthreads();
    fill(tileA, a + row * k + tile * TILE, ROWS, k);
    fill(tileB, b + column * k + tile * TILE, COLUMNS, k);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int part = 0; part < TILE / 16; part++) {
        unsigned accumulates = tile > 0 || part > 0;
        asm volatile(
            "{\n\t"
            ".reg .pred adds;\n\t"
            "setp.ne.u32 adds, %4, 0;\n\t"
            "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, adds;\n\t"
            "}" ::"r"(memory),
            "l"(describe(sharedAddress(tileA) + 32 * part)), "l"(describe(sharedAddress(tileB) + 32 * part)), "r"(instruction),
            "r"(accumulates)
            : "memory");
      }
      asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(sharedAddress(&barrier))
                   : "memory");
    }
  }
  waitFor(sharedAddress(&barrier), (k / TILE - 1) & 1);
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  for (int first = 0; first < COLUMNS; first += 8) {
    unsigned v[8];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]), "=r"(v[7])
                 : "r"(memory + (warp << 21) + first));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    for (int i = 0; i < 8; i++)
      c[(row + static_cast<int>(threadIdx.x)) * n + column + first + i] = __uint_as_float(v[i]) + bias[column + first + i];
  }
  __syncthreads();
  if (warp == 0) asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(memory));
}
