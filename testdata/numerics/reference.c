// What the tests of lib/base/num are held against: results of the host's own arithmetic under fesetround.
//
//   gcc -O1 -frounding-math -ffp-contract=off -mfma -o reference reference.c -lm
//   ./reference f32 1500 > f32.bin
//   ./reference f64 800 > f64.bin
//   ./reference convert 400 > convert.bin
//   ./reference half 2000 > half.bin
//
// Only results are written: test/base/num/operands.ts draws the same operands from the same generator. A record is one
// case, little-endian. NaN is written as 0x7fffffff (f32), 0xfff8000000000000 (f64).
// Operands mix edge values, raw bits, subnormals, near-overflow and the cases that are hard: c near -(a * b), and
// exponents that make operands overlap.
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state;
static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}
static uint32_t below(uint32_t n) { return draw() % n; }

static const int MODES[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};

static float f32(uint32_t bits) { float x; memcpy(&x, &bits, 4); return x; }
static uint32_t bits32(float x) { uint32_t b; memcpy(&b, &x, 4); return b; }
static double f64(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
static uint64_t bits64(double x) { uint64_t b; memcpy(&b, &x, 8); return b; }
static void put32(uint32_t b) { fwrite(&b, 4, 1, stdout); }
static void put64(uint64_t b) { fwrite(&b, 8, 1, stdout); }
static void putFloat(float x) { put32(x != x ? 0x7fffffff : bits32(x)); }
static void putDouble(double x) { put64(x != x ? 0xfff8000000000000u : bits64(x)); }

static const uint32_t EDGES32[] = {0, 1, 0x007fffff, 0x00800000, 0x00800001, 0x33800000, 0x34000000, 0x3effffff,
  0x3f000000, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40400000, 0x4b000000, 0x4b7fffff,
  0x4b800000, 0x4effffff, 0x4f000000, 0x5f000000, 0x7e800000, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000};
static const uint32_t EDGES64[] = {0, 1, 0x000fffff, 0x00100000, 0x36a00000, 0x37f00000, 0x3c900000, 0x3ca00000,
  0x3fdfffff, 0x3fe00000, 0x3fefffff, 0x3ff00000, 0x40000000, 0x41dfffff, 0x41e00000, 0x43300000, 0x43e00000,
  0x43f00000, 0x47efffff, 0x47f00000, 0x7fdfffff, 0x7fe00000, 0x7fefffff, 0x7ff00000, 0x7ff80000};

static int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

static uint32_t operand32(void) {
  uint32_t kind = below(8), sign = draw() & 0x80000000u, r = draw();
  if (kind == 0) return sign | EDGES32[r % (sizeof EDGES32 / 4)];
  if (kind == 1) return r;
  if (kind == 2) return sign | bits32((float)(r % 1001));
  if (kind == 3) return sign | (r & 0x007fffff);
  if (kind == 4) return sign | ((240 + r % 15) << 23) | (draw() & 0x007fffff);
  if (kind == 5) return sign | ((107 + r % 41) << 23) | (draw() & 0x007ff000);
  return sign | ((107 + r % 41) << 23) | (draw() & 0x007fffff);
}
static uint32_t withExponent32(int exponent) {
  uint32_t r = draw();
  return (r & 0x807fffff) | (uint32_t)clamp(exponent, 0, 254) << 23;
}
static int exponent32(uint32_t bits) { return bits >> 23 & 255; }
// A few places off a power of two: such products are a hair off half a place of c, where rounding twice goes wrong.
static uint32_t nearPower32(int exponent) {
  uint32_t r = draw();
  return ((uint32_t)exponent << 23) + (r & 15) - 8 + (r & 0x80000000);
}

static void triple32(uint32_t v[3]) {
  for (int i = 0; i < 3; i++) v[i] = operand32();
  uint32_t tweak = below(8), r = draw();
  fesetround(FE_TONEAREST);
  volatile float product = f32(v[0]) * f32(v[1]);
  if (tweak == 0) v[2] = bits32(product) ^ 0x80000000u;
  if (tweak == 1) v[2] = withExponent32(exponent32(v[0]) + exponent32(v[1]) - 127 + (int)(r % 61) - 30);
  if (tweak == 2) v[1] = withExponent32(exponent32(v[0]) + (int)(r % 61) - 30);
  if (tweak == 3) v[2] = bits32(product) ^ 0x80000000u ^ (r & 3);
  if (tweak == 4) v[1] = withExponent32(127 - exponent32(v[0]) + (int)(r % 61) - 10);
  if (tweak == 5) {
    v[0] = nearPower32(100 + r % 50);
    v[1] = nearPower32(100 + (r >> 8) % 50);
    v[2] = withExponent32(exponent32(v[0]) + exponent32(v[1]) - 127 + 22 + (int)(r >> 16) % 4);
  }
  if (tweak == 6) {
    v[0] = nearPower32(60);
    v[1] = nearPower32(42 + r % 4);
    v[2] = withExponent32(0);
  }
}

static uint64_t join(uint32_t high, uint32_t low) { return (uint64_t)high << 32 | low; }
static uint32_t lowWord(void) {
  uint32_t kind = below(4), r = draw();
  return kind == 0 ? 0 : kind == 1 ? r & 3 : kind == 2 ? r << 20 : r;
}
static uint64_t operand64(void) {
  uint32_t kind = below(8), sign = draw() & 0x80000000u, r = draw(), low = lowWord();
  if (kind == 0) return join(sign | EDGES64[r % (sizeof EDGES64 / 4)], low & 1 ? 0xffffffff : 0);
  if (kind == 1) return join(r, low);
  if (kind == 2) return (uint64_t)sign << 32 | bits64((double)(r % 1001));
  if (kind == 3) return join(sign | (r & 0x000fffff), low);
  if (kind == 4) return join(sign | ((2020 + r % 27) << 20) | (draw() & 0x000fffff), low);
  if (kind == 5) return join(sign | ((870 + r % 301) << 20) | (draw() & 0x000fffff), low);
  return join(sign | ((993 + r % 61) << 20) | (draw() & 0x000fffff), low);
}
static uint64_t withExponent64(int exponent) {
  uint32_t r = draw();
  return join((r & 0x800fffff) | (uint32_t)clamp(exponent, 0, 2046) << 20, lowWord());
}
static int exponent64(uint64_t bits) { return bits >> 52 & 2047; }
static uint64_t nearPower64(int exponent) {
  uint32_t r = draw();
  return ((uint64_t)exponent << 52) + (r & 15) - 8 + ((uint64_t)(r >> 31) << 63);
}

static void triple64(uint64_t v[3]) {
  for (int i = 0; i < 3; i++) v[i] = operand64();
  uint32_t tweak = below(8), r = draw();
  fesetround(FE_TONEAREST);
  volatile double product = f64(v[0]) * f64(v[1]);
  if (tweak == 0) v[2] = bits64(product) ^ 1ull << 63;
  if (tweak == 1) v[2] = withExponent64(exponent64(v[0]) + exponent64(v[1]) - 1023 + (int)(r % 221) - 110);
  if (tweak == 2) v[1] = withExponent64(exponent64(v[0]) + (int)(r % 121) - 60);
  if (tweak == 3) v[2] = bits64(product) ^ 1ull << 63 ^ (r & 3);
  if (tweak == 4) v[1] = withExponent64(1023 - exponent64(v[0]) + (int)(r % 221) - 50);
  if (tweak == 5 || tweak == 6) {
    v[0] = nearPower64(tweak == 5 ? 1000 + r % 50 : 500);
    v[1] = nearPower64(tweak == 5 ? 1000 + (r >> 8) % 50 : 470 + (r >> 8) % 4);
    v[2] = withExponent64(exponent64(v[0]) + exponent64(v[1]) - 1023 + 51 + (int)(r >> 16) % 4);
  }
}

// Record: for each mode add, mul, fma, div, sqrt of a, b, c.
static void caseF32(void) {
  uint32_t v[3];
  triple32(v);
  volatile float a = f32(v[0]), b = f32(v[1]), c = f32(v[2]), r;
  for (int m = 0; m < 4; m++) {
    fesetround(MODES[m]);
    r = a + b; putFloat(r);
    r = a * b; putFloat(r);
    r = fmaf(a, b, c); putFloat(r);
    r = a / b; putFloat(r);
    r = sqrtf(a); putFloat(r);
  }
}

static void caseF64(void) {
  uint64_t v[3];
  triple64(v);
  volatile double a = f64(v[0]), b = f64(v[1]), c = f64(v[2]), r;
  for (int m = 0; m < 4; m++) {
    fesetround(MODES[m]);
    r = a + b; putDouble(r);
    r = a * b; putDouble(r);
    r = fma(a, b, c); putDouble(r);
    r = a / b; putDouble(r);
    r = sqrt(a); putDouble(r);
  }
}

// Integers that are hard to round: midpoints of f32 and their neighbours, and any length of random bits.
static uint64_t operandInteger(void) {
  uint32_t kind = below(3), r = draw(), shift = draw();
  if (kind == 0) return join(r, draw()) >> shift % 64;
  if (kind == 1) return ((uint64_t)(r >> 7 | 0x1000001) << shift % 40) + draw() % 3 - 1;
  return ((join(r, draw()) >> 10 | 1ull << 53 | 1) << shift % 11) + draw() % 3 - 1;
}

// Clamped as cvt does it; x is integral. NaN: as from f64.
static int64_t toInteger(double x, int bits, int isSigned) {
  if (x != x) return (int64_t)((isSigned ? -1ull : 1ull) << (bits - 1));
  double low = isSigned ? -ldexp(1, bits - 1) : 0, high = ldexp(1, isSigned ? bits - 1 : bits);
  uint64_t max = bits - isSigned == 64 ? ~0ull : (1ull << (bits - isSigned)) - 1;
  if (x >= high) return (int64_t)max;
  if (x <= low) return isSigned ? (int64_t)(-1ull << (bits - 1)) : 0;
  return isSigned ? (int64_t)x : (int64_t)(uint64_t)x;
}

// Record: for each mode x to f32; integer i as s64 and u64 to f32 and to f64; x and f to an integral value; x to u8, s8,
// u16, s16, u32, s32, u64, s64, 64 bits each.
static void caseConvert(void) {
  volatile double x = f64(operand64());
  if (below(2)) x = f64(bits64((double)(int64_t)(operandInteger())) | lowWord() % 2) / (below(2) ? 2 : 65536);
  volatile float f = f32(operand32());
  uint64_t i = operandInteger();
  volatile int64_t s = (int64_t)i;
  volatile uint64_t u = i;
  for (int m = 0; m < 4; m++) {
    fesetround(MODES[m]);
    volatile float rf;
    volatile double rd;
    rf = (float)x; putFloat(rf);
    rf = (float)s; putFloat(rf);
    rf = (float)u; putFloat(rf);
    rd = (double)s; putDouble(rd);
    rd = (double)u; putDouble(rd);
    rf = nearbyintf(f); putFloat(rf);
    rd = nearbyint(x); putDouble(rd);
    for (int bits = 8; bits <= 64; bits *= 2)
      for (int isSigned = 0; isSigned < 2; isSigned++) put64((uint64_t)toInteger(rd, bits, isSigned));
  }
  fesetround(FE_TONEAREST);
}

// Small formats by search: every encoding's value is tabled, and the nearest to high + low is looked for.
struct format { int mantissa, minExponent, sign, max, infinity; };
static const struct format F16 = {10, -14, 0x8000, 0x7bff, 0x7c00}, BF16 = {7, -126, 0x8000, 0x7f7f, 0x7f80};
static const struct format FP8[] = {{3, -6, 0x80, 0x7e, 0x7e}, {2, -14, 0x80, 0x7b, 0x7b}, {3, 0, 0x20, 0x1f, 0x1f},
  {2, -2, 0x20, 0x1f, 0x1f}, {1, 0, 0x8, 0x7, 0x7}};
static const int FP8_NAN[] = {0x7f, 0x7f, 0x1f, 0x1f, 0x7};

static double valueOf(const struct format *f, int magnitude) {
  int exponent = magnitude >> f->mantissa, fraction = magnitude & ((1 << f->mantissa) - 1);
  if (exponent == 0) return ldexp(fraction, f->minExponent - f->mantissa);
  return ldexp(fraction + (1 << f->mantissa), f->minExponent - f->mantissa + exponent - 1);
}
static int compareTo(__float128 high, __float128 low, __float128 x) {
  return high > x ? 1 : high < x ? -1 : low > 0 ? 1 : low < 0 ? -1 : 0;
}
// mode: index into MODES, 4 for ties away. high + low is the exact value.
static int encode(const struct format *f, __float128 high, __float128 low, int mode) {
  int negative = high < 0 || (high == 0 && __builtin_signbit((double)high)), sign = negative ? f->sign : 0;
  if (negative) high = -high, low = -low;
  if (high == (__float128)INFINITY) return sign | f->infinity;
  int below = 0, above = f->max + 1;
  while (above - below > 1) {
    int middle = (below + above) / 2;
    if (compareTo(high, low, valueOf(f, middle)) >= 0) below = middle; else above = middle;
  }
  // Beyond the greatest finite value the next place counts as the next encoding would.
  __float128 lower = valueOf(f, below), upper = valueOf(f, above);
  int isBeyond = compareTo(high, low, upper) >= 0, isExact = compareTo(high, low, lower) == 0;
  int half = compareTo(high, low, (lower + upper) / 2);
  int up = mode == 0 ? half > 0 || (half == 0 && (below & 1)) : mode == 4 ? half >= 0 : mode == 1 ? 0
         : mode == 2 ? negative : !negative;
  if (isBeyond) up = mode == 0 || mode == 4 || up;
  int r = isExact || !up ? below : above;
  return sign | (r > f->max ? f->infinity : r);
}
static int encodeDouble(const struct format *f, int nan, double x, int mode) {
  return x != x ? nan : encode(f, x, 0, mode);
}
static double valueOfBits(const struct format *f, int bits) {
  int magnitude = bits & (f->sign - 1);
  double size = magnitude > f->infinity ? NAN : magnitude == f->infinity ? INFINITY : valueOf(f, magnitude);
  return bits & f->sign ? -size : size;
}
static int encodeSum(const struct format *f, double p, double c) {
  if (isnan(p + c)) return 0x7fff;
  if (isinf(p) || isinf(c) || p + c == 0) return encodeDouble(f, 0x7fff, p + c, 0);
  __float128 sum = (__float128)p + c, part = sum - p;
  return encode(f, sum, (p - (sum - part)) + (c - part), 0);
}

static int operandHalf(const struct format *f) {
  uint32_t kind = below(4), r = draw(), one = (uint32_t)(1 - f->minExponent) << f->mantissa;
  if (kind == 0) return r & 0xffff;
  int edges[] = {f->max, f->infinity, 1 << f->mantissa, 3, 4};
  if (kind == 1) return (int)(r & 0x8000) | edges[r % 5];
  return (r & 0x8000) | (one + (r & 0x1fff) - 0x1000);
}
static void halfArithmetic(const struct format *f) {
  int a = operandHalf(f), b = operandHalf(f), c = operandHalf(f);
  double x = valueOfBits(f, a), y = valueOfBits(f, b);
  uint32_t tweak = below(4), r = draw();
  if (tweak == 0) c = (encodeDouble(f, 0x7fff, x * y, 0) ^ f->sign ^ (r & 1)) & 0xffff;
  double z = valueOfBits(f, c);
  put32(encodeSum(f, x, y));
  put32(encodeDouble(f, 0x7fff, x * y, 0));
  put32(encodeSum(f, x * y, z));
}
// Record: f16 add, mul, fma; bf16 the same; then of a double near the formats' ranges: f16 and bf16 in the four modes
// and ties away; e4m3, e5m2, e2m3, e3m2, e2m1 nearest.
static void caseHalf(void) {
  halfArithmetic(&F16);
  halfArithmetic(&BF16);
  uint32_t kind = below(4), r = draw(), fraction = draw() & (0xfffffu << draw() % 21);
  uint32_t exponent = kind == 0 ? 1023 - 20 + r % 40 : kind == 1 ? 1023 - 150 + r % 300 : kind == 2 ? 1023 - 4 + r % 8 : 990 + r % 60;
  double x = f64(join((r & 0x80000000) | exponent << 20 | (fraction & 0xfffff), lowWord()));
  if (below(16) == 0) x = f32(operand32());
  for (int mode = 0; mode < 5; mode++) {
    put32(encodeDouble(&F16, 0x7fff, x, mode));
    put32(encodeDouble(&BF16, 0x7fff, x, mode));
  }
  for (int i = 0; i < 5; i++) put32(encodeDouble(&FP8[i], FP8_NAN[i], x, 0));
}

struct set { const char *name; uint32_t seed; void (*one)(void); };
static const struct set SETS[] = {{"f32", 0x2545f491, caseF32}, {"f64", 0x9e3779b9, caseF64},
  {"convert", 0x6c078965, caseConvert}, {"half", 0x41c64e6d, caseHalf}};

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++) {
    if (strcmp(argv[1], SETS[i].name)) continue;
    state = argc > 3 ? strtoul(argv[3], 0, 0) : SETS[i].seed;
    for (long n = atol(argv[2]); n > 0; n--) SETS[i].one();
    return 0;
  }
  return 2;
}
