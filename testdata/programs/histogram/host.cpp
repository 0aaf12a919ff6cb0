#include "host.hpp"

int main() {
  const unsigned n = 8001;
  host::Random random(5);
  std::vector<host::u8> text(n);
  std::vector<host::u32> counts(256);
  for (auto& c : text) {
    c = static_cast<host::u8>(random.below(16) * random.below(17));  // uneven, with many zeros
    counts[c]++;
  }
  host::Program program;
  program.input("text", text);
  program.zeros<host::u32>("counts", 256);
  program.launch("histogram", {4}, {256}, {host::buffer("text"), host::argU32(n), host::buffer("counts")});
  program.expect("counts", counts);
  return program.write();
}
