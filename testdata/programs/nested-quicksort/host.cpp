#include "host.hpp"

using host::s32;

int main() {
  const int n = 700;
  host::Random random(17);
  std::vector<s32> data(n), sorted;
  for (auto& value : data) value = static_cast<s32>(random.below(1000)) - 500;
  sorted = data;
  std::sort(sorted.begin(), sorted.end());
  host::Program program;
  program.input("data", data);
  program.zeros<s32>("copy", n);
  program.zeros<s32>("out", 2);
  using host::argS32, host::buffer;
  program.launch("start", {1}, {1}, {buffer("data"), buffer("copy"), argS32(n), argS32(12)});
  program.launch("report", {1}, {1}, {buffer("out")});
  program.expect("data", sorted);
  program.expect("copy", sorted);
  program.expect<s32>("out", {1, 0});
  return program.write();
}
