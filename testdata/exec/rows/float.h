// Floating point: f32 and f64 by the processor under fesetround, all else exactly in __float128 (or rounded to odd in it) and
// rounded once to the format. Sections 9.7.3 to 9.7.7 of PTX ISA 9.0.

typedef struct { int mant, least, most, bits; /** Has infinities; NaN or, without one, what NaN becomes. */ int infinite; u nan, top; } Format;
/** bits of NaN, and of the greatest finite number. */
static const Format F16 = { 10, -14, 15, 16, 1, 0x7fff, 0x7bff }, BF16 = { 7, -126, 127, 16, 1, 0x7fff, 0x7f7f },
  TF32 = { 10, -126, 127, 19, 1, 0x3ffff, 0x3fbff }, F32 = { 23, -126, 127, 32, 1, 0x7fffffff, 0x7f7fffff },
  F64 = { 52, -1022, 1023, 64, 1, 0xfff8000000000000, 0x7fefffffffffffff },
  E4M3 = { 3, -6, 8, 8, 0, 0x7f, 0x7e }, E5M2 = { 2, -14, 15, 8, 1, 0x7f, 0x7b }, E2M3 = { 3, 0, 2, 6, 0, 0x1f, 0x1f },
  E3M2 = { 2, -2, 4, 6, 0, 0x1f, 0x1f }, E2M1 = { 1, 0, 2, 4, 0, 7, 7 };
static const Format *format_of(const char *name) {
  static const struct { const char *name; const Format *format; } all[] = { { "f16", &F16 }, { "bf16", &BF16 }, { "tf32", &TF32 },
    { "f32", &F32 }, { "f64", &F64 }, { "e4m3", &E4M3 }, { "e5m2", &E5M2 }, { "e2m3", &E2M3 }, { "e3m2", &E3M2 }, { "e2m1", &E2M1 } };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    size_t n = strlen(all[i].name);
    if (!strncmp(name, all[i].name, n) && (name[n] == 0 || name[n] == 'x')) return all[i].format;
  }
  return NULL;
}

static int is_nan(const Format *f, u x) {
  u size = x & mask_of(f->bits - 1);
  return f->infinite ? size > f->top + 1 : f == &E4M3 && size == 0x7f;
}
static u sign_bit(const Format *f) { return 1ull << (f->bits - 1); }
static q power(int e) { return scalbnq(1, e); }
/** Its value; NaN for any NaN. */
static q decode(const Format *f, u x) {
  x &= mask_of(f->bits);
  u size = x & mask_of(f->bits - 1), m = size & mask_of(f->mant);
  int e = (int)(size >> f->mant);
  q v = is_nan(f, x) ? nanq("") : f->infinite && size == f->top + 1 ? HUGE_VALQ
    : e == 0 ? (q)m * power(f->least - f->mant) : (q)(m | 1ull << f->mant) * power(e - 1 + f->least - f->mant);
  return x & sign_bit(f) ? -v : v;
}
static u flush(const Format *f, u x) { return (x & mask_of(f->bits - 1)) >> f->mant == 0 ? x & sign_bit(f) : x; }

enum { RN, RZ, RM, RP, RNA, RS };
static int mode(void) {
  return has("rz") || has("rzi") ? RZ : has("rm") || has("rmi") ? RM : has("rp") || has("rpi") ? RP : has("rna") ? RNA : has("rs") ? RS : RN;
}
static const int hardware[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };

/** Rounds a size up or not: `rest` is what is left behind the last place, of 0 <= rest < 1. */
static int goes_up(q rest, u whole, int rounding, int negative, u random, int random_bits) {
  switch (rounding) {
    case RZ: return 0;
    case RM: return negative && rest > 0;
    case RP: return !negative && rest > 0;
    case RNA: return rest >= (q)0.5;
    case RS: return (u)(rest * power(random_bits)) + random >= 1ull << random_bits;
    default: return rest > (q)0.5 || (rest == (q)0.5 && whole & 1);
  }
}
/** The value in the format, rounded once. */
static u encode_random(const Format *f, q x, int rounding, u random, int random_bits) {
  int negative = signbitq(x) != 0;
  u sign = negative ? sign_bit(f) : 0;
  // Formats without infinity have conversions with .satfinite only; e5m2 too.
  u beyond = f->infinite && f != &E5M2 ? f->top + 1 : f->top;
  if (isnanq(x)) return f->nan;
  if (isinfq(x)) return sign | beyond;
  x = fabsq(x);
  if (x == 0) return sign;
  int e; frexpq(x, &e); e--;
  if (e < f->least) e = f->least;
  q scaled = x * power(f->mant - e);
  u whole = (u)scaled;
  q rest = scaled - (q)whole;
  if (goes_up(rest, whole, rounding, negative, random, random_bits)) whole++;
  if (whole >> (f->mant + 1)) { whole >>= 1; e++; }
  u size = whole >> f->mant ? ((u)(e - f->least + 1) << f->mant) | (whole & mask_of(f->mant)) : whole;
  if (e <= f->most && size <= f->top) return sign | size;
  int inwards = rounding == RZ || rounding == (negative ? RP : RM);
  return sign | (inwards ? f->top : beyond);
}
static u encode(const Format *f, q x, int rounding) { return encode_random(f, x, rounding, 0, 0); }

/** x + y to odd: rounding it once more is rounding the sum. */
static q odd_sum(q x, q y) {
  fesetround(FE_TOWARDZERO); feclearexcept(FE_ALL_EXCEPT);
  volatile q sum = x + y;
  int inexact = fetestexcept(FE_INEXACT);
  fesetround(FE_TONEAREST);
  q d = sum;
  if (x == -y && x == x && !isinfq(x)) d = signbitq(x) && signbitq(y) ? -(q)0 : (q)0;
  if (inexact) { u128 w; memcpy(&w, &d, 16); w |= 1; memcpy(&d, &w, 16); }
  return d;
}

static float f32(u x) { uint32_t w = (uint32_t)x; float f; memcpy(&f, &w, 4); return f; }
static double f64(u x) { double f; memcpy(&f, &x, 8); return f; }
static u bits32(float f) { uint32_t w; memcpy(&w, &f, 4); return f != f ? F32.nan : w; }
static u bits64(double f) { u w; memcpy(&w, &f, 8); return f != f ? F64.nan : w; }
/** .sat: to [+0, 1], NaN to +0. */
static u unit(const Format *f, u x) {
  q v = decode(f, x);
  return isnanq(v) || v <= 0 ? 0 : v > 1 ? encode(f, 1, RN) : x;
}
/** 9.7.3: f64 instructions keep payloads: that of the first NaN in hardware's order of the operands, quiet. */
static u payload(void) {
  static const int as_written[] = { 0, 1 }, second_first[] = { 1, 0 }, fused[] = { 1, 2, 0 };
  int three = opcode("fma") || opcode("mad"), one = opcode("rcp") || opcode("sqrt") || opcode("rsqrt");
  const int *order = three ? fused : one || opcode("div") ? as_written : second_first;
  for (int i = 0; i < (three ? 3 : one ? 1 : 2); i++) if (is_nan(&F64, at(order[i]))) return at(order[i]) | 1ull << 51;
  return F64.nan;
}
/** .ftz of a result, which has the sign of `bits`, by its exact value or that to odd. */
static u flushed_result(const Format *f, q exact, int rounding, u bits) {
  int negative = signbitq(exact) != 0;
  return is_flushed(fabsq(exact), f->mant, f->least, rounding == RN, rounding == (negative ? RM : RP)) ? bits & sign_bit(f) : bits;
}
/** Targets before sm_20 flush single precision. */
static int flushes(void) { return has("ftz") || in.sm < 20; }

/** The exact result, or that to odd. */
static q to_odd(q x, q y, q z) {
  if (opcode("add")) return odd_sum(x, y);
  if (opcode("sub")) return odd_sum(x, -y);
  if (opcode("mul")) return x * y;
  if (opcode("fma") || opcode("mad")) return odd_sum(x * y, z);
  if (opcode("sqrt")) return x;
  fesetround(FE_TOWARDZERO); feclearexcept(FE_ALL_EXCEPT);
  volatile q quotient = opcode("rcp") ? 1 / x : x / y;
  int inexact = fetestexcept(FE_INEXACT);
  fesetround(FE_TONEAREST);
  q d = quotient;
  if (inexact) { u128 w; memcpy(&w, &d, 16); w |= 1; memcpy(&d, &w, 16); }
  return d;
}

/** An operation that the processor has, in any of its rounding modes. */
static u on_processor(const Format *f, u x, u y, u z, int rounding, int ftz) {
  if (ftz) { x = flush(f, x); y = flush(f, y); z = flush(f, z); }
  u result;
#define DO(T, from, SQRT, FMA) \
  volatile T p = from(x), r = from(y), t = from(z), d = 0; \
  fesetround(hardware[rounding]); \
  if (opcode("add")) d = p + r; else if (opcode("sub")) d = p - r; else if (opcode("mul")) d = p * r; \
  else if (opcode("div")) d = p / r; else if (opcode("rcp")) d = 1 / p; else if (opcode("sqrt")) d = SQRT(p); else d = FMA(p, r, t); \
  fesetround(FE_TONEAREST);
  if (f == &F32) { DO(float, f32, sqrtf, fmaf) result = bits32(d); }
  else { DO(double, f64, sqrt, fma) result = d != d ? payload() : bits64(d); }
  return ftz && !is_nan(f, result) ? flushed_result(f, to_odd(decode(f, x), decode(f, y), decode(f, z)), rounding, result) : result;
}

/** Formats without hardware: exact or to odd, then rounded. */
static u on_halves(const Format *f, u x, u y, u z) {
  if (has("oob") && ((x & 0x7fff) == 0x7ff7 || (y & 0x7fff) == 0x7ff7)) return 0;
  if (has("ftz")) { x = flush(f, x); y = flush(f, y); z = flush(f, z); }
  q p = decode(f, x), r = decode(f, y), t = decode(f, z);
  q d = opcode("add") ? odd_sum(p, r) : opcode("sub") ? odd_sum(p, -r) : opcode("mul") ? p * r : odd_sum(p * r, t);
  u result = encode(f, d, RN);
  if (has("ftz") && !is_nan(f, result)) result = flushed_result(f, d, RN, result);
  if (has("sat")) result = unit(f, result);
  if (has("relu")) result = is_nan(f, result) ? f->nan : result & sign_bit(f) ? 0 : result;
  return result;
}

/** -0 below +0; a NaN gives way, or with .NaN prevails. */
static u extreme(const Format *f, u x, u y, int max) {
  int xn = is_nan(f, x), yn = is_nan(f, y);
  if (xn && yn) return f == &F64 ? payload() : f->nan;
  if (xn || yn) return has("NaN") ? f->nan : xn ? y : x;
  q p = decode(f, x), r = decode(f, y);
  int less = p < r || (p == r && (x & sign_bit(f)) > (y & sign_bit(f)));
  return less != max ? x : y;
}
static u extreme_of(const Format *f, u x, u y, u z, int three) {
  int ftz = has("ftz") || (f == &F32 && in.sm < 20), max = opcode("max");
  u sign = (x ^ y) & sign_bit(f), size = mask_of(f->bits - 1);
  if (ftz) { x = flush(f, x); y = flush(f, y); z = flush(f, z); }
  if (has("abs")) { x &= size; y &= size; z &= size; }
  u d = extreme(f, x, y, max);
  if (three) d = extreme(f, d, z, max);
  return has("xorsign") && !is_nan(f, d) ? (d & size) | sign : d;
}

#include "mufu.h"

// -------------------------------------------------------------------------------------------------------------- tests

static int holds(q x, q y) {
  int unordered = isnanq(x) || isnanq(y);
  if (has("num")) return !unordered;
  if (has("nan")) return unordered;
  static const char *names[] = { "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu" };
  int i = 0;
  while (strcmp(names[i], in.words[1])) i++;
  if (unordered) return i >= 6;
  switch (i % 6) { case 0: return x == y; case 1: return x != y; case 2: return x < y; case 3: return x <= y; case 4: return x > y; default: return x >= y; }
}
static int holds_integer(s128 x, s128 y) {
  const char *c = in.words[1];
  return !strcmp(c, "eq") ? x == y : !strcmp(c, "ne") ? x != y : !strcmp(c, "lt") || !strcmp(c, "lo") ? x < y
    : !strcmp(c, "le") || !strcmp(c, "ls") ? x <= y : !strcmp(c, "gt") || !strcmp(c, "hi") ? x > y : x >= y;
}
static int combined(int t, int c) { return has("and") ? t & c : has("or") ? t | c : has("xor") ? t ^ c : t; }
static int test_of(Type t, u x, u y) {
  if (t.class != 'f') return holds_integer(value_of(x, t.bits, t.class == 's'), value_of(y, t.bits, t.class == 's'));
  const Format *f = format_of(t.name);
  if (has("ftz") || (f == &F32 && in.sm < 20)) { x = flush(f, x); y = flush(f, y); }
  return holds(decode(f, x), decode(f, y));
}
static u compare(u *second) {
  int sets = opcode("set");
  Type from = type_at(sets), to = type_at(0);
  int c = in.operand_count > 2 ? (int)(at(2) & 1) ^ in.operands[2].negated : 0, two = lanes_of(from) == 2;
  int low = test_of(from, at(0), at(1)), high = two ? test_of(from, at(0) >> 16, at(1) >> 16) : 0;
  if (!sets) {
    *second = (u)combined(two ? high : !low, c);
    return (u)combined(low, c);
  }
  u yes = to.class == 'f' ? encode(format_of(to.name), 1, RN) : two ? 0xffff : mask_of(to.bits);
  if (!two) return combined(low, c) ? yes : 0;
  return (combined(low, c) ? yes : 0) | (combined(high, c) ? yes << 16 : 0);
}
static int has_property(const Format *f, u x) {
  u size = x & mask_of(f->bits - 1);
  int finite = size <= f->top, subnormal = size != 0 && size >> f->mant == 0;
  return has("finite") ? finite : has("infinite") ? size == f->top + 1 : has("number") ? size <= f->top + 1
    : has("notanumber") ? size > f->top + 1 : has("normal") ? finite && !subnormal : subnormal;
}

static u sign_changed(const Format *f, u x) {
  if (has("ftz") || (f == &F32 && in.sm < 20)) x = flush(f, x);
  // As arithmetic: a NaN of f64 becomes quiet and keeps its sign, others are canonical.
  if (is_nan(f, x)) return f == &F64 ? x | 1ull << 51 : f->nan;
  return opcode("abs") ? x & mask_of(f->bits - 1) : x ^ sign_bit(f);
}
static u in_lane(const Format *f, u x, u y, u z) {
  if (opcode("min") || opcode("max")) return extreme_of(f, x, y, z, in.operand_count == 3);
  if (opcode("abs") || opcode("neg")) return sign_changed(f, x);
  if (opcode("ex2") || opcode("tanh")) return approximate_half(f, x);
  return on_halves(f, x, y, z);
}

/** Instructions on floats that are no comparisons and no conversions. */
static int floating(u *d, u *second) {
  if (opcode("set") || opcode("setp")) { *d = compare(second); return 1; }
  if (opcode("slct")) {
    Type c = type_at(1);
    u sign = at(2);
    if (c.class == 'f' && flushes()) sign = flush(&F32, sign);
    int first = c.class == 'f' ? f32(sign) >= 0 : (int32_t)sign >= 0;
    *d = first ? at(0) : at(1);
    return 1;
  }
  Type t = type_at(0), last = type_at(1);
  const Format *f = format_of(t.name);
  if (t.class != 'f') return 0;
  // Pairs of f32 with a pair of halves, and products of two pairs of different halves.
  if (last.class == 'f' && lanes_of(t) == 2) {
    const Format *half = format_of(last.name), *by = format_of(type_at(2).name);
    *d = 0;
    for (int i = 1; i >= 0; i--) {
      u x = at(0) >> (16 * i) & 0xffff;
      if (f == &F32) {
        u a = encode(&F32, decode(half, x), RN);
        *d = *d << 32 | on_processor(&F32, a, at(1) >> (32 * i) & mask_of(32), at(2) >> (32 * i) & mask_of(32), mode(), 0);
      } else *d = *d << 16 | encode(f, decode(half, x) * decode(by, at(1) >> (16 * i) & 0xffff), RN);
    }
    return 1;
  }
  // Mixed precision: the f32 stands first, the small type behind it.
  if (last.class == 'f') {
    const Format *small = format_of(last.name);
    u x = encode(&F32, decode(small, at(0)), RN), y = opcode("fma") ? encode(&F32, decode(small, at(1)), RN) : at(1);
    u result = on_processor(&F32, x, y, at(2), mode(), 0);
    *d = has("sat") ? unit(&F32, result) : result;
    return 1;
  }
  if (opcode("copysign")) { *d = (at(0) & sign_bit(f)) | (at(1) & mask_of(f->bits - 1)); return 1; }
  if (opcode("testp")) { *d = (u)has_property(f, at(0)); return 1; }
  if (lanes_of(t) == 2) {
    int half = f->bits;
    u low, high, m = mask_of(half);
    if (f == &F32) {
      low = on_processor(f, at(0) & m, at(1) & m, at(2) & m, mode(), has("ftz"));
      high = on_processor(f, at(0) >> 32, at(1) >> 32, at(2) >> 32, mode(), has("ftz"));
    } else {
      low = in_lane(f, at(0) & m, at(1) & m, at(2) & m);
      high = in_lane(f, at(0) >> half & m, at(1) >> half & m, at(2) >> half & m);
    }
    *d = low | high << half;
    return 1;
  }
  if (f == &F16 || f == &BF16) { *d = in_lane(f, at(0), at(1), at(2)); return 1; }
  if (opcode("min") || opcode("max")) { *d = extreme_of(f, at(0), at(1), at(2), in.operand_count == 3); return 1; }
  if (opcode("abs") || opcode("neg")) { *d = sign_changed(f, at(0)); return 1; }
  // Before PTX 1.4 what names no rounding is the approximation, and flushes.
  static const char *names[] = { "rcp", "sqrt", "div", "rsqrt", "sin", "cos", "lg2", "ex2", "tanh" };
  int known = 0;
  for (int i = 0; i < 9; i++) known |= opcode(names[i]);
  int rounded = has("rn") || has("rz") || has("rm") || has("rp");
  if (known && !rounded && !(f == &F64 && (opcode("rcp") || opcode("sqrt") || opcode("div")) && !has("approx"))) {
    if (f == &F64) *d = has("ftz") ? approximate_high(at(0) >> 32) << 32 : rsqrt_double(at(0));
    else *d = approximate(at(0), at(1), flushes());
    return 1;
  }
  u result = on_processor(f, at(0), at(1), at(2), mode(), f == &F32 && flushes());
  *d = has("sat") ? unit(f, result) : result;
  return 1;
}
