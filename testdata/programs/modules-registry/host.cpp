#include "host.hpp"

using host::s32;

int main() {
  const int n = 64, blocks = 3;
  host::Random random(40);
  std::vector<s32> x(n), y(n), out(n);
  for (int i = 0; i < n; i++) {
    x[i] = static_cast<s32>(random.below(20)) - 9;
    y[i] = static_cast<s32>(random.below(6)) + 2;
    if (i % 5 == 0) x[i] *= 98765;
    s32 power = 1, ways = x[i], digits = 0;
    for (int k = 0; k < y[i]; k++) power = static_cast<s32>(static_cast<host::u32>(power) * static_cast<host::u32>(x[i]));
    for (s32 rest = std::abs(x[i]); rest; rest /= y[i]) digits += rest % y[i];
    // Down: x - 3, then 2x + 1, by turns; the innermost call negates where it is bothWays'. Back up: +1 and doubled.
    for (int depth = y[i]; depth > 0; depth--) ways = (y[i] - depth) % 2 == 0 ? ways - 3 : ways * 2 + 1;
    if (y[i] % 2 == 0) ways = -ways;
    for (int depth = 1; depth <= y[i]; depth++) ways = (y[i] - depth) % 2 == 0 ? ways * 2 : ways + 1;
    const s32 results[5] = {digits * 2, (x[i] - y[i]) * 2, power * 2, ways, power};
    out[i] = results[i % 5];
  }
  host::Program program;
  program.input("x", x);
  program.input("y", y);
  program.zeros<s32>("out", n);
  program.zeros<s32>("total", 1);
  program.launch("callAll", {2}, {n / 2}, {host::buffer("x"), host::buffer("y"), host::buffer("out")});
  program.launch("shapes", {blocks}, {1}, {host::buffer("total")});
  s32 total = 0;
  for (int block = 0; block < blocks; block++) {
    s32 square = (block + 3) * (block + 3), strip = (7 + block) * 10;
    program.print("square of area " + std::to_string(square) + "\nshape of area " + std::to_string(strip) + "\n");
    program.print("block " + std::to_string(block) + ": " + std::to_string(square + strip) + "\n");
    total += square + strip;
  }
  program.expect("out", out);
  program.expect<s32>("total", {total});
  return program.write();
}
