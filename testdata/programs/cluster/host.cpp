#include "host.hpp"

using host::s32, host::u32;

int main() {
  const int n = 1500, pairs = 3;
  host::Random random(45);
  std::vector<host::u8> in(n);
  std::vector<u32> bins(128);
  for (auto& c : in) {
    c = static_cast<host::u8>(random.below(256) & random.below(256));
    bins[c % 128] += 2;  // two launches
  }
  std::vector<s32> values(pairs * 64), swapped(pairs * 64);
  for (auto& v : values) v = static_cast<s32>(random.below(1000));
  for (int i = 0; i < pairs * 64; i++) {
    int block = i / 32;
    swapped[i] = values[(block ^ 1) * 32 + 31 - i % 32] + block % 2 * 1000;
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("bins", 128);
  program.input("values", values);
  using host::argS32, host::buffer;
  program.launch("histogram", {4}, {64}, {buffer("in"), argS32(n), buffer("bins")}, 0, {4});
  program.launch("histogram", {4}, {32}, {buffer("in"), argS32(n), buffer("bins")}, 0, {2});
  program.launch("swapBlocks", {pairs * 2}, {32}, {buffer("values")});
  program.expect("bins", bins);
  program.expect("values", swapped);
  return program.write();
}
