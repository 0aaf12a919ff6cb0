#include "host.hpp"

using host::s32, host::s64, host::u32;

int main() {
  const int blocks = 2, threads = 64, n = blocks * threads;
  const s64 modulus = 30011, generators[3][4] = {{1, 1, 1, 0}, {2, 5, 1, 3}, {0, 1, 30000, 7}};
  host::Random random(37);
  std::vector<u32> exponents(n);
  std::vector<s32> out(n * 4), sums(blocks);
  host::u64 products = 0;
  for (int i = 0; i < n; i++) {
    exponents[i] = random.below(1u << random.below(10));
    s64 m[4] = {1, 0, 0, 1};
    for (u32 k = 0; k < exponents[i]; k++) {  // one factor at a time
      const s64* g = generators[i % 3];
      s64 next[4] = {m[0] * g[0] + m[1] * g[2], m[0] * g[1] + m[1] * g[3], m[2] * g[0] + m[3] * g[2], m[2] * g[1] + m[3] * g[3]};
      for (int e = 0; e < 4; e++) m[e] = next[e] % modulus;
    }
    for (int e = 0; e < 4; e++) out[i * 4 + e] = static_cast<s32>(m[e]);
    products += static_cast<host::u64>(std::popcount(exponents[i]) + std::bit_width(exponents[i]));
    sums[i / threads] += out[i * 4];
  }
  for (int i = 0; i < n; i++) out[i * 4 + 3] = static_cast<s32>((out[i * 4 + 3] + out[i / threads * threads * 4 + 1]) % modulus);
  host::Program program;
  program.input("exponents", exponents);
  program.zeros<s32>("out", out.size());
  program.zeros<s32>("sums", blocks);
  program.launch("powers", {blocks}, {threads}, {host::buffer("exponents"), host::buffer("out"), host::buffer("sums")});
  program.expect("out", out);
  program.expect("sums", sums);
  program.expectSymbol<host::u64>("products", {products});
  return program.write();
}
