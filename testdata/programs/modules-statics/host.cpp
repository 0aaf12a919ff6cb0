#include "host.hpp"

using host::s32, host::u32;

int main() {
  const int n = 64;
  const s32 one[4] = {1, 2, 3, 4}, two[6] = {-1, 7, -3, 11, 0, 2};
  host::Random random(39);
  std::vector<s32> values(n), shifted(n), stepped(n), out(n);
  for (int i = 0; i < n; i++) {
    values[i] = static_cast<s32>(random.below(100000)) - 50000;
    shifted[i] = values[i] + (i % 2 ? 70 : -7);
  }
  for (int i = 0; i < n; i++) {
    s32 x = shifted[63 - i];
    stepped[i] = x * one[static_cast<u32>(x) % 4] + 1;
  }
  for (int i = 0; i < n; i++) {
    s32 partner = stepped[i ^ 1];
    out[i] = stepped[i] + (partner ^ two[static_cast<u32>(partner) % 6]) + 1 + shifted[i];
  }
  host::Program program;
  program.input("values", values);
  program.zeros<u32>("before", 3);
  program.zeros<u32>("after", 3);
  program.launch("mix", {1}, {n}, {host::buffer("values")});
  program.launch("states", {1}, {1}, {host::buffer("before")});
  program.launch("states", {1}, {1}, {host::buffer("after")});
  program.expect("values", out);
  program.expect<u32>("before", {(1 + 2 * n) * 1000, (5 + 3 * n) * 1000 + 1, 63});
  program.expect<u32>("after", {(1 + 2 * n) * 1000, (5 + 3 * n) * 1000 + 1, 71});
  return program.write();
}
