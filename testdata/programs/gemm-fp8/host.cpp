#include "host-matrix.hpp"

/** The nearest value of the format, ties to even, at most `largest`; all values here are normal or zero, save subnormals of e4m3. */
double nearest(double value, int fraction, int leastExponent, double largest) {
  if (value == 0) return value;
  int exponent = std::max(std::ilogb(value), leastExponent);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, fraction - exponent)), exponent - fraction);
  return std::clamp(rounded, -largest, largest);
}
double toE4m3(double value) { return nearest(value, 3, -6, 448); }
double toE5m2(double value) { return nearest(value, 2, -14, 57344); }

host::u8 bitsE4m3(double value) {
  int sign = std::signbit(value) ? 0x80 : 0;
  double magnitude = std::fabs(value);
  int exponent = magnitude == 0 ? -6 : std::max(std::ilogb(magnitude), -6);
  int units = static_cast<int>(std::ldexp(magnitude, 3 - exponent));  // eighths of the exponent; 8 and more are normal
  return static_cast<host::u8>(sign | (units < 8 ? units : ((exponent + 7) << 3) + units - 8));
}

int main() {
  const int m = 32, n = 32, k = 64;
  host::Random random(151);
  std::vector<float> a(m * k), b(n * k), c;
  // 16 bits to be rounded, of one exponent range, so that the rounded products add up without rounding.
  for (auto& v : a) v = (static_cast<float>(random.below(1 << 16)) - 32768) * 0x1p-14f;
  for (auto& v : b) v = (static_cast<float>(random.below(1 << 16)) - 32768) * 0x1p-15f;
  for (auto* values : {&a, &b})
    for (auto& v : *values) v = std::fabs(v) < 0.25f ? std::copysign(0.25f, v) + v : v;
  std::vector<host::u8> small;
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      double sum = 0;
      for (int i = 0; i < k; i++) sum += toE4m3(4.0 * a[row * k + i]) * toE5m2(b[column * k + i]);
      c.push_back(static_cast<float>(sum));
      small.push_back(bitsE4m3(toE4m3(sum * 0.125)));
    }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<host::u8>("a8", m * k);
  program.zeros<host::u8>("b8", n * k);
  program.zeros<float>("c", m * n);
  program.zeros<host::u8>("small", m * n);
  using host::argF32, host::argS32, host::buffer;
  program.launch("toE4m3", {m * k / 256}, {128}, {buffer("a"), buffer("a8"), argF32(4)});
  program.launch("toE5m2", {n * k / 256}, {128}, {buffer("b"), buffer("b8")});
  program.launch("gemm", {n / 8, m / 16}, {32}, {buffer("a8"), buffer("b8"), buffer("c"), buffer("small"), argS32(n), argS32(k)});
  std::vector<host::u8> a8;
  for (float v : a) a8.push_back(bitsE4m3(toE4m3(4.0 * v)));
  program.expect("a8", a8);
  program.expect("c", c);
  program.expect("small", small);
  return program.write();
}
