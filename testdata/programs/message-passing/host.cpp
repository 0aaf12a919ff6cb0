#include "host.hpp"

using host::s32;

int main() {
  const int blocks = 9, n = 100;
  host::Random random(44);
  std::vector<s32> values(blocks), sums(blocks), items(n);
  s32 running = 0, total = 0;
  host::u64 most = 0;
  for (int i = 0; i < blocks; i++) {
    values[i] = static_cast<s32>(random.below(1000));
    sums[i] = running += values[i] * values[i];
  }
  for (int i = 0; i < n; i++) {
    items[i] = static_cast<s32>(random.below(5000));
    total += items[i];
    most = std::max(most, static_cast<host::u64>(items[i]) * 0x200000000 + static_cast<host::u64>(i));
  }
  host::Program program;
  program.input("values", values);
  program.zeros<s32>("flags", blocks);
  program.zeros<s32>("sums", blocks);
  program.input("items", items);
  program.zeros<s32>("total", 1);
  program.zeros<host::u64>("most", 1);
  using host::buffer;
  program.launch("chain", {blocks}, {32}, {buffer("values"), buffer("flags"), buffer("sums")});
  program.launch("queue", {1}, {64}, {buffer("items"), host::argS32(n), buffer("total"), buffer("most")});
  program.expect("sums", sums);
  program.expect("flags", std::vector<s32>(blocks, 1));
  program.expect<s32>("total", {total});
  program.expect<host::u64>("most", {most});
  return program.write();
}
