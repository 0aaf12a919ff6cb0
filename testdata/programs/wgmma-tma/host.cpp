#include "host-matrix.hpp"

int main() {
  const int m = 64, n = 32, k = 128;
  host::Random random(127);
  host::Matrix a(random, m, k, 50), b(random, k, n, 50);
  host::Program program;
  program.input("a", a.stored(host::half));
  program.input("b", b.transposed().stored(host::half));
  using host::argS32, host::buffer, host::tensorMap;
  for (int bytes : {32, 64, 128}) {
    std::string size = std::to_string(bytes), box = ", \"box\": [" + std::to_string(bytes / 2) + ", ";
    std::string rest = "], \"swizzle\": \"" + size + "B\"", halves = "\"type\": \"f16\", \"dims\": [128, ";
    program.zeros<float>("c" + size, m * n);
    program.tensorMap("a" + size, "\"buffer\": \"a\", " + halves + "64]" + box + "64" + rest);
    program.tensorMap("b" + size, "\"buffer\": \"b\", " + halves + "32]" + box + "32" + rest);
    program.launch("_Z4gemmILi" + size + "EEv14CUtensorMap_stS0_Pfii", {n / 32, m / 64}, {128},
                   {tensorMap("a" + size), tensorMap("b" + size), buffer("c" + size), argS32(n), argS32(k)});
  }
  for (const char* name : {"c32", "c64", "c128"}) program.expect(name, (a * b).stored(host::single));
  return program.write();
}
