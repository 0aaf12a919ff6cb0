#include "host.hpp"

#include <numeric>

using host::s32, host::s64, host::u32;

/** Rounded towards zero, from the quotient of the magnitudes. */
static s64 quotient(s64 x, s64 y) {
  s64 magnitude = std::abs(x) / std::abs(y);
  return (x < 0) == (y < 0) ? magnitude : -magnitude;
}
static s64 remainderOf(s64 x, s64 y) { return x - quotient(x, y) * y; }

int main() {
  const int n = 64;
  host::Random random(26);
  std::vector<s32> a(n), b(n), variable(10 * n), constant(8 * n), gcds(n);
  for (int i = 0; i < n; i++) {
    a[i] = static_cast<s32>(random.next()) >> random.below(25);
    b[i] = static_cast<s32>(random.next()) >> random.below(31);
    if (b[i] == 0) b[i] = 6;
    if (i % 4 == 0) a[i] = static_cast<s32>(static_cast<s64>(a[i]) * b[i]);  // often divisible
  }
  a[0] = INT32_MIN, b[0] = 1;
  a[1] = INT32_MAX, b[1] = -1;
  a[2] = INT32_MIN, b[2] = INT32_MIN;
  a[3] = 0, b[3] = -5;
  a[4] = INT32_MIN, b[4] = 1000;
  for (int i = 0; i < n; i++) {
    s32 x = a[i], y = b[i];
    s64 ux = static_cast<u32>(x), uy = static_cast<u32>(y);
    s64 sx = static_cast<std::int16_t>(x), sy = static_cast<std::int16_t>(y | 1);
    s64 hx = static_cast<host::u16>(x), hy = static_cast<host::u16>(y | 1);
    s64 cx = static_cast<std::int8_t>(x), cy = static_cast<std::int8_t>(y | 1);
    s64 pairs[5][2] = {{x, y}, {ux, uy}, {sx, sy}, {hx, hy}, {cx, cy}};
    for (int k = 0; k < 5; k++) {
      variable[2 * k * n + i] = static_cast<s32>(quotient(pairs[k][0], pairs[k][1]));
      variable[(2 * k + 1) * n + i] = static_cast<s32>(remainderOf(pairs[k][0], pairs[k][1]));
    }
    s64 wide = s64{x} * 1234567;
    s64 results[8] = {quotient(x, 3), remainderOf(x, 10),   quotient(x, -8),       remainderOf(x, 1000003),
                      quotient(ux, 7), remainderOf(ux, 641), quotient(wide, 86400), remainderOf(wide, 65537)};
    for (int k = 0; k < 8; k++) constant[k * n + i] = static_cast<s32>(results[k]);
    gcds[i] = static_cast<s32>(std::gcd(s64{x}, s64{y}));
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<s32>("variable", variable.size());
  program.zeros<s32>("constant", constant.size());
  program.zeros<s32>("gcds", n);
  using host::argS32, host::buffer;
  program.launch("byVariable", {2}, {32}, {buffer("a"), buffer("b"), buffer("variable"), argS32(n)});
  program.launch("byConstant", {2}, {32}, {buffer("a"), buffer("constant"), argS32(n)});
  program.launch("gcds", {2}, {32}, {buffer("a"), buffer("b"), buffer("gcds"), argS32(n)});
  program.expect("variable", variable);
  program.expect("constant", constant);
  program.expect("gcds", gcds);
  return program.write();
}
