#include "host.hpp"

int main() {
  const int width = 44, height = 29, steps = 6;
  host::Random random(8);
  std::vector<float> grid(width * height);
  for (auto& v : grid) v = random.unit() * 10;
  host::Program program;
  program.input("a", grid);
  program.zeros<float>("b", grid.size());
  program.zeros<host::s32>("change", steps);
  std::vector<host::s32> change(steps);
  using host::argS32, host::buffer;
  for (int step = 0; step < steps; step++) {
    const char* from = step % 2 ? "b" : "a";
    const char* to = step % 2 ? "a" : "b";
    program.launch("relax", {3, 4}, {16, 8},
                   {buffer(from), buffer(to), argS32(width), argS32(height), buffer("change", step * 4u)});
    std::vector<float> old = grid;
    float largest = 0;
    for (int y = 1; y < height - 1; y++)
      for (int x = 1; x < width - 1; x++) {
        int i = y * width + x;
        grid[i] = ((old[i - width] + old[i + width]) + (old[i - 1] + old[i + 1])) * 0.25f;
        largest = std::max(largest, std::fabs(grid[i] - old[i]));
      }
    change[step] = std::bit_cast<host::s32>(largest);
  }
  static_assert(steps % 2 == 0);
  program.expect("a", grid);
  program.expect("change", change);
  return program.write();
}
