// Tiles of 256 ints come in by bulk copies, are scaled in shared memory, and go out by bulk copies.

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

extern "C" __global__ void scaleTiles(const int* in, int* out, int tiles, int factor) {
  __shared__ alignas(128) int tile[256];
  __shared__ alignas(8) unsigned long long barrier;
  int t = threadIdx.x;
  const unsigned bytes = sizeof tile;
  if (t == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(sharedAddress(&barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  for (int i = 0; i < tiles; i++) {
    if (t == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(sharedAddress(&barrier)), "r"(bytes) : "memory");
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(sharedAddress(tile)),
                   "l"(__cvta_generic_to_global(in + i * 256)), "r"(bytes), "r"(sharedAddress(&barrier))
                   : "memory");
    }
    unsigned done;
    do {
      asm volatile(
          "{\n\t"
          ".reg .pred complete;\n\t"
          "mbarrier.try_wait.parity.shared::cta.b64 complete, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, complete;\n\t"
          "}"
          : "=r"(done)
          : "r"(sharedAddress(&barrier)), "r"(i & 1)
          : "memory");
    } while (!done);
    for (int k = t; k < 256; k += blockDim.x) tile[k] = tile[k] * factor + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(out + i * 256)),
                   "r"(sharedAddress(tile)), "r"(bytes)
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
    __syncthreads();
  }
}
