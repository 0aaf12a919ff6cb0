#include "host.hpp"

#include <limits>

using host::u32;

static float flushed(float f) { return std::fpclassify(f) == FP_SUBNORMAL ? std::copysign(0.0f, f) : f; }

int main() {
  const int n = 96;
  host::Random random(30);
  std::vector<float> in(n), approximate(12 * n), a(n), b(n), out(5 * n);
  std::vector<u32> flags(n);
  const float least = std::numeric_limits<float>::min(), subnormal = least / 4, pool[] = {0.0f,  -0.0f,      least,       -least, subnormal,
                                                                                          -subnormal, least * 1.5f, 1.0f, -0.75f, 0.5f};
  for (int i = 0; i < n; i++) {
    do in[i] = random.unit() * 6 - 3;
    while (std::fabs(in[i]) < 0.02f || std::fabs(std::fabs(in[i]) - 1) < 0.02f);  // away from poles and from log's zero
    double x = in[i], size = std::fabs(x);
    double results[12] = {std::exp(x), std::exp2(x),  std::log(size),  std::log2(size),      std::log10(size), std::sin(x),
                          std::cos(x), std::tanh(x), std::sqrt(size), 1 / std::sqrt(size), 1 / x,            std::pow(size, 1.5)};
    for (int k = 0; k < 12; k++) approximate[k * n + i] = static_cast<float>(results[k]);
    a[i] = pool[random.below(10)];
    b[i] = i % 3 ? pool[random.below(10)] : random.unit() - 0.5f;
    float p = flushed(a[i]), q = flushed(b[i]);
    float sums[5] = {p + q, p * q, std::fmaf(p, q, p), std::fabs(p) - q, p == q ? (std::signbit(p) ? q : p) : std::max(p, q)};
    // p * q here is exact, or far below the least normal number: flushing after rounding and before are the same.
    for (int k = 0; k < 5; k++) out[k * n + i] = flushed(sums[k]);
    flags[i] = (p == q) | (p < q) << 1 | (p != 0) << 2 | static_cast<u32>(static_cast<int>(std::ceil(p)) & 255) << 8;
  }
  host::Program program;
  program.input("in", in);
  program.input("a", a);
  program.input("b", b);
  program.zeros<float>("approximate", approximate.size());
  program.zeros<float>("out", out.size());
  program.zeros<u32>("flags", n);
  using host::argS32, host::buffer;
  program.launch("approximations", {3}, {32}, {buffer("in"), buffer("approximate"), argS32(n)});
  program.launch("flushing", {3}, {32}, {buffer("a"), buffer("b"), buffer("out"), buffer("flags"), argS32(n)});
  // The widest bounds are tanh.approx's 2^-11 relative and sin.approx's 2^-20.5 absolute.
  program.expect("approximate", approximate, {.abs = 2e-6, .rel = 6e-4});
  program.expect("out", out);
  program.expect("flags", flags);
  return program.write();
}
