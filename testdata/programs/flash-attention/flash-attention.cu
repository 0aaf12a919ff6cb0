// Attention in one pass: a warp 16 queries, blocks of keys and values in shared memory, and the softmax kept up to date as they come.
// The probabilities go from the first product's accumulators into the second product's operands without leaving registers.

#include <cuda_fp16.h>

constexpr int queries = 64, keys = 32, width = 32, pad = 8;

__device__ unsigned sharedAddress(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy16(void* to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(sharedAddress(to)), "l"(from) : "memory");
}

template <bool transposed>
__device__ void loadMatrix(unsigned (&r)[4], const void* row) {
  if (transposed)
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(sharedAddress(row)));
  else
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(sharedAddress(row)));
}

__device__ void multiply(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned packed(float low, float high) {
  __half2 pair = __floats2half2_rn(low, high);
  return *reinterpret_cast<unsigned*>(&pair);
}

// Grid: blocks of queries, heads. `scale` has the logarithm of e to base 2 in it.
extern "C" __global__ void __launch_bounds__(128)
    attention(const __half* q, const __half* k, const __half* v, float* out, float* logSums, int length, float scale, int causal) {
  __shared__ alignas(16) __half qs[queries][width + pad];
  __shared__ alignas(16) __half ks[keys][width + pad];
  __shared__ alignas(16) __half vs[keys][width + pad];
  int t = threadIdx.x, lane = t % 32, warpRow = t / 32 * 16, head = blockIdx.y, query0 = blockIdx.x * queries;
  q += head * length * width, k += head * length * width, v += head * length * width, out += head * length * width;
  for (int i = t; i < queries * width / 8; i += 128) copy16(&qs[i / 4][i % 4 * 8], q + query0 * width + i * 8);
  float sums[4][4] = {}, largest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
  int end = causal ? min(length, query0 + queries) : length;
  for (int key0 = 0; key0 < end; key0 += keys) {
    copy16(&ks[t / 4][t % 4 * 8], k + key0 * width + t * 8);
    copy16(&vs[t / 4][t % 4 * 8], v + key0 * width + t * 8);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    float scores[4][4] = {};
    for (int step = 0; step < width; step += 16) {
      unsigned fq[4];
      loadMatrix<false>(fq, &qs[warpRow + lane % 16][step + lane / 16 * 8]);
      for (int j = 0; j < 2; j++) {
        unsigned fk[4];
        loadMatrix<false>(fk, &ks[j * 16 + lane / 16 * 8 + lane % 8][step + lane / 8 % 2 * 8]);
        multiply(scores[2 * j], fq, fk[0], fk[1]);
        multiply(scores[2 * j + 1], fq, fk[2], fk[3]);
      }
    }
    for (int h = 0; h < 2; h++) {
      int row = query0 + warpRow + lane / 4 + h * 8;
      float top = largest[h];
      for (int j = 0; j < 4; j++)
        for (int i = 0; i < 2; i++) {
          float& score = scores[j][2 * h + i];
          score = causal && key0 + j * 8 + lane % 4 * 2 + i > row ? -INFINITY : score * scale;
          top = fmaxf(top, score);
        }
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 1));
      top = fmaxf(top, __shfl_xor_sync(~0u, top, 2));
      float shrink = exp2f(largest[h] - top), part = 0;
      largest[h] = top;
      for (int j = 0; j < 4; j++)
        for (int i = 0; i < 2; i++) {
          float& score = scores[j][2 * h + i];
          score = exp2f(score - top);
          part += score;
        }
      total[h] = total[h] * shrink + part;
      for (int j = 0; j < 4; j++) sums[j][2 * h] *= shrink, sums[j][2 * h + 1] *= shrink;
    }
    for (int step = 0; step < 2; step++) {
      const float *low = scores[2 * step], *high = scores[2 * step + 1];
      unsigned fp[4] = {packed(low[0], low[1]), packed(low[2], low[3]), packed(high[0], high[1]), packed(high[2], high[3])};
      for (int j = 0; j < 2; j++) {
        unsigned fv[4];
        loadMatrix<true>(fv, &vs[step * 16 + lane % 16][j * 16 + lane / 16 * 8]);
        multiply(sums[2 * j], fp, fv[0], fv[1]);
        multiply(sums[2 * j + 1], fp, fv[2], fv[3]);
      }
    }
    __syncthreads();
  }
  for (int h = 0; h < 2; h++) {
    int row = query0 + warpRow + lane / 4 + h * 8;
    float sum = total[h];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    for (int j = 0; j < 4; j++)
      *reinterpret_cast<float2*>(out + row * width + j * 8 + lane % 4 * 2) = {sums[j][2 * h] / sum, sums[j][2 * h + 1] / sum};
    if (lane % 4 == 0) logSums[head * length + row] = largest[h] + log2f(sum);
  }
}
