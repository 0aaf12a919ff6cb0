#include "host.hpp"

using host::u32;

int main() {
  const int worlds = 4, generations = 20;
  host::Random random(33);
  std::vector<u32> rows(worlds * 32), after, population(worlds);
  for (auto& row : rows) row = random.next() & random.next();
  for (int i = 0; i < 32; i++) rows[i] = 0;
  rows[5] = 0x20, rows[6] = 0x10, rows[7] = 0x70;  // the first world has one glider
  for (int w = 0; w < worlds; w++) {
    bool cells[32][32], next[32][32];
    for (int y = 0; y < 32; y++)
      for (int x = 0; x < 32; x++) cells[y][x] = rows[w * 32 + y] >> x & 1;
    for (int g = 0; g < generations; g++) {
      for (int y = 0; y < 32; y++)
        for (int x = 0; x < 32; x++) {
          int neighbours = -cells[y][x];
          for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) neighbours += cells[(y + dy + 32) % 32][(x + dx + 32) % 32];
          next[y][x] = neighbours == 3 || (neighbours == 2 && cells[y][x]);
        }
      std::memcpy(cells, next, sizeof cells);
    }
    for (int y = 0; y < 32; y++) {
      u32 row = 0;
      for (int x = 0; x < 32; x++) row |= u32{cells[y][x]} << x;
      after.push_back(row);
      population[w] += static_cast<u32>(std::popcount(row));
    }
  }
  host::Program program;
  program.input("worlds", rows);
  program.zeros<u32>("population", worlds);
  program.launch("life", {worlds / 2}, {32, 2}, {host::buffer("worlds"), host::argS32(generations), host::buffer("population")});
  program.expect("worlds", after);
  program.expect("population", population);
  return program.write();
}
