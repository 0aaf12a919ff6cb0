#include "host.hpp"

int main() {
  const int n = 96;
  host::Random random(5);
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (auto& v : a) v = random.unit() - 0.5f;
  for (auto& v : b) v = random.unit() - 0.5f;
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      float sum = 0;
      for (int k = 0; k < n; k++) sum = std::fmaf(a[row * n + k], b[k * n + column], sum);
      c[row * n + column] = sum;
    }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<float>("c", n * n);
  using host::argS32, host::buffer;
  program.launch("matmul", {3, 3}, {128}, {buffer("a"), buffer("b"), buffer("c"), argS32(n)});
  program.expect("c", c);
  return program.write();
}
