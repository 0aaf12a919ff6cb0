#include "host.hpp"

using host::u32, host::u64;

int main() {
  const u64 modulus = 998244353;
  const int pairs = 2, length = 128;
  host::Random random(229);
  std::vector<u32> a(pairs * length), b(pairs * length), out(pairs * 2 * length);
  for (auto* values : {&a, &b})
    for (auto& v : *values) v = random.below(static_cast<u32>(modulus));
  for (int pair = 0; pair < pairs; pair++)
    for (int i = 0; i < length; i++)
      for (int j = 0; j < length; j++) {
        u32& to = out[pair * 2 * length + i + j];
        to = static_cast<u32>((to + static_cast<u64>(a[pair * length + i]) * b[pair * length + j]) % modulus);
      }
  u64 square = (u64{1} << 32) % modulus;
  square = square * square % modulus;
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<u32>("out", out.size());
  using host::argU32, host::buffer;
  program.launch("convolve", {pairs}, {128}, {buffer("a"), buffer("b"), buffer("out"), argU32(static_cast<u32>(square))});
  program.expect("out", out);
  return program.write();
}
