// The approximations, sections 9.7.3.8 to 9.7.3.22, 9.7.4.9 and 9.7.4.10: PTX bounds their errors, an H200 has the bits that are expected
// here. Its special function unit interpolates by tables; sums are exact in __float128, and cut off once.

#include "mufu-tables.h"

/** Partial products of x * x from 2^19 on, in units of 2^19. */
static int square(int x) {
  int sum = 0;
  for (int i = 0; i < 17; i++) for (int j = 0; j <= i; j++)
    if (x >> i & x >> j & 1) { int at = i + j + (i != j); if (at >= 19) sum += 1 << (at - 19); }
  return sum;
}
static q interpolated(const Table *t, u segment, u x) {
  const int *c = t->c[segment];
  q s = (q)c[0] * power(t->unit - t->unit0) + t->bias + (q)c[1] * (q)x + (q)c[2] * square((int)x) * power(t->unit - t->unit2);
  return s * power(-t->unit);
}
/** Of a fraction of 23 bits, in 64 segments. */
static q by_fraction(const Table *t, u fraction) { return interpolated(t, fraction >> 17, fraction & 0x1ffff); }
/** To f32, towards zero; nothing below 2^-126. */
static u cut(q v) {
  if (fabsq(v) >= power(128) && !isnanq(v)) return (signbitq(v) ? 1ull << 31 : 0) | 0x7f800000;
  u result = encode(&F32, v, RZ);
  return is_nan(&F32, result) ? result : flush(&F32, result);
}

static u unit_rcp(u x) {
  x = flush(&F32, x);
  q v = decode(&F32, x);
  int e = (int)(x >> 23 & 255) - 127;
  if (v == 0 || isinfq(v) || isnanq(v)) return encode(&F32, 1 / v, RN);
  q s = interpolated(&RCP, x >> 16 & 127, (x & 0xffff) << 1) * power(-e);
  return cut(v < 0 ? -s : s);
}
/** Half of the exponent, towards minus infinity. */
static int half_exponent(u x, int *odd) { int k = (int)(x >> 23 & 255) - 127; *odd = k & 1; return (k - *odd) / 2; }
static u unit_rsqrt(u x) {
  x = flush(&F32, x);
  q v = decode(&F32, x);
  if (v == 0) return (x & 0x80000000) | 0x7f800000;
  if (!(v > 0)) return F32.nan;
  if (isinfq(v)) return 0;
  int odd, k = half_exponent(x, &odd);
  u m = x & 0x7fffff;
  return cut(!odd && m == 0 ? power(-k) : by_fraction(odd ? &RSQRT2 : &RSQRT1, m) * power(-k));
}
static u unit_sqrt(u x) {
  x = flush(&F32, x);
  q v = decode(&F32, x);
  if (v == 0 || (isinfq(v) && v > 0)) return x;
  if (!(v > 0)) return F32.nan;
  int odd, k = half_exponent(x, &odd);
  return cut(by_fraction(odd ? &SQRT2 : &SQRT1, x & 0x7fffff) * power(k));
}
static u unit_ex2(u x) {
  x = flush(&F32, x);
  q v = decode(&F32, x);
  if (isnanq(v)) return F32.nan;
  if (fabsq(v) >= 256) return v < 0 ? 0 : 0x7f800000;
  int64_t fixed = (int64_t)(fabsq(v) * power(23));
  if (v < 0) fixed = fixed & 0x7fffff ? ~fixed : -fixed;
  return cut(by_fraction(&EX2, (u)(fixed & 0x7fffff)) * power((int)(fixed >> 23)));
}
static u unit_lg2(u x) {
  x = flush(&F32, x);
  q v = decode(&F32, x);
  if (v == 0) return 0xff800000;
  if (!(v > 0)) return F32.nan;
  if (isinfq(v)) return x;
  if (v == 1) return 0;
  q sum = (q)((int)(x >> 23 & 255) - 127) + floorq(by_fraction(&LG2, x & 0x7fffff) * power(36)) * power(-36);
  return cut(sum < 0 ? sum + power(-36) : sum);
}
/** The angle in turns. */
static u unit_sine(u x, int quarters) {
  x = flush(&F32, x);
  q v = decode(&F32, x);
  if (isnanq(v) || isinfq(v)) return F32.nan;
  u fixed = (u)fmodq(floorq(fabsq(v) * power(25)), power(25)), quadrant = (fixed >> 23) + (u)quarters;
  u f = (quadrant & 1 ? ~fixed : fixed) & 0x7fffff;
  u sign = (quarters ? 0 : x >> 31) ^ (quadrant >> 1 & 1);
  return cut(by_fraction(&SIN, f)) | sign << 31;
}
static u unit_tanh(u x) {
  static const int bits[] = { 0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3 }, first[] = { 0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43 };
  u sign = x & 0x80000000, e = x >> 23 & 255;
  if (is_nan(&F32, x)) return F32.nan;
  if (e < 119) return x;
  if (e > 129) return sign | 0x3f800000;
  u f = (x & 0x7fffff) >> (6 - bits[e - 119]);
  return sign | cut(interpolated(&TANH, (u)first[e - 119] + (f >> 17), f & 0x1ffff));
}

/** x / (2 pi) to 24 bits, towards zero. */
static u turns(u x) {
  q v = decode(&F32, flush(&F32, x));
  return isinfq(v) || isnanq(v) ? F32.nan : encode(&F32, v * (q)0xa2f983 * power(-26), RZ);
}
static u times(u x, double by) { volatile float d = f32(x) * (float)by; return bits32(d); }
/** Rounded as if exponents had no lower end, and flushed. */
static u times_ftz(u x, u y) {
  volatile double product = (double)f32(flush(&F32, x)) * (double)f32(flush(&F32, y));
  if (fabs(product) < 0x1p-126 * (1 - 0x1p-25)) return (x ^ y) & 0x80000000;
  volatile float d = (float)product;
  return bits32(d);
}
static int is_small(u x) { return (x & 0x7fffffff) < 0x00800000; }
static int is_large(u x) { return (x & 0x7fffffff) > 0x7e800000 && !is_nan(&F32, x); }

static u quotient(u x, u y, int ftz) {
  if (ftz && has("full") && is_large(y)) { x = times_ftz(x, 0x3e800000); y = times_ftz(y, 0x3e800000); }
  if (ftz) return times_ftz(x, unit_rcp(y));
  double scale = is_small(y) ? 0x1p24 : is_large(y) && has("full") ? 0.25 : 1;
  volatile float d = f32(unit_rcp(times(y, scale))) * f32(times(x, scale));
  return bits32(d);
}
static u approximate(u x, u y, int ftz) {
  int small = !ftz && is_small(x);
  if (opcode("div")) return quotient(x, y, ftz);
  if (opcode("rcp")) {
    double scale = small ? 0x1p24 : !ftz && is_large(x) ? 0.25 : 1;
    return ftz ? unit_rcp(x) : times(unit_rcp(times(x, scale)), scale);
  }
  if (opcode("rsqrt")) return small ? times(unit_rsqrt(times(x, 0x1p24)), 0x1p12) : unit_rsqrt(x);
  if (opcode("sqrt")) return small ? times(unit_sqrt(times(x, 0x1p24)), 0x1p-12) : unit_sqrt(x);
  if (opcode("lg2")) { volatile float d = small ? f32(unit_lg2(times(x, 0x1p24))) - 24 : f32(unit_lg2(x)); return bits32(d); }
  if (opcode("ex2")) {
    if (ftz || !(f32(x) < -126)) return unit_ex2(x);
    u root = unit_ex2(times(x, 0.5));
    volatile float d = f32(root) * f32(root);
    return bits32(d);
  }
  if (opcode("tanh")) return unit_tanh(x);
  return unit_sine(turns(x), opcode("cos"));
}
/** Of a half: the f32, cut off. */
static u approximate_half(const Format *f, u x) {
  u wide = encode(&F32, decode(f, x), RN);
  q v = decode(&F32, opcode("ex2") ? unit_ex2(wide) : unit_tanh(wide));
  return v >= power(f->most + 1) ? f->top + 1 : encode(f, v, RZ);
}

/** rcp and rsqrt.approx.ftz.f64 see and make upper words. */
static u approximate_high(u x) {
  u sign = x & 0x80000000, e = x >> 20 & 2047, m = (x & 0xfffff) << 3;
  int k = (int)e - 1023, odd = opcode("rsqrt") ? k & 1 : 0;
  if ((x & 0x7fffffff) > 0x7ff00000) return 0x7fffffff;
  if (e == 0) return sign | 0x7ff00000;
  if (opcode("rsqrt") && sign) return 0x7fffffff;
  if (e == 2047) return sign;
  u one = (u)(127 + odd) << 23 | m, r = opcode("rsqrt") ? unit_rsqrt(one) : unit_rcp(one);
  int exponent = (int)(r >> 23) - 127 + 1023 - (opcode("rsqrt") ? (k - odd) / 2 : k);
  return exponent <= 0 ? sign : sign | (u)exponent << 20 | (r & 0x7fffff) >> 3;
}
/** rsqrt.approx.f64: a step from the unit's upper word. */
static double step(double x) {
  volatile double y = f64(approximate_high(bits64(x) >> 32) << 32), square_of_y = y * y, e = fma(x, -square_of_y, 1), ye = y * e;
  return fma(fma(e, 0.375, 0.5), ye, y);
}
static u rsqrt_double(u x) {
  double v = f64(x);
  if (is_nan(&F64, x)) return x | 1ull << 51;
  if (v == 0) return x | 0x7ffull << 52;
  if (v < 0) return F64.nan;
  if (isinf(v)) return 0;
  return bits64(v < 0x1p-1022 ? step(v * 0x1p54) * 0x1p27 : step(v));
}
