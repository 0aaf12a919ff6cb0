#include "host.hpp"

using host::u32;

int main() {
  const int n = 2000;
  const unsigned blocks = (n + 255) / 256;
  host::Random random(4);
  std::vector<u32> in(n), out(n), totals(blocks), offsets(blocks);
  u32 running = 0;
  for (int i = 0; i < n; i++) {
    in[i] = random.next();  // large enough that the sum wraps
    if (i % 256 == 0) offsets[i / 256] = running;
    out[i] = running;
    running += in[i];
    totals[i / 256] += in[i];
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("out", n);
  program.zeros<u32>("totals", blocks);
  program.zeros<u32>("offsets", blocks);
  using host::argS32, host::argU64, host::buffer;
  program.launch("scanBlocks", {blocks}, {128}, {buffer("in"), buffer("out"), buffer("totals"), argS32(n)});
  program.launch("scanBlocks", {1}, {128}, {buffer("totals"), buffer("offsets"), argU64(0), argS32(blocks)});
  program.launch("addTotals", {blocks}, {256}, {buffer("out"), buffer("offsets"), argS32(n)});
  program.expect("out", out);
  program.expect("totals", totals);
  program.expect("offsets", offsets);
  return program.write();
}
