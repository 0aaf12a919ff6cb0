// What the tests of lib/base/num are held against: results of the host's own arithmetic under fesetround.
//
//   gcc -O1 -frounding-math -ffp-contract=off -mfma -o reference reference.c -lm
//   ./reference f32 1500 > f32.bin        ./reference f64 800 > f64.bin
//   ./reference convert 1500 > convert.bin     ./reference half 1500 > half.bin
//   ./reference elementary 1500 > elementary.bin
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

struct set { const char *name; uint32_t seed; void (*one)(void); };
static const struct set SETS[] = {{"f32", 0x2545f491, caseF32}, {"f64", 0x9e3779b9, caseF64}};

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
