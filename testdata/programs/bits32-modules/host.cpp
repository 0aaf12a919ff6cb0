#include "host.hpp"

int main() {
  host::Program program;
  program.zeros<host::u32>("out", 10);
  program.launch("modules", {1}, {1}, {host::buffer("out")});
  // 6 * 7, 6 + 7; values[0], values[2], scale, the definition of `chosen` that is not weak; values[1]; scratch[0] + 1; the heap's
  // word; arguments that printf took.
  program.expect("out", std::vector<host::u32>{42, 13, 11, 33, 3, 55, 22, 21, 77, 5});
  program.print("3 three -5 5000000000 1.25\n");
  return program.write();
}
