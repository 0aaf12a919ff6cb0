#include "host-half.hpp"

using host::f16, host::Half, host::u16, host::s32;
using Round = Half::Round;

int main() {
  const int n = 96;
  host::Random random(21);
  // Numbers only: every exponent down to the subnormals, and signed zero; products overflow now and then.
  auto any = [&] {
    u16 bits = static_cast<u16>(random.next() >> 16);
    return (bits & 0x7c00) == 0x7c00 ? static_cast<u16>(bits & 0x83ff) : bits;
  };
  auto near = [&] { return static_cast<u16>((random.next() & 0x83ff) | 0x3800 | (random.below(3) << 10)); };
  std::vector<f16> a(n), b(n), c(n), scalars(10 * n), pairs(5 * n), converted(7 * n);
  std::vector<float> floats(n), wide(n);
  std::vector<s32> whole(n), nearest(n), down(n);
  std::vector<std::int16_t> narrow(n);
  for (int i = 0; i < n; i++) {
    a[i] = {i % 2 ? any() : near()};
    b[i] = {i % 4 < 2 ? near() : any()};
    c[i] = {i % 3 ? near() : any()};
    if (i % 10 == 0) b[i] = a[i];
  }
  auto value = [](f16 h) { return static_cast<long double>(Half::decode(h.bits)); };
  auto encode = [](long double v, Round round = Round::nearest) { return f16{Half::encode(v, round)}; };
  // -0 lies below +0 for min and max.
  auto less = [&](f16 p, f16 q) { return value(p) < value(q) || (value(p) == value(q) && p.bits > q.bits); };
  for (int i = 0; i < n; i++) {
    // A product of two halves and a third half added fit a 64-bit significand: one rounding, at the end.
    long double x = value(a[i]), y = value(b[i]), z = value(c[i]), fused = x * y + z;
    f16 sums[10] = {encode(x + y),
                    encode(x - y),
                    encode(x * y),
                    encode(fused),
                    less(a[i], b[i]) ? a[i] : b[i],
                    less(a[i], b[i]) ? b[i] : a[i],
                    f16{static_cast<u16>(a[i].bits | 0x8000)},
                    encode(std::clamp(x + y, 0.0L, 1.0L)),
                    encode(fused > 0 ? fused : 0),
                    x < y ? a[i] : y >= z ? b[i] : c[i]};
    for (int k = 0; k < 10; k++) scalars[k * n + i] = sums[k];
  }
  const int half = n / 2;
  for (int i = 0; i < half; i++)
    for (int lane = 0; lane < 2; lane++) {
      int at = 2 * i + lane, other = 2 * i + 1 - lane;
      long double x = value(a[at]), y = value(b[at]), z = value(c[at]);
      bool bothEqual = value(a[2 * i]) == value(b[2 * i]) && value(a[2 * i + 1]) == value(b[2 * i + 1]);
      f16 minimum = less(a[at], b[at]) ? a[at] : b[at], negated{static_cast<u16>(c[at].bits ^ 0x8000)};
      pairs[at] = encode(x * y + z);
      pairs[n + at] = encode(value(encode(x + y)) * value(c[other]));
      pairs[2 * n + at] = less(minimum, negated) ? negated : minimum;
      pairs[3 * n + at] = encode(x > y);
      pairs[4 * n + at] = lane == 0 ? a[2 * i + 1] : bothEqual ? b[2 * i] : c[2 * i];
    }
  for (int i = 0; i < n; i++) {
    floats[i] = std::ldexp(random.unit() - 0.5f, static_cast<int>(random.below(46)) - 26);
    if (i == 0) floats[i] = 65519.996f;
    if (i == 1) floats[i] = -65520.0f;
    if (i == 2) floats[i] = 0x1p-25f;
    if (i == 3) floats[i] = 0x1.004p0f;
    whole[i] = static_cast<s32>(random.next()) >> random.below(31);
    double nudged = floats[i] * (1.0 + 0x1p-30);
    f16 conversions[7] = {encode(floats[i]),       encode(floats[i], Round::zero),
                          encode(floats[i], Round::up), encode(floats[i], Round::down),
                          encode(whole[i]),        encode(static_cast<host::u32>(whole[i]), Round::zero),
                          encode(nudged)};
    for (int k = 0; k < 7; k++) converted[k * n + i] = conversions[k];
    wide[i] = static_cast<float>(value(a[i]));
    nearest[i] = static_cast<s32>(std::nearbyint(value(a[i])));
    down[i] = static_cast<s32>(std::floor(value(a[i])));
    narrow[i] = static_cast<std::int16_t>(std::clamp(std::trunc(value(a[i])), -32768.0L, 32767.0L));
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("c", c);
  program.input("floats", floats);
  program.input("whole", whole);
  program.zeros<f16>("scalars", scalars.size());
  program.zeros<f16>("pairs", pairs.size());
  program.zeros<f16>("converted", converted.size());
  program.zeros<float>("wide", n);
  program.zeros<s32>("nearest", n);
  program.zeros<s32>("down", n);
  program.zeros<std::int16_t>("narrow", n);
  using host::argS32, host::buffer;
  program.launch("scalars", {3}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("scalars"), argS32(n)});
  program.launch("pairs", {2}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("pairs"), argS32(half)});
  program.launch("toHalf", {3}, {32}, {buffer("floats"), buffer("whole"), buffer("converted"), argS32(n)});
  program.launch("fromHalf", {3}, {32}, {buffer("a"), buffer("wide"), buffer("nearest"), buffer("down"), buffer("narrow"), argS32(n)});
  program.expect("scalars", scalars);
  program.expect("pairs", pairs);
  program.expect("converted", converted);
  program.expect("wide", wide);
  program.expect("nearest", nearest);
  program.expect("down", down);
  program.expect("narrow", narrow);
  return program.write();
}
