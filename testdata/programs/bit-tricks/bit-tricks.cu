// One of each bit-twiddling instruction per thread: result k of thread i stands at out[k * n + i].

typedef unsigned u32;
typedef unsigned long long u64;

extern "C" __global__ void counts(const u32* a, const u32* b, u32* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 x = a[i], y = b[i], high, shifted, signedHigh;
  u64 wide = static_cast<u64>(x) << 32 | y;
  out[i] = __popc(x);
  out[n + i] = __popcll(wide);
  out[2 * n + i] = __clz(x);
  out[3 * n + i] = __clzll(wide);
  out[4 * n + i] = __brev(x);
  out[5 * n + i] = static_cast<u32>(__brevll(wide) >> 7);
  out[6 * n + i] = __ffs(x);
  out[7 * n + i] = __ffsll(wide);
  asm("bfind.u32 %0, %1;" : "=r"(high) : "r"(x));
  asm("bfind.shiftamt.u32 %0, %1;" : "=r"(shifted) : "r"(x));
  asm("bfind.s32 %0, %1;" : "=r"(signedHigh) : "r"(x));
  out[8 * n + i] = high;
  out[9 * n + i] = shifted;
  out[10 * n + i] = signedHigh;
  out[11 * n + i] = __fns(x, 0, static_cast<int>(y % 9) + 1);
}

extern "C" __global__ void rearrange(const u32* a, const u32* b, const u32* c, u32* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 x = a[i], y = b[i], z = c[i], forward, replicated, edge, pieces, picked;
  out[i] = __byte_perm(x, y, z);
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(pieces) : "r"(x), "r"(y), "r"(z));  // with sign replication
  asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(forward) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(replicated) : "r"(x), "r"(y), "r"(z));
  asm("prmt.b32.ecl %0, %1, %2, %3;" : "=r"(edge) : "r"(x), "r"(y), "r"(z));
  out[n + i] = pieces;
  out[2 * n + i] = forward;
  out[3 * n + i] = replicated;
  out[4 * n + i] = edge;
  out[5 * n + i] = __funnelshift_l(x, y, z);
  out[6 * n + i] = __funnelshift_r(x, y, z);
  out[7 * n + i] = __funnelshift_lc(x, y, z % 64);
  out[8 * n + i] = __funnelshift_rc(x, y, z % 64);
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(picked) : "r"(x), "r"(y), "r"(z));  // x ? y : z
  out[9 * n + i] = picked;
}

extern "C" __global__ void fields(const u32* a, const u32* b, const u32* c, u32* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  u32 x = a[i], y = b[i], z = c[i], position = z % 40, length = z / 256 % 40, field, signedField, inserted;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(x), "r"(position), "r"(length));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(signedField) : "r"(x), "r"(position), "r"(length));
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(inserted) : "r"(x), "r"(y), "r"(position), "r"(length));
  out[i] = field;
  out[n + i] = signedField;
  out[2 * n + i] = inserted;
  out[3 * n + i] = __dp4a(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  out[4 * n + i] = __dp4a(x, y, z);
  out[5 * n + i] = __dp2a_lo(static_cast<int>(x), static_cast<int>(y), static_cast<int>(z));
  out[6 * n + i] = __dp2a_hi(x, y, z);
  out[7 * n + i] = __sad(static_cast<int>(x), static_cast<int>(y), z);
  out[8 * n + i] = __usad(x, y, z);
  out[9 * n + i] = __mul24(static_cast<int>(x), static_cast<int>(y));
  out[10 * n + i] = __umul24(x, y) + z;
  out[11 * n + i] = __mulhi(static_cast<int>(x), static_cast<int>(y)) + static_cast<int>(z);
  out[12 * n + i] = __umulhi(x, y);
  out[13 * n + i] = __hadd(static_cast<int>(x), static_cast<int>(y));
  out[14 * n + i] = __vadd4(x, y) ^ __vabsdiffu4(y, z) ^ __vmaxs2(x, z);
}
