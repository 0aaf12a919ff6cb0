#include "host-matrix.hpp"

int main() {
  const int m = 48, n = 32, k = 112, blocks = 10;
  host::Random random(167);
  host::Matrix a(random, m, k, 40), b(random, k, n, 40);
  // The steps of each tile that blocks with a part of it counted; a block that has all of them counts nothing.
  const int perTile = k / 16, tiles = m / 16 * n / 16, share = (tiles * perTile + blocks - 1) / blocks;
  std::vector<host::u32> arrived(tiles);
  for (int tile = 0; tile < tiles; tile++)
    if (tile * perTile / share != (tile * perTile + perTile - 1) / share) arrived[tile] = perTile;
  host::Program program;
  program.input("a", a.stored(host::half));
  program.input("b", b.stored(host::half));
  program.zeros<float>("c", m * n);
  program.zeros<float>("workspace", m * n);
  program.zeros<host::u32>("arrived", tiles);
  using host::argS32, host::buffer;
  program.launch("gemm", {blocks}, {32},
                 {buffer("a"), buffer("b"), buffer("c"), buffer("workspace"), buffer("arrived"), argS32(m), argS32(n), argS32(k)});
  program.expect("c", (a * b).stored(host::single));
  program.expect("arrived", arrived);
  return program.write();
}
