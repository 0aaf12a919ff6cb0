// What single instructions give, computed by the C compiler's arithmetic: integers as 128-bit integers, f32 and f64 by the
// processor under fesetround, halves as __float128 rounded once. Sections are those of PTX ISA 9.0; NaNs, .ftz and divisions by
// zero, which it leaves open, are as an H200 has them (testdata/hardware/h200/scalar). Nothing of lib/ is used.
//
//   gcc -O1 -frounding-math -mfma -o meanings meanings.c -lm && ./meanings | gzip -9n > meanings.bin.gz
//
// Output, for each row: length and bytes of the instruction, length and bytes of its operands' kinds (d's first), then
// CASES results of d's size, little endian; a predicate is a byte. Operands are made by operand() here and by the test.
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define CASES 192
typedef uint64_t u;
typedef __int128 s128;
typedef unsigned __int128 u128;
typedef int8_t s8; typedef uint8_t u8; typedef int16_t s16; typedef uint16_t u16;
typedef int32_t s32; typedef uint32_t u32; typedef int64_t s64; typedef uint64_t u64;

// ------------------------------------------------------------------------------------------------------------ operands
static const u edges[] = {
  0, 1, 2, 3, 7, 8, 15, 31, 32, 33, 63, 64, 127, 128, 255, 256, 0x3210, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff,
  0x7fffffff, 0x80000000, 0x80000001, 0xaaaaaaaa, 0xfffffffe, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
  0x8000000000000000, 0x8000000080000000, 0xfffffffffffffffe, 0xffffffffffffffff };
static const u edges_f32[] = {
  0, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 1, 0x80000001, 0x007fffff,
  0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345,
  0x4b800001, 0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x5f800000, 0x3f7fffff, 0x42ff0000, 0x437f8000, 0x477fe000,
  0x477ff000, 0x3dcccccd, 0x33800000, 0x38800000, 0x3f800001 };
static const u edges_f64[] = {
  0, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x4004000000000000,
  0xc004000000000000, 1, 0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff, 0x7ff0000000000000,
  0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001, 0xfff8000012345678, 0x41dfffffffe00000, 0x41e0000000000000,
  0xc1e0000000000000, 0xc1e0000000100000, 0x43dfffffffffffff, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000,
  0x36a0000000000000, 0x3690000000000000, 0x380fffffffffffff, 0x47efffffe0000000, 0x47effffff0000000, 0x40f0000000000000,
  0x406fe80000000000, 0x3fb999999999999a, 0x3ca0000000000000, 0x40effc0000000000, 0x3e60000000000000 };
static const u edges_f16[] = { 0, 0x8000, 0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4100, 0xc100, 1, 0x8001, 0x3ff, 0x83ff, 0x400,
  0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe12, 0x5bf8, 0x3bff, 0x3c01, 0x1400, 0x6400 };
static const u edges_bf16[] = { 0, 0x8000, 0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020, 0xc020, 1, 0x8001, 0x7f, 0x807f, 0x80,
  0x8080, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc1, 0x3f7f, 0x3f81, 0x4f00, 0x3380, 0x437f };
static const u edges_count[] = { 0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 24, 28, 31, 32, 33, 40, 48, 62, 63, 64, 65, 127, 128, 255,
  256, 257, 0x7fffffff, 0x80000000, 0xffffffff };

static u mix(u x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
#define EDGE(list, r) list[(r) % (sizeof list / sizeof *list)]
/** Operand `at` (1 for a) of case i: an edge of its kind, then any bits, then floats of moderate size. */
static u operand(const char *kind, int at, int i) {
  u r = mix((u)(8 * i + at)), s = mix(r);
  int edge = i < 112, moderate = i >= 152;
  if (!strcmp(kind, "count")) return edge ? EDGE(edges_count, r) : r & 63;
  if (!strcmp(kind, "pred")) return r & 1;
  if (!strcmp(kind, "f32")) return edge ? EDGE(edges_f32, r) : moderate ? (r & 0x807fffff) | ((120 + (s & 15)) << 23) : r & 0xffffffff;
  if (!strcmp(kind, "f64")) return edge ? EDGE(edges_f64, r) : moderate ? (r & 0x800fffffffffffff) | ((1010 + (s & 31)) << 52) : r;
  if (!strcmp(kind, "f16")) return edge ? EDGE(edges_f16, r) : moderate ? (r & 0x83ff) | ((12 + (s & 7)) << 10) : r & 0xffff;
  if (!strcmp(kind, "bf16")) return edge ? EDGE(edges_bf16, r) : moderate ? (r & 0x807f) | ((124 + (s & 7)) << 7) : r & 0xffff;
  if (!strcmp(kind, "f16x2")) return edge ? EDGE(edges_f16, r) | EDGE(edges_f16, s) << 16 : r & 0xffffffff;
  if (!strcmp(kind, "bf16x2")) return edge ? EDGE(edges_bf16, r) | EDGE(edges_bf16, s) << 16 : r & 0xffffffff;
  u wide = edge ? EDGE(edges, r) : r;
  return !strcmp(kind, "b16") ? wide & 0xffff : !strcmp(kind, "b32") ? wide & 0xffffffff : wide;
}

static u a, b, c, e;
static int size_of(const char *kind) {
  if (!strcmp(kind, "pred")) return 1;
  if (strstr(kind, "64")) return 8;
  return strstr(kind, "16") && !strstr(kind, "x2") ? 2 : 4;
}
// random-kernels.h looks rows up instead.
#ifndef ROWS_ELSEWHERE
static void row(const char *text, const char *kinds, u (*fn)(void)) {
  char list[5][8] = { "", "", "", "", "" };
  sscanf(kinds, "%7s %7s %7s %7s %7s", list[0], list[1], list[2], list[3], list[4]);
  putchar(strlen(text)); fputs(text, stdout);
  putchar(strlen(kinds)); fputs(kinds, stdout);
  for (int i = 0; i < CASES; i++) {
    a = operand(list[1], 1, i); b = operand(list[2], 2, i); c = operand(list[3], 3, i); e = operand(list[4], 4, i);
    u result = fn();
    for (int at = 0; at < size_of(list[0]); at++) putchar(result >> (8 * at) & 255);
  }
}
#endif
/** A row whose text is put together: R("add." "s32" ...). A nested function is its meaning. */
#define R(text, kinds, value) do { u fn(void) { return (u)(value); } row(text, kinds, fn); } while (0)

// ------------------------------------------------------------------------------------------------------------- helpers
#include "bits.h"
static u clampw(s128 x, s128 low, s128 high) { return (u)(x < low ? low : x > high ? high : x); }
static u sat_s32(s128 x) { return clampw(x, -(s128)2147483648, 2147483647); }
static s64 signed24(u x) { return (s32)(x << 8) >> 8; }
static s64 byte_of(u x, int i, int is_signed) { return is_signed ? (s64)(s8)(x >> (8 * i)) : (s64)(u8)(x >> (8 * i)); }
static s64 half_of(u x, int i, int is_signed) { return is_signed ? (s64)(s16)(x >> (16 * i)) : (s64)(u16)(x >> (16 * i)); }
static u dp4a(int as, int bs) { s64 sum = c; for (int i = 0; i < 4; i++) sum += byte_of(a, i, as) * byte_of(b, i, bs); return sum; }
static u dp2a(int hi, int as, int bs) { s64 sum = c; for (int i = 0; i < 2; i++) sum += half_of(a, i, as) * byte_of(b, 2 * hi + i, bs); return sum; }
static u shift(u x, u by, int bits, int left, int is_signed) {
  if (by >= (u)bits) return is_signed && x >> (bits - 1) & 1 ? ~0ull : 0;
  if (left) return x << by;
  s128 wide = is_signed && x >> (bits - 1) & 1 ? (s128)x - ((s128)1 << bits) : (s128)x;
  return (u)(wide >> by);
}
static u funnel(int left, int wrap) {
  u n = wrap ? c & 31 : c > 32 ? 32 : c;
  u128 whole = (u128)(b << 32 | a);
  return left ? (u)(whole << n >> 32) : (u)(whole >> n);
}
static u lop3(int table) { u d = 0; for (int i = 0; i < 32; i++) d |= (u)(table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i; return d; }
static u pick(const int *select) { u whole = b << 32 | a, d = 0; for (int i = 0; i < 4; i++) d |= (whole >> (8 * select[i]) & 255) << (8 * i); return d; }
static u prmt(void) {
  u whole = b << 32 | a, d = 0;
  for (int i = 0; i < 4; i++) {
    u nibble = c >> (4 * i) & 15, byte = whole >> (8 * (nibble & 7)) & 255;
    d |= (nibble & 8 ? (byte >> 7 ? 255ull : 0) : byte) << (8 * i);
  }
  return d;
}
/** The table of 9.7.9.7; bytes of d from the lowest. */
static u prmt_mode(const char *mode) {
  int k = c & 3, s[4];
  for (int i = 0; i < 4; i++)
    s[i] = !strcmp(mode, "f4e") ? k + i : !strcmp(mode, "b4e") ? (k - i + 8) % 8 : !strcmp(mode, "rc8") ? k
         : !strcmp(mode, "ecl") ? (i < k ? k : i) : !strcmp(mode, "ecr") ? (i < k ? i : k) : (k & 1) * 2 + (i & 1);
  return pick(s);
}
/** A chain of three: whether the third sees the carry of the second, and that the one of the first. */
static u chain(int bits, int subtracts, u x, u y, u z) {
  s128 low = subtracts ? (s128)a - b : (s128)a + b;
  u128 mod = (u128)1 << bits;
  int carry = low < 0 || (u128)low >= mod;
  s128 mid = subtracts ? (s128)c - a - carry : (s128)c + a + carry;
  carry = mid < 0 || (u128)mid >= mod;
  (void)x; (void)y; (void)z;
  return subtracts ? e - b - carry : e + b + carry;
}

// -------------------------------------------------------------------------------------------------------------- floats
static float f32(u x) { u32 w = (u32)x; float f; memcpy(&f, &w, 4); return f; }
static double f64(u x) { double f; memcpy(&f, &x, 8); return f; }
static u bits32(float f) { u32 w; memcpy(&w, &f, 4); return f != f ? 0x7fffffff : w; }
static u bits64(double f) { u w; memcpy(&w, &f, 8); return f != f ? 0xfff8000000000000 : w; }
static u flush(u x) { return x & 0x7f800000 ? x : x & 0x80000000; }
static u unit(u x) { float f = f32(x); return bits32(f != f || f <= 0 ? 0.0f : f > 1 ? 1.0f : f); }
static int isnan32(u x) { return (x & 0x7fffffff) > 0x7f800000; }
static int f32_flushes(const char *op, float p, float r, float s, int mode);
static u f32_op(const char *op, int mode, int ftz, int sat) {
  u x = ftz ? flush(a) : a, y = ftz ? flush(b) : b, z = ftz ? flush(c) : c;
  volatile float p = f32(x), q = f32(y), r = f32(z), d = 0;
  fesetround(mode);
  if (!strcmp(op, "add")) d = p + q;
  else if (!strcmp(op, "sub")) d = p - q;
  else if (!strcmp(op, "mul")) d = p * q;
  else if (!strcmp(op, "div")) d = p / q;
  else if (!strcmp(op, "rcp")) d = 1 / p;
  else if (!strcmp(op, "sqrt")) d = sqrtf(p);
  else d = fmaf(p, q, r);
  fesetround(FE_TONEAREST);
  u result = bits32(d);
  if (ftz && f32_flushes(op, p, q, r, mode)) result &= 0x80000000;
  return sat ? unit(result) : result;
}
static int isnan64(u x) { return (x & 0x7fffffffffffffff) > 0x7ff0000000000000; }
/** 9.7.3: payloads are kept; that of the first NaN in hardware's order of the operands, quiet. */
static u nan64(const char *order) {
  for (; *order; order++) {
    u x = *order == 'a' ? a : *order == 'b' ? b : c;
    if (isnan64(x)) return x | 1ull << 51;
  }
  return 0xfff8000000000000;
}
static u widen_nan(u x) { return (x & 0x80000000) << 32 | 0x7ff8000000000000 | (x & 0x7fffff) << 29; }
static u narrow_nan(u x) { return x >> 32 & 0x80000000 | 0x7fc00000 | (x >> 29 & 0x7fffff); }
static u f64_op(const char *op, int mode) {
  volatile double p = f64(a), q = f64(b), r = f64(c), d = 0;
  fesetround(mode);
  if (!strcmp(op, "add")) d = p + q;
  else if (!strcmp(op, "sub")) d = p - q;
  else if (!strcmp(op, "mul")) d = p * q;
  else if (!strcmp(op, "div")) d = p / q;
  else if (!strcmp(op, "rcp")) d = 1 / p;
  else if (!strcmp(op, "sqrt")) d = sqrt(p);
  else d = fma(p, q, r);
  fesetround(FE_TONEAREST);
  if (d != d) return nan64(!strcmp(op, "fma") ? "bca" : !strcmp(op, "div") ? "ab" : !strcmp(op, "rcp") || !strcmp(op, "sqrt") ? "a" : "ba");
  return bits64(d);
}
/** Orders -0 below +0. */
static double least(double x, double y) { return x < y || (x == y && signbit(x)) ? x : y; }
static double extreme(double x, double y, int max, int nan) {
  if (x != x || y != y) return nan ? NAN : x != x ? y : x;
  return max ? -least(-x, -y) : least(x, y);
}
static u extreme32(u x, u y, int max, int nan, int ftz) {
  u d = bits32((float)extreme(f32(ftz ? flush(x) : x), f32(ftz ? flush(y) : y), max, nan));
  return d;
}
static u xorsign32(int max, int nan) {
  u d = extreme32(a & 0x7fffffff, b & 0x7fffffff, max, nan, 0);
  return isnan32(d) ? d : d | ((a ^ b) & 0x80000000);
}
enum { EQ, NE, LT, LE, GT, GE, EQU, NEU, LTU, LEU, GTU, GEU, NUM, NAN_ };
static int holds(int op, double x, double y) {
  int unordered = x != x || y != y;
  if (op == NUM) return !unordered;
  if (op == NAN_) return unordered;
  if (unordered) return op >= EQU;
  switch (op % 6) {
    case EQ: return x == y; case NE: return x != y; case LT: return x < y;
    case LE: return x <= y; case GT: return x > y; default: return x >= y;
  }
}
static int holds_int(int op, s128 x, s128 y) {
  switch (op) {
    case EQ: return x == y; case NE: return x != y; case LT: return x < y;
    case LE: return x <= y; case GT: return x > y; default: return x >= y;
  }
}

// Halves: exact in __float128, or rounded to odd in it, then rounded once.
typedef __float128 q;
static q f16(u x) {
  int sign = x >> 15 & 1, exp = x >> 10 & 31; u m = x & 1023;
  q v = exp == 31 ? (m ? (q)NAN : (q)INFINITY) : exp ? (q)ldexp(1024 + m, exp - 25) : (q)ldexp(m, -24);
  return sign ? -v : v;
}
static q bf16(u x) { return f32((x & 0xffff) << 16); }
/** The nearest in a mode of a format with `mant` bits behind the point, least exponent `least` and greatest `most`. */
static u narrow(q x, int mant, int least_exp, int most, int mode, int bits) {
  u sign = (signbit((double)x) || x < 0) ? 1ull << (bits - 1) : 0, inf = ((u)(most - least_exp + 2)) << mant;
  if (x != x) return (1ull << (bits - 1)) - 1;
  if (x < 0) x = -x;
  int down = mode == FE_TOWARDZERO || mode == (sign ? FE_UPWARD : FE_DOWNWARD), up = mode == (sign ? FE_DOWNWARD : FE_UPWARD);
  if (x == 0) return sign;
  if (x > (q)1e300) return sign | (down && x - x == 0 ? inf - 1 : inf);
  int exp = least_exp; q unit_ = 1;
  q scaled = x;
  for (int i = 0; i < -(least_exp - mant); i++) scaled *= 2;
  for (int i = 0; i < least_exp - mant; i++) scaled /= 2;
  while (scaled >= (q)((u64)2 << mant)) { scaled /= 2; exp++; unit_ *= 2; }
  u whole = (u)scaled; q rest = scaled - (q)whole;
  if (up ? rest > 0 : down ? 0 : rest > (q)0.5 || (rest == (q)0.5 && whole & 1)) whole++;
  if (whole == (2ull << mant)) { whole >>= 1; exp++; }
  if (exp > most) return sign | (down ? inf - 1 : inf);
  u field = whole >> mant ? exp - least_exp + 1 : 0;
  return sign | field << mant | (whole & ((1ull << mant) - 1));
}
static u to_f16(q x, int mode) { return narrow(x, 10, -14, 15, mode, 16); }
static u to_bf16(q x, int mode) { return narrow(x, 7, -126, 127, mode, 16); }
static u to_tf32(q x, int mode) { return narrow(x, 10, -126, 127, mode, 19) << 13; }
static q odd_sum(q x, q y) {
  fesetround(FE_TOWARDZERO); feclearexcept(FE_ALL_EXCEPT);
  volatile q s = x + y;
  int inexact = fetestexcept(FE_INEXACT);
  fesetround(FE_TONEAREST);
  q d = s;
  if (x == -y && x == x && x - x == 0) d = signbit((double)x) && signbit((double)y) ? -(q)0 : (q)0;
  if (inexact) { u128 w; memcpy(&w, &d, 16); w |= 1; memcpy(&d, &w, 16); }
  return d;
}
/** The exact result, or that to odd, of operations whose subnormal results may be rounded. */
static int f32_flushes(const char *op, float p, float r, float s, int mode) {
  volatile q x = p, y = r, d;
  fesetround(FE_TOWARDZERO); feclearexcept(FE_ALL_EXCEPT);
  d = !strcmp(op, "mul") || !strcmp(op, "fma") ? x * y : !strcmp(op, "div") ? x / y : !strcmp(op, "rcp") ? 1 / x : !strcmp(op, "add") ? x + y
    : !strcmp(op, "sub") ? x - y : x;
  int inexact = fetestexcept(FE_INEXACT);
  fesetround(FE_TONEAREST);
  q exact = d;
  if (!strcmp(op, "fma")) exact = odd_sum(exact, s);
  else if (!strcmp(op, "sqrt")) return exact == 0;
  else if (inexact) { u128 w; memcpy(&w, &exact, 16); w |= 1; memcpy(&exact, &w, 16); }
  return is_flushed(exact < 0 ? -exact : exact, 23, -126, mode == FE_TONEAREST, mode == (exact < 0 ? FE_DOWNWARD : FE_UPWARD));
}
static u half_sign(int brain, u x, int negates) {
  x &= 0xffff;
  return (x & 0x7fff) > (brain ? 0x7f80 : 0x7c00) ? 0x7fff : negates ? x ^ 0x8000 : x & 0x7fff;
}
static u half_op(const char *op, int brain, u x, u y, u z, int ftz, int sat, int relu) {
  q (*from)(u) = brain ? bf16 : f16;
  u (*to)(q, int) = brain ? to_bf16 : to_f16;
  u tiny = brain ? 0x7f80 : 0x7c00;
  x &= 0xffff; y &= 0xffff; z &= 0xffff;
  if (ftz) { if (!(x & tiny)) x &= 0x8000; if (!(y & tiny)) y &= 0x8000; if (!(z & tiny)) z &= 0x8000; }
  q p = from(x), r = from(y), s = from(z), d;
  if (!strcmp(op, "add")) d = odd_sum(p, r);
  else if (!strcmp(op, "sub")) d = odd_sum(p, -r);
  else if (!strcmp(op, "mul")) d = p * r;
  else d = odd_sum(p * r, s);
  u result = to(d, FE_TONEAREST);
  if (ftz && is_flushed(d < 0 ? -d : d, 10, -14, 1, 0)) result &= 0x8000;
  u one = brain ? 0x3f80 : 0x3c00;
  int nan = (result & 0x7fff) > tiny;
  if (sat) result = nan || result >> 15 ? 0 : result > one ? one : result;
  if (relu) result = nan ? 0x7fff : result >> 15 ? 0 : result;
  return result;
}
static u half_extreme(int brain, u x, u y, int max, int nan) {
  x &= 0xffff; y &= 0xffff;
  q (*from)(u) = brain ? bf16 : f16;
  return (brain ? to_bf16 : to_f16)((q)extreme((double)from(x), (double)from(y), max, nan), FE_TONEAREST);
}
#define BOTH(low, high) ((u)(low) & 0xffff) | (u)(high) << 16

/** Float to integer, 9.7.9.21: rounded, limited to the type; NaN as the section says. */
static u to_int(q x, int mode, int bits, int is_signed, int from64) {
  if (x != x) return !from64 && bits < 64 ? 0 : is_signed ? ~0ull << (bits - 1) : 1ull << (bits - 1);
  s128 low = is_signed ? -((s128)1 << (bits - 1)) : 0, high = is_signed ? ((s128)1 << (bits - 1)) - 1 : ((s128)1 << bits) - 1;
  if (x < (q)-1e30) return (u)low;
  if (x > (q)1e30) return (u)high;
  s128 whole = (s128)x; q rest = x - (q)whole;
  if (rest < 0) { whole--; rest += 1; }
  if (rest > 0 && (mode == FE_UPWARD || (mode == FE_TOWARDZERO && whole < 0))) whole++;
  else if (mode == FE_TONEAREST && (rest > (q)0.5 || (rest == (q)0.5 && whole & 1))) whole++;
  return clampw(whole, low, high);
}
static q to_whole(q x, int mode) {
  if (x != x || x > (q)1e30 || x < (q)-1e30) return x;
  s128 whole = (s128)x; q rest = x - (q)whole;
  if (rest < 0) { whole--; rest += 1; }
  if (rest > 0 && (mode == FE_UPWARD || (mode == FE_TOWARDZERO && whole < 0))) whole++;
  else if (mode == FE_TONEAREST && (rest > (q)0.5 || (rest == (q)0.5 && whole & 1))) whole++;
  return whole == 0 && signbit((double)x) ? -(q)0 : (q)whole;
}
static u double_to_f32(double x, int mode) { volatile double p = x; fesetround(mode); volatile float d = (float)p; fesetround(FE_TONEAREST); return bits32(d); }
static u int_to_f32(s128 x, int mode) { return bits32(f32(narrow((q)x, 23, -126, 127, mode, 32))); }
static u int_to_f64(s128 x, int mode) { return narrow((q)x, 52, -1022, 1023, mode, 64); }

// ---------------------------------------------------------------------------------------------------------------- rows
#define INTEGER(T, B, W, K) \
  R("add." #T " d, a, b", K " " K " " K, (W)(T)a + (W)(T)b); \
  R("sub." #T " d, a, b", K " " K " " K, (W)(T)a - (W)(T)b); \
  R("mul.lo." #T " d, a, b", K " " K " " K, (W)(T)a * (W)(T)b); \
  R("mul.hi." #T " d, a, b", K " " K " " K, (W)(T)a * (W)(T)b >> B); \
  R("mad.lo." #T " d, a, b, c", K " " K " " K " " K, (W)(T)a * (W)(T)b + c); \
  R("mad.hi." #T " d, a, b, c", K " " K " " K " " K, ((W)(T)a * (W)(T)b >> B) + c); \
  R("sad." #T " d, a, b, c", K " " K " " K " " K, ((T)a < (T)b ? (W)(T)b - (T)a : (W)(T)a - (T)b) + c); \
  R("div." #T " d, a, b", K " " K " " K, (T)b == 0 ? (W)-1 : (W)(T)a / (W)(T)b); \
  R("rem." #T " d, a, b", K " " K " " K, (T)b == 0 ? (W)-1 : (W)(T)a % (W)(T)b); \
  R("min." #T " d, a, b", K " " K " " K, (T)a < (T)b ? a : b); \
  R("max." #T " d, a, b", K " " K " " K, (T)a > (T)b ? a : b)
#define WIDE(T, W, K, K2) \
  R("mul.wide." #T " d, a, b", K2 " " K " " K, (W)(T)a * (W)(T)b); \
  R("mad.wide." #T " d, a, b, c", K2 " " K " " K " " K2, (W)(T)a * (W)(T)b + c)
#define SIGNED(T, K) \
  R("abs." #T " d, a", K " " K, (T)a < 0 ? -(s128)(T)a : (s128)(T)a); \
  R("neg." #T " d, a", K " " K, -(s128)(T)a)
#define LOGIC(B, K) \
  R("and.b" #B " d, a, b", K " " K " " K, a & b); R("or.b" #B " d, a, b", K " " K " " K, a | b); \
  R("xor.b" #B " d, a, b", K " " K " " K, a ^ b); R("not.b" #B " d, a", K " " K, ~a); \
  R("cnot.b" #B " d, a", K " " K, a == 0); \
  R("shl.b" #B " d, a, b", K " " K " count", shift(a, b, B, 1, 0) & (B == 64 ? ~0ull : (1ull << B % 64) - 1)); \
  R("shr.b" #B " d, a, b", K " " K " count", shift(a, b, B, 0, 0)); \
  R("shr.u" #B " d, a, b", K " " K " count", shift(a, b, B, 0, 0)); \
  R("shr.s" #B " d, a, b", K " " K " count", shift(a, b, B, 0, 1)); \
  R("selp.b" #B " d, a, b, c", K " " K " " K " pred", c ? a : b); \
  R("selp.s" #B " d, a, b, !c", K " " K " " K " pred", c ? b : a); \
  R("slct.u" #B ".s32 d, a, b, c", K " " K " " K " b32", (s32)c >= 0 ? a : b); \
  R("slct.b" #B ".f32 d, a, b, c", K " " K " " K " f32", f32(c) >= 0 ? a : b); \
  R("slct.ftz.b" #B ".f32 d, a, b, c", K " " K " " K " f32", f32(flush(c)) >= 0 ? a : b)
#define COMPARE(T, K) \
  R("setp.eq." #T " d, a, b", "pred " K " " K, holds_int(EQ, (T)a, (T)b)); \
  R("setp.ne." #T " d, a, b", "pred " K " " K, holds_int(NE, (T)a, (T)b)); \
  R("setp.lt." #T " d, a, b", "pred " K " " K, holds_int(LT, (T)a, (T)b)); \
  R("setp.le." #T " d, a, b", "pred " K " " K, holds_int(LE, (T)a, (T)b)); \
  R("setp.gt." #T " d, a, b", "pred " K " " K, holds_int(GT, (T)a, (T)b)); \
  R("setp.ge." #T " d, a, b", "pred " K " " K, holds_int(GE, (T)a, (T)b)); \
  R("setp.le.xor." #T " d, a, b, c", "pred " K " " K " pred", holds_int(LE, (T)a, (T)b) ^ (int)c); \
  R("{ .reg .pred p; setp.gt.or." #T " p|d, a, b, !c; }", "pred " K " " K " pred", !holds_int(GT, (T)a, (T)b) | !c); \
  R("set.lt.u32." #T " d, a, b", "b32 " K " " K, holds_int(LT, (T)a, (T)b) ? ~0ull : 0); \
  R("set.ge.and.f32." #T " d, a, b, c", "f32 " K " " K " pred", holds_int(GE, (T)a, (T)b) & (int)c ? 0x3f800000 : 0); \
  R("set.ne.s32." #T " d, a, b", "b32 " K " " K, (T)a != (T)b ? ~0ull : 0)
#define UNSIGNED_COMPARE(T, K) \
  R("setp.lo." #T " d, a, b", "pred " K " " K, (T)a < (T)b); R("setp.ls." #T " d, a, b", "pred " K " " K, (T)a <= (T)b); \
  R("setp.hi." #T " d, a, b", "pred " K " " K, (T)a > (T)b); R("setp.hs." #T " d, a, b", "pred " K " " K, (T)a >= (T)b)

static const char *compares[] = { "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan" };
static const struct { const char *name; int mode; } modes[] = {
  { "rn", FE_TONEAREST }, { "rz", FE_TOWARDZERO }, { "rm", FE_DOWNWARD }, { "rp", FE_UPWARD } };
static const struct { const char *name; int bits; int is_signed; const char *kind; } ints[] = {
  { "u8", 8, 0, "b32" }, { "s8", 8, 1, "b32" }, { "u16", 16, 0, "b16" }, { "s16", 16, 1, "b16" },
  { "u32", 32, 0, "b32" }, { "s32", 32, 1, "b32" }, { "u64", 64, 0, "b64" }, { "s64", 64, 1, "b64" } };
static s128 value_of(u x, int bits, int is_signed) {
  u field = bits == 64 ? x : x & ((1ull << bits) - 1);
  return is_signed && field >> (bits - 1) & 1 ? (s128)field - ((s128)1 << bits) : (s128)field;
}
static s128 least_of(int t) { return ints[t].is_signed ? -((s128)1 << (ints[t].bits - 1)) : 0; }
static s128 most_of(int t) { return ((s128)1 << (ints[t].bits - ints[t].is_signed)) - 1; }

static char text[160], kinds[64];
#define T(...) (snprintf(text, sizeof text, __VA_ARGS__), text)
#define K(...) (snprintf(kinds, sizeof kinds, __VA_ARGS__), kinds)

static void integers(void) {
  INTEGER(u16, 16, u128, "b16"); INTEGER(s16, 16, s128, "b16"); INTEGER(u32, 32, u128, "b32");
  INTEGER(s32, 32, s128, "b32"); INTEGER(u64, 64, u128, "b64"); INTEGER(s64, 64, s128, "b64");
  WIDE(u16, u128, "b16", "b32"); WIDE(s16, s128, "b16", "b32"); WIDE(u32, u128, "b32", "b64"); WIDE(s32, s128, "b32", "b64");
  SIGNED(s16, "b16"); SIGNED(s32, "b32"); SIGNED(s64, "b64");
  R("add.sat.s32 d, a, b", "b32 b32 b32", sat_s32((s128)(s32)a + (s32)b));
  R("sub.sat.s32 d, a, b", "b32 b32 b32", sat_s32((s128)(s32)a - (s32)b));
  R("mad.hi.sat.s32 d, a, b, c", "b32 b32 b32 b32", sat_s32(((s128)(s32)a * (s32)b >> 32) + (s32)c));
  R("mul24.lo.u32 d, a, b", "b32 b32 b32", (a & 0xffffff) * (b & 0xffffff));
  R("mul24.hi.u32 d, a, b", "b32 b32 b32", (a & 0xffffff) * (b & 0xffffff) >> 16);
  R("mul24.lo.s32 d, a, b", "b32 b32 b32", signed24(a) * signed24(b));
  R("mul24.hi.s32 d, a, b", "b32 b32 b32", signed24(a) * signed24(b) >> 16);
  R("mad24.lo.u32 d, a, b, c", "b32 b32 b32 b32", (a & 0xffffff) * (b & 0xffffff) + c);
  R("mad24.hi.s32 d, a, b, c", "b32 b32 b32 b32", (signed24(a) * signed24(b) >> 16) + (s32)c);
  R("mad24.hi.sat.s32 d, a, b, c", "b32 b32 b32 b32", sat_s32((s128)(s32)(signed24(a) * signed24(b) >> 16) + (s32)c));
  R("add.u16x2 d, a, b", "b32 b32 b32", BOTH(a + b, (a >> 16) + (b >> 16)));
  R("add.s16x2 d, a, b", "b32 b32 b32", BOTH(a + b, (a >> 16) + (b >> 16)));
  R("min.u16x2 d, a, b", "b32 b32 b32", BOTH((u16)a < (u16)b ? a : b, a >> 16 < b >> 16 ? a >> 16 : b >> 16));
  R("max.s16x2 d, a, b", "b32 b32 b32", BOTH((s16)a > (s16)b ? a : b, (s32)a >> 16 > (s32)b >> 16 ? a >> 16 : b >> 16));
  R("min.relu.s16x2 d, a, b", "b32 b32 b32",
    BOTH((s16)a < 0 || (s16)b < 0 ? 0 : (s16)a < (s16)b ? a : b,
         (s32)a < 0 || (s32)b < 0 ? 0 : a >> 16 < b >> 16 ? a >> 16 : b >> 16));
  R("min.relu.s32 d, a, b", "b32 b32 b32", (s32)a < 0 || (s32)b < 0 ? 0 : a < b ? a : b);
  R("max.relu.s32 d, a, b", "b32 b32 b32", clampw((s32)a > (s32)b ? (s32)a : (s32)b, 0, 0x7fffffff));
  R("popc.b32 d, a", "b32 b32", bit_count(a)); R("popc.b64 d, a", "b32 b64", bit_count(a));
  R("clz.b32 d, a", "b32 b32", leading(a, 32)); R("clz.b64 d, a", "b32 b64", leading(a, 64));
  R("brev.b32 d, a", "b32 b32", reverse(a, 32)); R("brev.b64 d, a", "b64 b64", reverse(a, 64));
  R("bfind.u32 d, a", "b32 b32", find(a, 32, 0, 0)); R("bfind.s32 d, a", "b32 b32", find(a, 32, 1, 0));
  R("bfind.u64 d, a", "b32 b64", find(a, 64, 0, 0)); R("bfind.s64 d, a", "b32 b64", find(a, 64, 1, 0));
  R("bfind.shiftamt.u32 d, a", "b32 b32", find(a, 32, 0, 1)); R("bfind.shiftamt.s64 d, a", "b32 b64", find(a, 64, 1, 1));
  R("fns.b32 d, a, b, c", "b32 b32 count count", nth_set(a, b, (s32)c));
  R("fns.b32 d, a, b, -3", "b32 b32 count", nth_set(a, b, -3));
  R("bfe.u32 d, a, b, c", "b32 b32 count count", extract(a, b, c, 32, 0));
  R("bfe.s32 d, a, b, c", "b32 b32 count count", extract(a, b, c, 32, 1));
  R("bfe.u64 d, a, b, c", "b64 b64 count count", extract(a, b, c, 64, 0));
  R("bfe.s64 d, a, b, c", "b64 b64 count count", extract(a, b, c, 64, 1));
  R("bfi.b32 d, a, b, c, e", "b32 b32 b32 count count", insert(a, b, c, e, 32));
  R("bfi.b64 d, a, b, c, e", "b64 b64 b64 count count", insert(a, b, c, e, 64));
  R("szext.clamp.u32 d, a, b", "b32 b32 count", extend_field(a, b, 0, 0)); R("szext.wrap.u32 d, a, b", "b32 b32 count", extend_field(a, b, 1, 0));
  R("szext.clamp.s32 d, a, b", "b32 b32 count", extend_field(a, b, 0, 1)); R("szext.wrap.s32 d, a, b", "b32 b32 count", extend_field(a, b, 1, 1));
  R("bmsk.clamp.b32 d, a, b", "b32 count count", bit_mask(a, b, 0)); R("bmsk.wrap.b32 d, a, b", "b32 count count", bit_mask(a, b, 1));
  for (int as = 0; as < 2; as++) for (int bs = 0; bs < 2; bs++) {
    R(T("dp4a.%c32.%c32 d, a, b, c", "us"[as], "us"[bs]), "b32 b32 b32 b32", dp4a(as, bs));
    R(T("dp2a.lo.%c32.%c32 d, a, b, c", "us"[as], "us"[bs]), "b32 b32 b32 b32", dp2a(0, as, bs));
    R(T("dp2a.hi.%c32.%c32 d, a, b, c", "us"[as], "us"[bs]), "b32 b32 b32 b32", dp2a(1, as, bs));
  }
  for (int bits = 32; bits <= 64; bits += 32) {
    const char *k = bits == 32 ? "b32" : "b64";
    R(T("{ .reg .b%d t; add.cc.u%d t, a, b; addc.cc.u%d t, c, a; addc.u%d d, e, b; }", bits, bits, bits, bits),
      K("%s %s %s %s %s", k, k, k, k, k), chain(bits, 0, a, b, c));
    R(T("{ .reg .b%d t; sub.cc.s%d t, a, b; subc.cc.s%d t, c, a; subc.s%d d, e, b; }", bits, bits, bits, bits),
      K("%s %s %s %s %s", k, k, k, k, k), chain(bits, 1, a, b, c));
  }
  // The product of two words in four instructions, as compilers write it: its third word.
  R("{ .reg .b32 t; mad.lo.cc.u32 t, a, b, c; madc.hi.u32 d, a, b, e; }", "b32 b32 b32 b32 b32",
    (a * b >> 32) + e + (((a * b & 0xffffffff) + c) >> 32));
  R("{ .reg .b32 t; mad.hi.cc.s32 t, a, b, c; madc.lo.s32 d, a, b, e; }", "b32 b32 b32 b32 b32",
    a * b + e + ((((u)((s128)(s32)a * (s32)b >> 32) & 0xffffffff) + c) >> 32));
  R("{ .reg .b64 t; mad.lo.cc.u64 t, a, b, c; madc.hi.u64 d, a, b, e; }", "b64 b64 b64 b64 b64",
    (u)((u128)a * b >> 64) + e + (u)(((u128)(a * b) + c) >> 64));
  R("{ .reg .b64 t; mad.lo.cc.s64 t, a, b, c; madc.hi.cc.s64 t, a, b, e; addc.s64 d, 0, 0; }", "b64 b64 b64 b64 b64",
    ((u128)(u)((s128)(s64)a * (s64)b >> 64) + e + (u)(((u128)(a * b) + c) >> 64)) >> 64);
}

static void logic(void) {
  LOGIC(16, "b16"); LOGIC(32, "b32"); LOGIC(64, "b64");
  R("and.pred d, a, !b", "pred pred pred", a & !b); R("or.pred d, a, b", "pred pred pred", a | b);
  R("xor.pred d, a, b", "pred pred pred", a ^ b); R("not.pred d, a", "pred pred", !a); R("mov.pred d, !a", "pred pred", !a);
  R("shf.l.clamp.b32 d, a, b, c", "b32 b32 b32 count", funnel(1, 0)); R("shf.l.wrap.b32 d, a, b, c", "b32 b32 b32 count", funnel(1, 1));
  R("shf.r.clamp.b32 d, a, b, c", "b32 b32 b32 count", funnel(0, 0)); R("shf.r.wrap.b32 d, a, b, c", "b32 b32 b32 count", funnel(0, 1));
  for (int table = 1; table < 256; table += 31) R(T("lop3.b32 d, a, b, c, %d", table), "b32 b32 b32 b32", lop3(table));
  R("{ .reg .b32 t; .reg .pred q; setp.lt.u32 q, a, b; lop3.or.b32 t|d, a, b, c, 0x80, q; }", "pred b32 b32 b32", lop3(0x80) != 0 || a < b);
  R("{ .reg .b32 t; .reg .pred q; setp.lt.u32 q, a, b; lop3.and.b32 t|d, a, b, c, 0x96, !q; }", "pred b32 b32 b32", lop3(0x96) != 0 && a >= b);
  R("prmt.b32 d, a, b, c", "b32 b32 b32 b32", prmt());
  const char *all[] = { "f4e", "b4e", "rc8", "ecl", "ecr", "rc16" };
  for (int i = 0; i < 6; i++) R(T("prmt.b32.%s d, a, b, c", all[i]), "b32 b32 b32 b32", prmt_mode(all[i]));
  COMPARE(s16, "b16"); COMPARE(u16, "b16"); COMPARE(s32, "b32"); COMPARE(u32, "b32"); COMPARE(s64, "b64"); COMPARE(u64, "b64");
  UNSIGNED_COMPARE(u16, "b16"); UNSIGNED_COMPARE(u32, "b32"); UNSIGNED_COMPARE(u64, "b64");
  R("setp.eq.b16 d, a, b", "pred b16 b16", a == b); R("setp.ne.b32 d, a, b", "pred b32 b32", a != b); R("setp.eq.b64 d, a, b", "pred b64 b64", a == b);
  for (int i = 0; i < 14; i++) {
    R(T("setp.%s.f32 d, a, b", compares[i]), "pred f32 f32", holds(i, f32(a), f32(b)));
    R(T("setp.%s.ftz.f32 d, a, b", compares[i]), "pred f32 f32", holds(i, f32(flush(a)), f32(flush(b))));
    R(T("setp.%s.f64 d, a, b", compares[i]), "pred f64 f64", holds(i, f64(a), f64(b)));
    R(T("setp.%s.f16 d, a, b", compares[i]), "pred f16 f16", holds(i, (double)f16(a), (double)f16(b)));
    R(T("setp.%s.bf16 d, a, b", compares[i]), "pred bf16 bf16", holds(i, (double)bf16(a), (double)bf16(b)));
    R(T("{ .reg .pred p; setp.%s.and.f32 p|d, a, b, c; }", compares[i]), "pred f32 f32 pred", !holds(i, f32(a), f32(b)) && c);
    R(T("{ .reg .pred p; setp.%s.f16x2 d|p, a, b; }", compares[i]), "pred f16x2 f16x2", holds(i, (double)f16(a), (double)f16(b)));
    R(T("{ .reg .pred p; setp.%s.xor.bf16x2 p|d, a, b, c; }", compares[i]), "pred bf16x2 bf16x2 pred",
      holds(i, (double)bf16(a >> 16), (double)bf16(b >> 16)) ^ (int)c);
    R(T("set.%s.u32.f64 d, a, b", compares[i]), "b32 f64 f64", holds(i, f64(a), f64(b)) ? ~0ull : 0);
    R(T("set.%s.f32.f32 d, a, b", compares[i]), "f32 f32 f32", holds(i, f32(a), f32(b)) ? 0x3f800000 : 0);
    R(T("set.%s.f16.f16 d, a, b", compares[i]), "f16 f16 f16", holds(i, (double)f16(a), (double)f16(b)) ? 0x3c00 : 0);
    R(T("set.%s.u16.bf16 d, a, b", compares[i]), "b16 bf16 bf16", holds(i, (double)bf16(a), (double)bf16(b)) ? 0xffff : 0);
    R(T("set.%s.f16x2.f16x2 d, a, b", compares[i]), "f16x2 f16x2 f16x2",
      BOTH(holds(i, (double)f16(a), (double)f16(b)) ? 0x3c00 : 0, holds(i, (double)f16(a >> 16), (double)f16(b >> 16)) ? 0x3c00 : 0));
  }
}

static void floats(void) {
  const char *ops[] = { "add", "sub", "mul", "fma", "div", "rcp", "sqrt" };
  for (int o = 0; o < 7; o++) for (int m = 0; m < 4; m++) {
    const char *args = o == 3 ? "d, a, b, c" : o < 5 ? "d, a, b" : "d, a";
    const char *k32 = o == 3 ? "f32 f32 f32 f32" : o < 5 ? "f32 f32 f32" : "f32 f32";
    const char *k64 = o == 3 ? "f64 f64 f64 f64" : o < 5 ? "f64 f64 f64" : "f64 f64";
    const char *op = ops[o], *rnd = modes[m].name;
    int mode = modes[m].mode;
    for (int ftz = 0; ftz < 2; ftz++) for (int sat = 0; sat < (o < 4 ? 2 : 1); sat++)
      R(T("%s.%s%s%s.f32 %s", op, rnd, ftz ? ".ftz" : "", sat ? ".sat" : "", args), k32, f32_op(op, mode, ftz, sat));
    R(T("%s.%s.f64 %s", op, rnd, args), k64, f64_op(op, mode));
  }
  R("add.rz.f32x2 d, a, b", "b64 b64 b64", ({ u x = a, y = b; a = x & 0xffffffff; b = y & 0xffffffff; u low = f32_op("add", FE_TOWARDZERO, 0, 0);
    a = x >> 32; b = y >> 32; low | f32_op("add", FE_TOWARDZERO, 0, 0) << 32; }));
  for (int max = 0; max < 2; max++) for (int nan = 0; nan < 2; nan++) {
    const char *op = max ? "max" : "min", *n = nan ? ".NaN" : "";
    for (int ftz = 0; ftz < 2; ftz++) R(T("%s%s%s.f32 d, a, b", op, ftz ? ".ftz" : "", n), "f32 f32 f32", extreme32(a, b, max, nan, ftz));
    R(T("%s%s.xorsign.abs.f32 d, a, b", op, n), "f32 f32 f32", xorsign32(max, nan));
    R(T("%s%s.f32 d, a, b, c", op, n), "f32 f32 f32 f32", extreme32(extreme32(a, b, max, nan, 0), c, max, nan, 0));
    R(T("%s%s.abs.f32 d, a, b, c", op, n), "f32 f32 f32 f32",
      extreme32(extreme32(a & 0x7fffffff, b & 0x7fffffff, max, nan, 0) & 0x7fffffff, c & 0x7fffffff, max, nan, 0));
    for (int brain = 0; brain < 2; brain++) {
      const char *k = brain ? "bf16" : "f16";
      R(T("%s%s.%s d, a, b", op, n, k), K("%s %s %s", k, k, k), half_extreme(brain, a, b, max, nan));
      R(T("%s%s.%sx2 d, a, b", op, n, k), K("%sx2 %sx2 %sx2", k, k, k),
        BOTH(half_extreme(brain, a, b, max, nan), half_extreme(brain, a >> 16, b >> 16, max, nan)));
      u h_xor(u x, u y) { u d = half_extreme(brain, x & 0x7fff, y & 0x7fff, max, nan); return (d & 0x7fff) > (brain ? 0x7f80 : 0x7c00) ? d : d | ((x ^ y) & 0x8000); }
      R(T("%s%s.xorsign.abs.%s d, a, b", op, n, k), K("%s %s %s", k, k, k), h_xor(a, b));
    }
  }
  R("min.f64 d, a, b", "f64 f64 f64", isnan64(a) && isnan64(b) ? nan64("ba") : bits64(extreme(f64(a), f64(b), 0, 0))); R("max.f64 d, a, b", "f64 f64 f64", isnan64(a) && isnan64(b) ? nan64("ba") : bits64(extreme(f64(a), f64(b), 1, 0)));
  R("abs.f32 d, a", "f32 f32", isnan32(a) ? 0x7fffffff : a & 0x7fffffff); R("neg.f32 d, a", "f32 f32", isnan32(a) ? 0x7fffffff : a ^ 0x80000000);
  R("abs.ftz.f32 d, a", "f32 f32", isnan32(a) ? 0x7fffffff : flush(a) & 0x7fffffff); R("neg.ftz.f32 d, a", "f32 f32", isnan32(a) ? 0x7fffffff : flush(a) ^ 0x80000000);
  R("abs.f64 d, a", "f64 f64", isnan64(a) ? nan64("a") : a & ~(1ull << 63)); R("neg.f64 d, a", "f64 f64", isnan64(a) ? nan64("a") : a ^ 1ull << 63);
  R("abs.f16x2 d, a", "f16x2 f16x2", BOTH(half_sign(0, a, 0), half_sign(0, a >> 16, 0))); R("neg.bf16x2 d, a", "bf16x2 bf16x2", BOTH(half_sign(1, a, 1), half_sign(1, a >> 16, 1)));
  R("neg.f16 d, a", "f16 f16", half_sign(0, a, 1));
  R("copysign.f32 d, a, b", "f32 f32 f32", (a & 0x80000000) | (b & 0x7fffffff));
  R("copysign.f64 d, a, b", "f64 f64 f64", (a & 1ull << 63) | (b & ~(1ull << 63)));
  R("testp.finite.f32 d, a", "pred f32", isfinite(f32(a)) != 0); R("testp.infinite.f64 d, a", "pred f64", isinf(f64(a)) != 0);
  R("testp.number.f32 d, a", "pred f32", !isnan(f32(a))); R("testp.notanumber.f64 d, a", "pred f64", isnan(f64(a)) != 0);
  R("testp.normal.f32 d, a", "pred f32", isnormal(f32(a)) || f32(a) == 0); R("testp.normal.f64 d, a", "pred f64", isnormal(f64(a)) || f64(a) == 0);
  R("testp.subnormal.f32 d, a", "pred f32", fpclassify(f32(a)) == FP_SUBNORMAL); R("testp.subnormal.f64 d, a", "pred f64", fpclassify(f64(a)) == FP_SUBNORMAL);
  for (int o = 0; o < 4; o++) for (int brain = 0; brain < 2; brain++) {
    const char *op = ops[o], *k = brain ? "bf16" : "f16", *args = o == 3 ? "d, a, b, c" : "d, a, b";
    const char *k1 = o == 3 ? K("%s %s %s %s", k, k, k, k) : K("%s %s %s", k, k, k);
    R(T("%s.rn.%s %s", op, k, args), k1, half_op(op, brain, a, b, c, 0, 0, 0));
    if (!brain) R(T("%s.rn.ftz.%s %s", op, k, args), k1, half_op(op, brain, a, b, c, 1, 0, 0));
    if (!brain) R(T("%s.rn.sat.%s %s", op, k, args), k1, half_op(op, brain, a, b, c, 0, 1, 0));
    if (o == 3) R(T("fma.rn.relu.%s %s", k, args), k1, half_op(op, brain, a, b, c, 0, 0, 1));
    const char *k2 = o == 3 ? K("%sx2 %sx2 %sx2 %sx2", k, k, k, k) : K("%sx2 %sx2 %sx2", k, k, k);
    R(T("%s.rn.%sx2 %s", op, k, args), k2, BOTH(half_op(op, brain, a, b, c, 0, 0, 0), half_op(op, brain, a >> 16, b >> 16, c >> 16, 0, 0, 0)));
  }
  for (int m = 0; m < 4; m++) {
    int mode = modes[m].mode;
    R(T("add.%s.f32.f16 d, a, b", modes[m].name), "f32 f16 f32", ({ a = bits32((float)f16(a)); f32_op("add", mode, 0, 0); }));
    R(T("sub.%s.sat.f32.bf16 d, a, b", modes[m].name), "f32 bf16 f32", ({ a <<= 16; f32_op("sub", mode, 0, 1); }));
    R(T("fma.%s.f32.f16 d, a, b, c", modes[m].name), "f32 f16 f16 f32", ({ a = bits32((float)f16(a)); b = bits32((float)f16(b)); f32_op("fma", mode, 0, 0); }));
  }
}

static void conversions(void) {
  for (int to = 0; to < 8; to++) for (int from = 0; from < 8; from++) {
    int tb = ints[to].bits, ts = ints[to].is_signed, fb = ints[from].bits, fs = ints[from].is_signed;
    // Into and out of registers of 64 bits; then, with .sat, of registers that fit.
    R(T("cvt.%s.%s d, a", ints[to].name, ints[from].name), "b64 b64", value_of((u)value_of(a, fb, fs), tb, ts));
    if (to != from && !(fs == ts && tb > fb) && !(ts && !fs && tb > fb))
      R(T("cvt.sat.%s.%s d, a", ints[to].name, ints[from].name), K("%s %s", ints[to].kind, ints[from].kind),
        clampw(value_of(a, fb, fs), least_of(to), most_of(to)));
  }
  for (int t = 0; t < 8; t++) for (int m = 0; m < 4; m++) {
    const char *n = ints[t].name, *k = ints[t].kind, *rnd = modes[m].name;
    int bits = ints[t].bits, sg = ints[t].is_signed, mode = modes[m].mode;
    R(T("cvt.%s.f32.%s d, a", rnd, n), K("f32 %s", k), int_to_f32(value_of(a, bits, sg), mode));
    R(T("cvt.%s.f64.%s d, a", rnd, n), "f64 b64", int_to_f64(value_of(a, bits, sg), mode));
    R(T("cvt.%s.f16.%s d, a", rnd, n), K("f16 %s", k), to_f16((q)value_of(a, bits, sg), mode));
    R(T("cvt.%s.bf16.%s d, a", rnd, n), K("bf16 %s", k), to_bf16((q)value_of(a, bits, sg), mode));
    R(T("cvt.%si.%s.f32 d, a", rnd, n), "b64 f32", to_int(f32(a), mode, bits, sg, 0));
    R(T("cvt.%si.ftz.%s.f32 d, a", rnd, n), K("%s f32", k), to_int(f32(flush(a)), mode, bits, sg, 0));
    R(T("cvt.%si.%s.f64 d, a", rnd, n), K("%s f64", k), to_int(f64(a), mode, bits, sg, 1));
    R(T("cvt.%si.%s.f16 d, a", rnd, n), K("%s f16", k), to_int(f16(a), mode, bits, sg, 0));
    R(T("cvt.%si.%s.bf16 d, a", rnd, n), K("%s bf16", k), to_int(bf16(a), mode, bits, sg, 0));
  }
  R("cvt.rn.sat.f32.s32 d, a", "f32 b32", unit(int_to_f32((s32)a, FE_TONEAREST)));
  for (int m = 0; m < 4; m++) {
    const char *rnd = modes[m].name;
    int mode = modes[m].mode;
    R(T("cvt.%s.f32.f64 d, a", rnd), "f32 f64", isnan64(a) ? narrow_nan(a) : double_to_f32(f64(a), mode));
    R(T("cvt.%s.ftz.f32.f64 d, a", rnd), "f32 f64", ({ u d = double_to_f32(f64(a), mode); double x = f64(a);
      isnan64(a) ? narrow_nan(a) : is_flushed(fabs(x), 23, -126, m == 0, mode == (x < 0 ? FE_DOWNWARD : FE_UPWARD)) ? d & 0x80000000 : d; }));
    R(T("cvt.%s.sat.f32.f64 d, a", rnd), "f32 f64", unit(double_to_f32(f64(a), mode)));
    R(T("cvt.%s.f16.f32 d, a", rnd), "f16 f32", to_f16(f32(a), mode));
    R(T("cvt.%s.f16.f64 d, a", rnd), "f16 f64", isnan64(a) ? (a >> 48 & 0x8000) | 0x7e00 | (a >> 42 & 0x3ff) : to_f16(f64(a), mode));
    R(T("cvt.%s.bf16.f64 d, a", rnd), "bf16 f64", isnan64(a) ? (a >> 48 & 0x8000) | 0x7fc0 | (a >> 45 & 0x7f) : to_bf16(f64(a), mode));
    R(T("cvt.%si.f32.f32 d, a", rnd), "f32 f32", bits32((float)to_whole(f32(a), mode)));
    R(T("cvt.%si.ftz.sat.f32.f32 d, a", rnd), "f32 f32", unit(bits32((float)to_whole(f32(flush(a)), mode))));
    R(T("cvt.%si.f64.f64 d, a", rnd), "f64 f64", isnan64(a) ? nan64("a") : bits64((double)to_whole(f64(a), mode)));
    R(T("cvt.%si.f16.f16 d, a", rnd), "f16 f16", to_f16(to_whole(f16(a), mode), FE_TONEAREST));
    if (m < 2) {
      R(T("cvt.%s.bf16.f32 d, a", rnd), "bf16 f32", to_bf16(f32(a), mode));
      R(T("cvt.%s.relu.f16.f32 d, a", rnd), "f16 f32", ({ u d = to_f16(f32(a), mode); isnan32(a) ? 0x7fff : d >> 15 ? 0 : d; }));
      R(T("cvt.%s.f16x2.f32 d, a, b", rnd), "f16x2 f32 f32", BOTH(to_f16(f32(b), mode), to_f16(f32(a), mode)));
      R(T("cvt.%s.bf16x2.f32 d, a, b", rnd), "bf16x2 f32 f32", BOTH(to_bf16(f32(b), mode), to_bf16(f32(a), mode)));
      R(T("cvt.%s.tf32.f32 d, a", rnd), "b32 f32", to_tf32(f32(a), mode));
    }
  }
  R("cvt.f64.f32 d, a", "f64 f32", isnan32(a) ? widen_nan(a) : bits64(f32(a)));
  R("cvt.ftz.f64.f32 d, a", "f64 f32", isnan32(a) ? widen_nan(0x7fffffff) : bits64(f32(flush(a))));
  R("cvt.f32.f16 d, a", "f32 f16", bits32((float)f16(a))); R("cvt.f64.f16 d, a", "f64 f16", (a & 0x7fff) > 0x7c00 ? (a & 0x8000) << 48 | 0x7ff8000000000000 | (a & 0x3ff) << 42 : bits64((double)f16(a)));
  R("cvt.f32.bf16 d, a", "f32 bf16", (a & 0xffff) << 16); R("cvt.sat.f32.f32 d, a", "f32 f32", unit(a));
  R("cvt.sat.f32.f16 d, a", "f32 f16", unit(bits32((float)f16(a))));
  R("cvt.rn.sat.f16.f32 d, a", "f16 f32", to_f16(f32(unit(a)), FE_TONEAREST));
  R("cvt.pack.sat.u16.s32 d, a, b", "b32 b32 b32", BOTH(clampw((s32)b, 0, 65535), clampw((s32)a, 0, 65535)));
  R("cvt.pack.sat.s16.s32 d, a, b", "b32 b32 b32", BOTH(clampw((s32)b, -32768, 32767), clampw((s32)a, -32768, 32767)));
  R("cvt.pack.sat.u8.s32.b32 d, a, b, c", "b32 b32 b32 b32", c << 16 | clampw((s32)a, 0, 255) << 8 | clampw((s32)b, 0, 255));
  R("cvt.pack.sat.s4.s32.b32 d, a, b, c", "b32 b32 b32 b32", c << 8 | (clampw((s32)a, -8, 7) & 15) << 4 | (clampw((s32)b, -8, 7) & 15));
}

static void moves(void) {
  R("mov.b16 d, a", "b16 b16", a); R("mov.u32 d, a", "b32 b32", a); R("mov.f32 d, a", "f32 f32", a); R("mov.f64 d, a", "f64 f64", a);
  R("mov.b64 d, {a, b}", "b64 b32 b32", a | b << 32); R("mov.b32 d, {a, b}", "b32 b16 b16", a | b << 16);
  R("mov.b64 d, {a, b, c, e}", "b64 b16 b16 b16 b16", a | b << 16 | c << 32 | e << 48);
  R("{ .reg .b32 t; mov.b64 {t, d}, a; }", "b32 b64", a >> 32); R("{ .reg .b16 t<3>; mov.b64 {t0, t1, d, t2}, a; }", "b16 b64", a >> 32);
  R("{ .reg .b16 t; mov.b32 {t, d}, a; }", "b16 b32", a >> 16); R("mov.b64 {d, _}, a", "b32 b64", a);
  R("{ .reg .b8 t<4>; mov.b32 {t0, t1, t2, t3}, a; mov.b32 d, {t3, t2, t1, t0}; }", "b32 b32",
    (a & 255) << 24 | (a >> 8 & 255) << 16 | (a >> 16 & 255) << 8 | a >> 24);
  R("{ .reg .b128 t, s; .reg .b64 x; mov.b128 t, {a, b}; mov.b128 s, t; mov.b128 {x, d}, s; }", "b64 b64 b64", b);
  R("{ .reg .b128 t; .reg .b32 x<3>; mov.b128 t, {a, b}; mov.b128 {x0, x1, d, x2}, t; }", "b32 b64 b64", b);
  // Through memory: the store cuts, the load extends.
  const char *bits[] = { "8", "16", "32" };
  for (int i = 0; i < 3; i++) for (int sg = 0; sg < 2; sg++) {
    int n = 8 << i;
    R(T("{ .local .b64 m; st.local.u%s [m], a; ld.local.%c%s d, [m]; }", bits[i], "us"[sg], bits[i]), "b64 b64", value_of(a, n, sg));
    R(T("{ .shared .b64 m[192]; .reg .b32 x, y; mov.u32 x, %%tid.x; mov.u32 y, m; mad.lo.u32 x, x, 8, y; st.shared.b%s [x], a; ld.shared.%c%s d, [x]; }", bits[i], "us"[sg], bits[i]),
      "b64 b64", value_of(a, n, sg));
  }
  R("{ .local .b64 m; st.local.f32 [m], a; ld.local.b32 d, [m]; }", "b32 f32", a);
}

static void all_rows(void) {
  integers(); logic(); floats(); conversions(); moves();
}
#ifndef ROWS_ELSEWHERE
int main(void) { all_rows(); return 0; }
#endif
