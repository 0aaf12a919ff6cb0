#include "host-matrix.hpp"

/** 11 significant bits; ties away from zero. */
int rounded(int value) {
  int magnitude = std::abs(value), drop = magnitude < 2048 ? 0 : std::ilogb(magnitude) - 10;
  int out = drop == 0 ? magnitude : (magnitude + (1 << (drop - 1))) >> drop << drop;
  return value < 0 ? -out : out;
}

int main() {
  const int m = 64, n = 48, k = 64;
  host::Random random(107);
  host::Matrix a(random, m, k, 20000), b(random, k, n, 8), c(random, m, n, 1000);
  host::Matrix rounds = a;
  for (int& value : rounds.values) value = rounded(value);
  host::Matrix product = rounds * b;
  std::vector<float> d;
  for (int i = 0; i < m * n; i++)
    d.push_back(std::fmaf(0.5f, static_cast<float>(product.values[i]), 3.0f * static_cast<float>(c.values[i])));
  host::Program program;
  program.input("a", a.stored(host::single));
  program.input("b", b.stored(host::single));
  program.input("c", c.stored(host::single));
  program.zeros<float>("d", m * n);
  using host::argF32, host::argS32, host::buffer;
  program.launch("gemm", {n / 16, m / 32}, {32, 2},
                 {buffer("a"), buffer("b"), buffer("c"), buffer("d"), argS32(n), argS32(k), argF32(0.5f), argF32(3)});
  program.expect("d", d);
  return program.write();
}
