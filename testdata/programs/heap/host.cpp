#include "host.hpp"

using host::s32;

int main() {
  const int threads = 32, n = 12, length = 50;
  host::Random random(43);
  std::vector<s32> in(threads * n), sorted;
  for (auto& v : in) v = static_cast<s32>(random.below(100)) - 50;
  sorted = in;
  for (int t = 0; t < threads; t++) std::sort(sorted.begin() + t * n, sorted.begin() + (t + 1) * n);
  const s32 sum = (length - 1) * length * (2 * length - 1) / 6;
  std::vector<host::u8> copy(100, 0x5a);
  std::memcpy(&copy[10], &sum, 4);
  host::Program program;
  program.input("in", in);
  program.zeros<s32>("sorted", in.size());
  program.zeros<s32>("sum", 1);
  program.zeros<host::u8>("copy", 100);
  using host::argS32, host::buffer;
  program.launch("treeSort", {1}, {threads}, {buffer("in"), argS32(n), buffer("sorted")});
  program.launch("build", {1}, {1}, {argS32(length)});
  program.launch("consume", {1}, {1}, {buffer("sum"), buffer("copy")});
  program.expect("sorted", sorted);
  program.expect<s32>("sum", {sum});
  program.expect("copy", copy);
  return program.write();
}
