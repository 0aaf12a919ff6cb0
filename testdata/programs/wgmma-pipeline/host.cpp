#include "host-matrix.hpp"

int main() {
  const int m = 128, n = 96, k = 128;
  host::Random random(131);
  host::Matrix a(random, m, k, 9), b(random, k, n, 9);
  host::Program program;
  program.input("a", a.stored(host::bfloat));
  program.input("b", b.transposed().stored(host::bfloat));
  program.zeros<host::u16>("d", m * n);
  const std::string type = "\", \"type\": \"bf16\", \"dims\": ";
  program.tensorMap("aMap", "\"buffer\": \"a" + type + "[128, 128], \"box\": [32, 128], \"swizzle\": \"64B\"");
  program.tensorMap("bMap", "\"buffer\": \"b" + type + "[128, 96], \"box\": [32, 32], \"swizzle\": \"64B\"");
  program.tensorMap("dMap", "\"buffer\": \"d" + type + "[96, 128], \"box\": [32, 64]");
  using host::argS32, host::tensorMap;
  const unsigned sharedBytes = 1024 + 3 * (128 + 32) * 64 + 2 * 64 * 64 + 1024;
  program.launch("gemm", {2}, {384}, {tensorMap("aMap"), tensorMap("bMap"), tensorMap("dMap"), argS32(3), argS32(3), argS32(k / 32)},
                 sharedBytes);
  program.expect("d", (a * b).stored(host::bfloat));
  return program.write();
}
