#include "host.hpp"

using host::s32;

int main() {
  const int rows = 27;
  host::Random random(41);
  std::vector<s32> in(rows * 32), sums(32);
  std::vector<double> wide(64);
  std::vector<float> narrow(64);
  for (int i = 0; i < rows * 32; i++) {
    in[i] = static_cast<s32>(random.below(1000000));
    sums[i % 32] += in[i];
  }
  for (int i = 0; i < 64; i++) wide[i] = random.unit() / 3.0, narrow[i] = random.unit();
  host::Program program;
  program.input("in", in);
  program.input("wide", wide);
  program.input("narrow", narrow);
  program.zeros<s32>("sums", 32);
  program.zeros<double>("wideOut", 64);
  program.zeros<float>("narrowOut", 64);
  using host::buffer;
  program.launch("columnSums", {1}, {32}, {buffer("in"), host::argS32(rows), buffer("sums")});
  program.launch("reverse", {1}, {64}, {buffer("wide"), buffer("narrow"), buffer("wideOut"), buffer("narrowOut")});
  program.expect("sums", sums);
  program.expect("wideOut", std::vector<double>(wide.rbegin(), wide.rend()));
  program.expect("narrowOut", std::vector<float>(narrow.rbegin(), narrow.rend()));
  return program.write();
}
