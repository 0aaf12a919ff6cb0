#include "host.hpp"

int main() {
  const int n = 48, k = 24;
  host::Random random(113);
  std::vector<double> a(n * k), c(n * n);
  // Whole numbers of 21 bits: the products of 42 bits add up without rounding.
  for (auto& v : a) v = static_cast<double>(random.below(1 << 21)) - (1 << 20);
  for (auto& v : c) v = static_cast<double>(random.below(1 << 30));
  std::vector<double> updated = c;
  for (int row = 0; row < n; row++)
    for (int column = 0; column <= row; column++) {
      host::s64 sum = 0;
      for (int i = 0; i < k; i++) sum += static_cast<host::s64>(a[row * k + i]) * static_cast<host::s64>(a[column * k + i]);
      updated[row * n + column] -= static_cast<double>(sum);
    }
  host::Program program;
  program.input("a", a);
  program.input("eights", c);
  program.input("sixteens", c);
  using host::argS32, host::buffer;
  program.launch("small", {n / 8, n / 8}, {32}, {buffer("a"), buffer("eights"), argS32(n), argS32(k)});
  program.launch("large", {n / 8, n / 16}, {32}, {buffer("a"), buffer("sixteens"), argS32(n), argS32(k)});
  program.expect("eights", updated);
  program.expect("sixteens", updated);
  return program.write();
}
