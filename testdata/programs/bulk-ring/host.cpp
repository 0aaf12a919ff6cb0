#include "host.hpp"

using host::s32;

int main() {
  const int pieces = 83, piece = 128, blocks = 6, cluster = 2;
  host::Random random(11);
  std::vector<s32> in(pieces * piece), out(32, 0);
  for (auto& v : in) v = static_cast<s32>(random.next());
  for (int i = 0; i < pieces; i++)
    for (int k = 0; k < piece; k++) out[k % 32] = static_cast<s32>(static_cast<host::u32>(out[k % 32]) + static_cast<host::u32>(in[i * piece + k]));
  host::Program program;
  program.input("in", in);
  program.zeros<s32>("out", 32);
  using host::argS32, host::buffer;
  program.launch("sumPieces", {blocks}, {128}, {buffer("in"), argS32(pieces), buffer("out")}, 0, {cluster});
  program.expect("out", out);
  return program.write();
}
