#include "host.hpp"

int main() {
  const int threads = 128, blocks = 9, n = threads * blocks - 37;
  host::Random random(2010);
  std::vector<host::u32> in(threads * blocks), sums(blocks, 0), reversed(1024);
  for (host::u32& value : in) value = random.below(1000000);
  host::u32 largest = 0;
  for (int i = 0; i < n; i++) sums[i / threads] += in[i];
  for (host::u32 sum : sums) largest = std::max(largest, sum);
  for (int i = 0; i < 1024; i++) reversed[i] = in[(i & ~7) + 7 - (i & 7)];
  host::Program program;
  program.input("in", in);
  program.zeros<host::u32>("sums", blocks);
  program.zeros<host::u32>("reversed", 1024);
  using host::buffer;
  program.launch("_Z6reducePKjPji", {blocks}, {threads}, {buffer("in"), buffer("sums"), host::argU32(n)});
  program.launch("_Z7reversePKjPj", {1}, {128}, {buffer("in"), buffer("reversed")});
  program.expect("sums", sums);
  program.expect("reversed", reversed);
  program.expect("symbol:largest", std::vector<host::u32>{largest});
  return program.write();
}
