#include "host-matrix.hpp"

int main() {
  const int m = 64, n = 128, k = 64;
  host::Random random(139);
  host::Matrix weights(random, m, k, 127), b(random, k, n, 100);
  host::Program program;
  program.input("weights", weights.stored(host::byte));
  program.input("b", b.stored(host::bfloat));
  program.zeros<float>("c", m * n);
  program.tensorMap("bMap", "\"buffer\": \"b\", \"type\": \"bf16\", \"dims\": [128, 64], \"box\": [64, 32], \"swizzle\": \"128B\"");
  using host::argS32, host::buffer, host::tensorMap;
  program.launch("gemm", {n / 64}, {128}, {buffer("weights"), tensorMap("bMap"), buffer("c"), argS32(n), argS32(k)});
  program.expect("c", (weights * b).stored(host::single));
  return program.write();
}
