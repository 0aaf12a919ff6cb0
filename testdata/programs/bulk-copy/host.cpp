#include "host.hpp"

using host::s32;

int main() {
  const int tiles = 3, factor = -7;
  std::vector<s32> out(tiles * 256);
  for (int i = 0; i < tiles * 256; i++) out[i] = i * factor + i / 256;
  host::Program program;
  program.iota<s32>("in", tiles * 256);
  program.zeros<s32>("out", tiles * 256);
  program.launch("scaleTiles", {1}, {64}, {host::buffer("in"), host::buffer("out"), host::argS32(tiles), host::argS32(factor)});
  program.expect("out", out);
  return program.write();
}
