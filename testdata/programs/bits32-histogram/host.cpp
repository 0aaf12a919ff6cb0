#include "host.hpp"

int main() {
  const host::u32 n = 5003;
  host::Random random(32);
  std::vector<host::u8> in(n);
  std::vector<host::u32> counts(256, 0), running(256, 0);
  for (host::u8& value : in) value = static_cast<host::u8>(random.below(200) + random.below(57));
  for (host::u8 value : in) counts[value]++;
  host::u32 sum = 0;
  for (int i = 0; i < 256; i++) running[i] = sum += counts[i];
  host::Program program;
  program.input("in", in);
  program.zeros<host::u32>("counts", 256);
  program.zeros<host::u32>("running", 256);
  using host::buffer;
  program.launch("_Z9histogramPKhPjj", {4}, {256}, {buffer("in"), buffer("counts"), host::argU32(n)});
  program.launch("_Z3runPKjPj", {1}, {1}, {buffer("counts"), buffer("running")});
  program.expect("counts", counts);
  program.expect("running", running);
  return program.write();
}
