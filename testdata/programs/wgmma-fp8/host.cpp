#include "host-matrix.hpp"

int main() {
  const int m = 64, n = 32, k = 256;
  host::Random random(137);
  host::Matrix a(random, m, k, 9), b(random, k, n, 4);  // sums of 64 products stay below 2^12
  const std::vector<float> scales = {1.0f, 0.3f, 17.0f, 1e-3f};
  std::vector<float> c;
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      float sum = 0;
      for (int block = 0; block < 4; block++) {
        int part = 0;
        for (int i = block * 64; i < block * 64 + 64; i++) part += a(row, i) * b(i, column);
        sum = std::fmaf(static_cast<float>(part), scales[block], sum);
      }
      c.push_back(sum);
    }
  host::Program program;
  program.input("a", a.stored(host::e4m3));
  program.input("b", b.transposed().stored(host::e5m2));
  program.input("scales", scales);
  program.zeros<float>("c", m * n);
  program.tensorMap("aMap", "\"buffer\": \"a\", \"type\": \"u8\", \"dims\": [256, 64], \"box\": [128, 64], \"swizzle\": \"128B\"");
  program.tensorMap("bMap", "\"buffer\": \"b\", \"type\": \"u8\", \"dims\": [256, 32], \"box\": [128, 16], \"swizzle\": \"128B\"");
  using host::argS32, host::buffer, host::tensorMap;
  program.launch("gemm", {n / 16}, {128}, {tensorMap("aMap"), tensorMap("bMap"), buffer("scales"), buffer("c"), argS32(n), argS32(k)});
  program.expect("c", c);
  return program.write();
}
