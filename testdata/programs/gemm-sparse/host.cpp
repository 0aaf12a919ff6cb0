#include "host-matrix.hpp"

int main() {
  const int m = 32, n = 40, k = 128;
  host::Random random(149);
  host::Matrix a(random, m, k, 100), b(random, k, n, 60), pruned = a;
  for (int row = 0; row < m; row++)
    for (int k0 = 0; k0 < k; k0 += 4) {
      std::array<int, 4> order = {0, 1, 2, 3};
      std::stable_sort(order.begin(), order.end(), [&](int x, int y) { return std::abs(a(row, k0 + x)) > std::abs(a(row, k0 + y)); });
      pruned(row, k0 + order[2]) = pruned(row, k0 + order[3]) = 0;
    }
  host::Program program;
  program.input("a", a.stored(host::half));
  program.input("b", b.transposed().stored(host::half));
  program.zeros<host::f16>("kept", m * k / 2);
  program.zeros<host::u8>("places", m * k / 8);
  program.zeros<float>("c", m * n);
  using host::argS32, host::buffer;
  program.launch("prune", {m}, {k / 4}, {buffer("a"), buffer("kept"), buffer("places"), argS32(k)});
  program.launch("gemm", {n / 8, m / 16}, {32},
                 {buffer("kept"), buffer("places"), buffer("b"), buffer("c"), argS32(n), argS32(k)});
  program.expect("c", (pruned * b).stored(host::single));
  return program.write();
}
