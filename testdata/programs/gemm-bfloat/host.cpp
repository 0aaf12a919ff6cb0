#include "host-matrix.hpp"

int main() {
  const int m = 32, n = 64, k = 160;
  host::Random random(103);
  host::Matrix a(random, m, k, 20), b(random, k, n, 20), bias(random, 1, n, 500), d = a * b;
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) d(row, column) = std::max(d(row, column) + bias(0, column), 0);
  host::Program program;
  program.input("a", a.stored(host::bfloat));
  program.input("b", b.transposed().stored(host::bfloat));
  program.input("bias", bias.stored(host::single));
  program.zeros<host::u16>("d", m * n);
  using host::argS32, host::buffer;
  program.launch("gemmBiasRelu", {n / 32, m / 32}, {64},
                 {buffer("a"), buffer("b"), buffer("bias"), buffer("d"), argS32(n), argS32(k)}, 3 * 2 * 32 * 32 * 2);
  program.expect("d", d.stored(host::bfloat));
  return program.write();
}
