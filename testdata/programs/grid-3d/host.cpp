#include "host.hpp"

using host::u32;

int main() {
  const host::Dim grid{3, 2, 4}, block{5, 3, 3};  // 45 threads: a full warp and 13 lanes of another
  std::vector<u32> out;
  for (u32 bz = 0; bz < grid.z; bz++)
    for (u32 by = 0; by < grid.y; by++)
      for (u32 bx = 0; bx < grid.x; bx++)
        for (u32 thread = 0; thread < block.x * block.y * block.z; thread++) {
          u32 x = thread % block.x, y = thread / block.x % block.y, z = thread / (block.x * block.y), lane = thread % 32;
          out.insert(out.end(), {x | y << 8 | z << 16, bx | by << 8 | bz << 16 | grid.z << 24, lane << 16 | 32, 0xffffffff, 1u << lane, 1});
        }
  host::Program program;
  program.zeros<u32>("out", out.size());
  program.launch("identify", grid, block, {host::buffer("out")});
  program.expect("out", out);
  return program.write();
}
