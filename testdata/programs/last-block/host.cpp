#include "host.hpp"

static float summed(const std::vector<float>& in, std::size_t blocks) {
  float total = 0;
  for (std::size_t block = 0; block < blocks; block++) {
    std::vector<float> level(64);
    for (std::size_t t = 0; t < 64; t++)
      for (std::size_t i = block * 64 + t; i < in.size(); i += blocks * 64) level[t] += in[i];
    while (level.size() > 1) {
      std::size_t half = level.size() / 2;
      for (std::size_t t = 0; t < half; t++) level[t] += level[t + half];
      level.resize(half);
    }
    total += level[0];
  }
  return total;
}

int main() {
  const int n = 3000;
  host::Random random(34);
  std::vector<float> in(n);
  for (auto& v : in) v = random.unit() - 0.25f;
  host::Program program;
  program.input("in", in);
  for (unsigned blocks : {7u, 12u}) {
    std::string out = "sum" + std::to_string(blocks);
    program.zeros<float>(out, 1);
    program.launch("sum", {blocks}, {64}, {host::buffer("in"), host::argS32(n), host::buffer(out)});
    program.expect<float>(out, {summed(in, blocks)});
  }
  program.expectSymbol<host::u32>("ticket", {0});
  program.expectSymbol<host::u32>("finished", {2, 12});
  return program.write();
}
