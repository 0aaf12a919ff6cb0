#include "host-matrix.hpp"

int main() {
  const int m = 128, n = 64, k = 96;
  host::Random random(101);
  host::Matrix a(random, m, k, 60), b(random, k, n, 60);
  host::Program program;
  program.input("a", a.stored(host::half));
  program.input("b", b.stored(host::half));
  program.zeros<float>("c", m * n);
  using host::argS32, host::buffer;
  program.launch("gemm", {n / 32, m / 64}, {128}, {buffer("a"), buffer("b"), buffer("c"), argS32(n), argS32(k)});
  program.expect("c", (a * b).stored(host::single));
  return program.write();
}
