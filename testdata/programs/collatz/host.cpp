#include "host.hpp"

int main() {
  const unsigned first = 113300, n = 256;  // 113383 climbs beyond 31 bits
  std::vector<host::u32> steps(n);
  host::u64 highest = 0;
  for (unsigned i = 0; i < n; i++) {
    for (host::u64 value = first + i; value != 1; steps[i]++) {
      highest = std::max(highest, value);
      value = value % 2 == 0 ? value / 2 : value * 3 + 1;
    }
  }
  host::Program program;
  program.zeros<host::u32>("steps", n);
  program.zeros<host::u64>("highest", 1);
  program.launch("collatz", {4}, {64}, {host::argU32(first), host::buffer("steps"), host::buffer("highest")});
  program.expect("steps", steps);
  program.expect<host::u64>("highest", {highest});
  return program.write();
}
