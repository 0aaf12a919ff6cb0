#include "host.hpp"

using host::u32;

int main() {
  const int n = 32;
  host::Random random(21);
  std::vector<float> slopes(n);
  std::vector<u32> pairs(2 * n), out;
  for (float& slope : slopes) slope = random.unit() * 8;
  for (u32& word : pairs) word = random.next();
  const u32 scale[] = {3, 5, 7};
  for (int i = 0; i < n; i++) {
    out.push_back(std::bit_cast<u32>(slopes[i] + 0.25f));
    out.push_back(std::bit_cast<u32>(slopes[2]));
    out.push_back(pairs[2 * i] * scale[i % 3] + pairs[2 * i + 1]);
  }
  host::Program program;
  program.symbol("slopes", slopes);
  program.symbol("pairs", pairs);
  program.zeros<u32>("out", 3 * n);
  program.launch("combine", {1}, {n}, {host::buffer("out")});
  program.expect("out", out);
  return program.write();
}
