#include "host.hpp"

using host::u32;

int main() {
  const int n = 64;
  host::Random random(30);
  std::vector<u32> in(n), sums(n), out;
  // All of the second warp are large.
  for (int i = 0; i < n; i++) in[i] = i < 32 ? random.below(1000) : 501 + random.below(400);
  for (int i = 0; i < n; i++) sums[i] = in[i] + (i % 32 == 0 ? 0 : sums[i - 1]);
  for (int i = 0; i < n; i++) {
    u32 ballot = 0;
    for (int lane = 0; lane < 32; lane++) ballot |= static_cast<u32>(in[i / 32 * 32 + lane] > 500) << lane;
    out.push_back((ballot == ~0u ? 1 : 0) | (ballot != ~0u ? 2 : 0) | (ballot == ~0u || ballot == 0 ? 4 : 0));
    out.push_back(ballot);
    out.push_back(sums[i]);
    out.push_back(sums[i ^ 1]);
    out.push_back(sums[31] + sums[63]);
    const float x = static_cast<float>(sums[i]);
    out.push_back(std::bit_cast<u32>(std::fmaf(x, static_cast<float>(ballot), x)));
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("out", 6 * n);
  using host::buffer;
  program.launch("exchange", {1}, {n}, {buffer("in"), buffer("out")});
  program.expect("out", out);
  return program.write();
}
