// What NVIDIA's own headers make of small floats on the host (cuda_fp16.h, cuda_bf16.h, cuda_fp8.h, cuda_fp6.h, cuda_fp4.h of CUDA 13.0):
// words from standard input, for each the results below, two bytes each, in the order of test/exec/host-conversions.test.ts, which
// records checksums of them with PTXKIT_UPDATE=1:
//
//   g++ -O1 -I CUDA/include -o host-conversions host-conversions.cpp
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

int main() {
  uint32_t word;
  while (fread(&word, 4, 1, stdin) == 1) {
    float x;
    memcpy(&x, &word, 4);
    __half_raw half;
    half.x = (unsigned short)word;
    __nv_bfloat16_raw brain;
    brain.x = (unsigned short)word;
    auto h = [](__half value) { return __half_raw(value).x; };
    auto b = [](__nv_bfloat16 value) { return __nv_bfloat16_raw(value).x; };
    unsigned char byte = (unsigned char)word;
    uint16_t results[] = {
      h(__float2half_rn(x)), h(__float2half_rz(x)), h(__float2half_rd(x)), h(__float2half_ru(x)),
      b(__float2bfloat16_rn(x)), b(__float2bfloat16_rz(x)),
      __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3), __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2),
      __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E4M3), __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E5M2),
      __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest), __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest),
      __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest), __nv_cvt_halfraw_to_fp4(half, __NV_E2M1, cudaRoundNearest),
      __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundZero), __nv_cvt_float_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf),
      __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundZero), __nv_cvt_float_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf),
      __nv_cvt_bfloat16raw_to_e8m0(brain, __NV_SATFINITE, cudaRoundPosInf),
      __nv_cvt_fp8_to_halfraw(byte, __NV_E4M3).x, __nv_cvt_fp8_to_halfraw(byte, __NV_E5M2).x,
      __nv_cvt_fp6_to_halfraw(byte & 63, __NV_E2M3).x, __nv_cvt_fp6_to_halfraw(byte & 63, __NV_E3M2).x,
      __nv_cvt_fp4_to_halfraw(byte & 15, __NV_E2M1).x, __nv_cvt_e8m0_to_bf16raw(byte).x,
    };
    fwrite(results, sizeof results, 1, stdout);
  }
}
