#include "host.hpp"

using host::s32;

static void divide(std::vector<s32>& field, int width, int x, int y, int size, double weight, int& grids) {
  grids++;
  const int half = size / 2;
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++) {
      const int left = x + i * half, top = y + j * half;
      const double below = weight * 2 + j * 2 + i;
      if (half > 4) {
        divide(field, width, left, top, half, below, grids);
        continue;
      }
      for (int row = 0; row < half; row++)
        for (int column = 0; column < half; column++)
          field[(top + row) * width + left + column] += static_cast<s32>(below) + left + half - 1 - column;
    }
}

int main() {
  const int width = 32;
  std::vector<s32> field(width * width);
  int grids = 0;
  divide(field, width, 0, 0, width, 1.0, grids);
  s32 sum = 0;
  for (const s32 value : field) sum += value;
  // Of each grid all four threads count.
  const s32 counted = 4 * grids;
  host::Program program;
  program.zeros<s32>("field", field.size());
  program.zeros<s32>("counter", 1);
  program.zeros<host::u64>("kept", 1);
  program.zeros<s32>("out", 8);
  using host::argS32, host::buffer;
  program.launch("start", {1}, {1}, {buffer("field"), argS32(width), buffer("counter"), buffer("kept")});
  program.launch("questions", {1}, {1}, {buffer("kept"), buffer("out")});
  program.expect("field", field);
  program.expect<s32>("counter", {counted});
  program.expect<s32>("out", {sum, 1024, 2, 32, 9, 9, 9, 0});
  char text[100];
  std::snprintf(text, sizeof text, "sum %d of %d grids\n", sum, counted);
  program.print(std::string(text) + "cudaErrorInvalidConfiguration: invalid configuration argument\n");
  return program.write();
}
