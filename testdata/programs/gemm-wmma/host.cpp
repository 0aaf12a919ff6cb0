#include "host-matrix.hpp"

int main() {
  const int m = 32, n = 32, k = 48;
  host::Random random(157);
  host::Matrix a(random, m, k, 120), b(random, k, n, 120), c(random, m, n, 1000), product = a * b;
  auto wide = [](int value) { return static_cast<double>(value); };
  std::vector<float> d;
  for (int i = 0; i < m * n; i++)
    d.push_back(std::fmaf(1.5f, static_cast<float>(product.values[i]), -0.5f * static_cast<float>(c.values[i])));
  host::Program program;
  program.input("a16", a.stored(host::bfloat));
  program.input("b16", b.stored(host::bfloat));
  program.input("a32", a.stored(host::single));
  program.input("b32", b.transposed().stored(host::single));
  program.input("a64", a.stored(wide));
  program.input("b64", b.stored(wide));
  program.input("c", c.stored(host::single));
  program.zeros<float>("d", m * n);
  program.zeros<float>("product32", m * n);
  program.zeros<double>("product64", m * n);
  using host::argF32, host::argS32, host::buffer;
  program.launch("bfloatProduct", {n / 32, m / 32}, {64},
                 {buffer("a16"), buffer("b16"), buffer("c"), buffer("d"), argS32(n), argS32(k), argF32(1.5f), argF32(-0.5f)});
  program.launch("tf32Product", {n / 16, m / 16}, {32}, {buffer("a32"), buffer("b32"), buffer("product32"), argS32(n), argS32(k)});
  program.launch("doubleProduct", {n / 8, m / 8}, {32},
                 {buffer("a64"), buffer("b64"), buffer("product64"), argS32(m), argS32(n), argS32(k)});
  program.expect("d", d);
  program.expect("product32", product.stored(host::single));
  program.expect("product64", product.transposed().stored(wide));
  return program.write();
}
