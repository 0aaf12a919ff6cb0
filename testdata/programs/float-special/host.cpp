#include "host.hpp"

#include <cfenv>
#include <limits>

using host::s32, host::s64, host::u32, host::u64;

/** Computes under a rounding mode. `f` must read its operands through volatile objects, or it would be computed before. */
template <class F>
static auto rounded(int mode, F f) {
  std::fesetround(mode);
  volatile auto result = f();
  std::fesetround(FE_TONEAREST);
  return result;
}

static u32 bitsOf(float f) { return std::isnan(f) ? 0x7fffffff : std::bit_cast<u32>(f); }
static s64 bitsOf(double d) { return std::isnan(d) ? 0x7ff8000000000000 : std::bit_cast<s64>(d); }

/** PTX's min and max: the number where one operand is NaN, and -0 below +0. */
template <class T>
static T least(T x, T y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == y) return std::signbit(x) ? x : y;
  return x < y ? x : y;
}
template <class T>
static T greatest(T x, T y) {
  if (std::isnan(x)) return y;
  if (std::isnan(y)) return x;
  if (x == y) return std::signbit(x) ? y : x;
  return x < y ? y : x;
}

/** PTX's conversion to an integer: out of range gives the nearest bound; what NaN gives depends on the widths. */
template <class To, class From>
static To toInteger(From x, int mode) {
  const bool wide = sizeof(From) == 8 || sizeof(To) == 8;
  if (std::isnan(x)) return wide ? static_cast<To>(To{1} << (sizeof(To) * 8 - 1)) : To{0};
  long double whole = mode == FE_TOWARDZERO ? std::trunc(x)
                      : mode == FE_UPWARD   ? std::ceil(x)
                      : mode == FE_DOWNWARD ? std::floor(x)
                                            : std::nearbyint(x);
  if (whole <= static_cast<long double>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (whole >= static_cast<long double>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(whole);
}

template <class T>
struct Inputs {
  std::vector<T> a, b, c;
};

template <class T>
static Inputs<T> pick(host::Random& random, int n) {
  using Limits = std::numeric_limits<T>;
  const std::vector<T> specials = {T(0),      T(-0.0),           T(1),           T(-1),      Limits::infinity(), -Limits::infinity(),
                                   T(NAN),    Limits::denorm_min(), -Limits::denorm_min(), Limits::min(), -Limits::min(),
                                   Limits::max(), -Limits::max(), std::nextafter(Limits::min(), T(0)), T(0.5), T(1.5), T(2.5), T(-2.5),
                                   T(3.7),    T(-3.7),           T(1) / 3,       T(1e-20),   T(1e20),    T(0x1p31), T(-0x1p31),
                                   T(0x1p32), T(0x1p63),         T(-0x1p63),     T(0x1p64),  T(16777215), T(0.49999997f), T(-0.5)};
  auto any = [&] {
    if (random.below(3) == 0) return std::ldexp(T(random.unit() - 0.5f) + T(random.unit()) / 16777216, static_cast<int>(random.below(90)) - 45);
    return specials[random.below(static_cast<u32>(specials.size()))];
  };
  Inputs<T> inputs;
  for (int i = 0; i < n; i++) {
    inputs.a.push_back(i < static_cast<int>(specials.size()) ? specials[i] : any());
    inputs.b.push_back(any());
    inputs.c.push_back(any());
  }
  return inputs;
}

int main() {
  const int n = 160;
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  host::Random random(28);
  auto [a, b, c] = pick<float>(random, n);
  auto [wideA, wideB, wideC] = pick<double>(random, n);
  std::vector<u32> single(32 * n), compared(n), fromIntegers(12 * n);
  std::vector<s64> toIntegers(16 * n), wide(24 * n), integers(n);
  for (int i = 0; i < n; i++) {
    volatile float x = a[i], y = b[i], z = c[i];
    int k = 0;
    auto put = [&](float f) { single[k++ * n + i] = bitsOf(f); };
    for (int mode : modes) put(rounded(mode, [&] { return x + y; }));
    for (int mode : modes) put(rounded(mode, [&] { return x * y; }));
    for (int mode : modes) put(rounded(mode, [&] { return std::fmaf(x, y, z); }));
    for (int mode : modes) put(rounded(mode, [&] { return x / y; }));
    for (int mode : modes) put(rounded(mode, [&] { return std::sqrt(x); }));
    put(rounded(FE_TONEAREST, [&] { return 1.0f / x; }));
    put(rounded(FE_TOWARDZERO, [&] { return 1.0f / x; }));
    put(least<float>(x, y));
    put(greatest<float>(x, y));
    put(x > 0 ? (x > 1 ? 1.0f : x) : 0.0f);  // NaN saturates to +0
    put(std::nearbyint(x));
    put(std::floor(x));
    put(std::ceil(x));
    put(std::trunc(x));
    put(std::round(x));
    put(std::copysign(y, x));
    put(x - y);

    u32 flags[15] = {x < y,    x <= y,    x > y,    x >= y,           x == y,        x != y,        !(x < y),        !(x <= y),
                     !(x > y), !(x >= y), std::isnan(x) || std::isnan(y), std::isnan(x), std::isinf(x), std::signbit(x), std::isfinite(y)};
    for (int f = 0; f < 15; f++) compared[i] |= flags[f] << f;

    double d = a[i];
    float f = a[i];
    s64 whole[16] = {toInteger<s32>(f, FE_TONEAREST),
                     toInteger<s32>(f, FE_TOWARDZERO),
                     toInteger<s32>(f, FE_UPWARD),
                     toInteger<s32>(f, FE_DOWNWARD),
                     toInteger<u32>(f, FE_TONEAREST),
                     toInteger<u32>(f, FE_TOWARDZERO),
                     toInteger<s64>(f, FE_TONEAREST),
                     toInteger<s64>(f, FE_TOWARDZERO),
                     static_cast<s64>(toInteger<u64>(f, FE_UPWARD)),
                     static_cast<s64>(toInteger<u64>(f, FE_DOWNWARD)),
                     toInteger<s32>(d, FE_TONEAREST),
                     toInteger<s32>(d, FE_DOWNWARD),
                     toInteger<u32>(d, FE_TOWARDZERO),
                     toInteger<s64>(d, FE_TONEAREST),
                     static_cast<s64>(toInteger<u64>(d, FE_TOWARDZERO)),
                     static_cast<std::int16_t>(toInteger<s32>(f, FE_TOWARDZERO))};
    for (int j = 0; j < 16; j++) toIntegers[j * n + i] = whole[j];

    volatile double p = wideA[i], q = wideB[i], r = wideC[i];
    k = 0;
    auto putWide = [&](double v) { wide[k++ * n + i] = bitsOf(v); };
    for (int mode : modes) putWide(rounded(mode, [&] { return p + q; }));
    for (int mode : modes) putWide(rounded(mode, [&] { return p * q; }));
    for (int mode : modes) putWide(rounded(mode, [&] { return std::fma(p, q, r); }));
    putWide(rounded(FE_TONEAREST, [&] { return p / q; }));
    putWide(rounded(FE_UPWARD, [&] { return p / q; }));
    putWide(rounded(FE_TONEAREST, [&] { return std::sqrt(p); }));
    putWide(rounded(FE_DOWNWARD, [&] { return std::sqrt(p); }));
    putWide(least<double>(p, q));
    putWide(greatest<double>(p, q));
    for (int mode : modes) wide[k++ * n + i] = bitsOf(rounded(mode, [&] { return static_cast<float>(p); }));
    putWide(std::nearbyint(p));
    putWide(std::floor(p));

    u64 high = random.next();
    integers[i] = static_cast<s64>(high << 32 | random.next()) >> random.below(63);
    if (i == 0) integers[i] = INT64_MIN;
    if (i == 1) integers[i] = INT64_MAX;
    if (i == 2) integers[i] = 16777217;
    if (i == 3) integers[i] = -16777219;
    volatile s64 whole64 = integers[i];
    volatile s32 low = static_cast<s32>(whole64);
    volatile u32 unsignedLow = static_cast<u32>(low);
    volatile u64 unsigned64 = static_cast<u64>(whole64);
    k = 0;
    auto putInteger = [&](u32 v) { fromIntegers[k++ * n + i] = v; };
    for (int mode : modes) putInteger(bitsOf(rounded(mode, [&] { return static_cast<float>(low); })));
    putInteger(bitsOf(rounded(FE_TONEAREST, [&] { return static_cast<float>(unsignedLow); })));
    putInteger(bitsOf(rounded(FE_DOWNWARD, [&] { return static_cast<float>(unsignedLow); })));
    putInteger(bitsOf(rounded(FE_TONEAREST, [&] { return static_cast<float>(whole64); })));
    putInteger(bitsOf(rounded(FE_UPWARD, [&] { return static_cast<float>(whole64); })));
    // Through long double, which holds 64 bits: g++'s own code for unsigned 64-bit integers rounds twice.
    putInteger(bitsOf(rounded(FE_TOWARDZERO, [&] { return static_cast<float>(static_cast<long double>(unsigned64)); })));
    putInteger(bitsOf(rounded(FE_TONEAREST, [&] { return static_cast<float>(static_cast<long double>(unsigned64)); })));
    u64 down = static_cast<u64>(bitsOf(rounded(FE_DOWNWARD, [&] { return static_cast<double>(whole64); })));
    u64 up = static_cast<u64>(
        bitsOf(rounded(FE_UPWARD, [&] { return static_cast<double>(static_cast<long double>(unsigned64)); })));
    putInteger(static_cast<u32>(down ^ up * 3));
    putInteger(static_cast<u32>((down ^ up * 3) >> 32));
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("c", c);
  program.input("wideA", wideA);
  program.input("wideB", wideB);
  program.input("wideC", wideC);
  program.input("integers", integers);
  program.zeros<u32>("single", single.size());
  program.zeros<u32>("compared", n);
  program.zeros<s64>("toIntegers", toIntegers.size());
  program.zeros<s64>("wide", wide.size());
  program.zeros<u32>("fromIntegers", fromIntegers.size());
  using host::argS32, host::buffer;
  program.launch("single", {5}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("single"), argS32(n)});
  program.launch("comparisons", {5}, {32}, {buffer("a"), buffer("b"), buffer("compared"), argS32(n)});
  program.launch("toIntegers", {5}, {32}, {buffer("a"), buffer("toIntegers"), argS32(n)});
  program.launch("wide", {5}, {32}, {buffer("wideA"), buffer("wideB"), buffer("wideC"), buffer("wide"), argS32(n)});
  program.launch("fromIntegers", {5}, {32}, {buffer("integers"), buffer("fromIntegers"), argS32(n)});
  program.expect("single", single);
  program.expect("compared", compared);
  program.expect("toIntegers", toIntegers);
  program.expect("wide", wide);
  program.expect("fromIntegers", fromIntegers);
  return program.write();
}
