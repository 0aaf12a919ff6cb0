#include "host-half.hpp"

using host::f16, host::Half;

int main() {
  const int m = 256, n = 128, k = 192;
  host::Random random(77);
  auto whole = [&](int range) { return static_cast<int>(random.below(static_cast<host::u32>(2 * range + 1))) - range; };
  std::vector<int> wholeA(m * k), wholeB(n * k);
  std::vector<f16> a(m * k), b(n * k);
  for (int i = 0; i < m * k; i++) a[i] = {Half::encode(wholeA[i] = whole(40))};
  for (int i = 0; i < n * k; i++) b[i] = {Half::encode(wholeB[i] = whole(40))};
  std::vector<float> bias(n), c(m * n);
  for (int i = 0; i < n; i++) bias[i] = static_cast<float>(whole(1000));
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      int sum = static_cast<int>(bias[column]);
      for (int i = 0; i < k; i++) sum += wholeA[row * k + i] * wholeB[column * k + i];
      c[row * n + column] = static_cast<float>(sum);
    }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("bias", bias);
  program.zeros<float>("c", c.size());
  using host::buffer;
  program.launch("gemm", {2, 2}, {128}, {buffer("a"), buffer("b"), buffer("bias"), buffer("c"), host::argS32(n), host::argS32(k)});
  program.expect("c", c);
  return program.write();
}
