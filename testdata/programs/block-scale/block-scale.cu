// One warp multiplies 16 x k by k x 8. Matrices come packed, rows of A and columns of B one after the other; so do their scales.

struct Lane {
  int group, inGroup;
  __device__ Lane() : group(threadIdx.x / 4), inGroup(threadIdx.x % 4) {}
};

// Words of a row of 32 bytes: the thread's own of the first half, and of the second.
__device__ unsigned word(const unsigned* rows, int row, int half) { return rows[row * 8 + half * 4 + Lane().inGroup]; }

__device__ void store(float* d, const float* sums) {
  Lane lane;
  for (int i = 0; i < 4; i++) d[(lane.group + 8 * (i / 2)) * 8 + 2 * lane.inGroup + i % 2] = sums[i];
}

#define SCALED(name, instruction, byteA, threadA, byteB, threadB)                                                                \
  extern "C" __global__ void name(const unsigned* a, const unsigned* b, const unsigned* scaleA, const unsigned* scaleB, float* d) { \
    Lane lane;                                                                                                                    \
    float s[4];                                                                                                                   \
    unsigned sa = lane.inGroup / 2 == threadA ? scaleA[lane.group + 8 * (lane.inGroup % 2)] : 0xffffffffu;                         \
    unsigned sb = lane.inGroup == threadB ? scaleB[lane.group] : 0xffffffffu;                                                      \
    asm(instruction                                                                                                               \
        " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %10, %10, %10}, %11, {" #byteA ", " #threadA "}, %12, {" #byteB      \
        ", " #threadB "};"                                                                                                        \
        : "=f"(s[0]), "=f"(s[1]), "=f"(s[2]), "=f"(s[3])                                                                          \
        : "r"(word(a, lane.group, 0)), "r"(word(a, lane.group + 8, 0)), "r"(word(a, lane.group, 1)),                              \
          "r"(word(a, lane.group + 8, 1)), "r"(word(b, lane.group, 0)), "r"(word(b, lane.group, 1)), "f"(0.5f), "r"(sa), "r"(sb)); \
    store(d, s);                                                                                                                  \
  }

SCALED(nvfp4, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3", 0, 1, 0, 2)
SCALED(mxfp4, "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0", 2, 0, 0, 3)
SCALED(mxfp8, "mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e2m1.f32.ue8m0", 3, 1, 1, 0)
