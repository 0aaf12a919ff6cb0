#include "host.hpp"

int main() {
  const int hA = 32, wA = 48, wB = 64;
  host::Random random(2009);
  std::vector<float> a(hA * wA), b(wA * wB), c(hA * wB, 0.0f), y(hA * wB);
  for (float& value : a) value = random.unit();
  for (float& value : b) value = random.unit();
  for (float& value : y) value = random.unit();
  for (int row = 0; row < hA; row++)
    for (int column = 0; column < wB; column++)
      for (int k = 0; k < wA; k++)
        c[row * wB + column] = std::fmaf(a[row * wA + k], b[k * wB + column], c[row * wB + column]);
  const int n = hA * wB - 5;
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<float>("c", hA * wB);
  program.input("y", y);
  using host::buffer;
  program.launch("_Z9matrixMulPKfS0_Pfii", {wB / 16, hA / 16}, {16, 16},
                 {buffer("a"), buffer("b"), buffer("c"), host::argS32(wA), host::argS32(wB)});
  program.launch("_Z5saxpyifPKfPf", {(n + 63) / 64}, {64},
                 {host::argS32(n), host::argF32(0.75f), buffer("c"), buffer("y")});
  for (int i = 0; i < n; i++) {
    const float scaled = c[i] * 0.75f;
    y[i] = scaled + y[i];
  }
  program.expect("c", c);
  program.expect("y", y);
  return program.write();
}
