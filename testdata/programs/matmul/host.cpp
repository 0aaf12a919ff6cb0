#include "host.hpp"

int main() {
  const int m = 32, n = 48, k = 64;
  host::Random random(7);
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (auto& v : a) v = random.unit() - 0.5f;
  for (auto& v : b) v = random.unit() - 0.5f;
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      float sum = 0;
      for (int i = 0; i < k; i++) sum = std::fmaf(a[row * k + i], b[i * n + column], sum);
      c[row * n + column] = sum;
    }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<float>("c", c.size());
  using host::argS32, host::buffer;
  program.launch("matmul", {n / 16, m / 16}, {16, 16}, {buffer("a"), buffer("b"), buffer("c"), argS32(n), argS32(k)});
  program.expect("c", c);
  return program.write();
}
