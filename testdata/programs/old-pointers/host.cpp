#include "host.hpp"

using host::u32;

int main() {
  const int n = 32;
  const u32 pointed[] = {11, 33, 5, 66};
  std::vector<u32> out;
  for (int i = 0; i < n; i++) {
    const u32 value = pointed[i % 4];
    out.push_back(i / 4 % 2 == 0 ? value * 2 : value * value);
    out.push_back(2);
  }
  host::Program program;
  program.zeros<u32>("out", 2 * n);
  program.launch("follow", {1}, {n}, {host::buffer("out")});
  program.expect("out", out);
  program.expectSymbol<u32>("counter", {5});
  return program.write();
}
