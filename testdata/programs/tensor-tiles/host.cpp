#include "host.hpp"

using host::u32;

int main() {
  const int width = 92, height = 60;  // neither is a multiple of the tile
  host::Random random(77);
  std::vector<u32> in(width * height), out(height * width, 0), sum(32 * 32, 0);
  for (auto& v : in) v = random.next();
  auto at = [&](int x, int y) { return x >= 0 && x < width && y < height ? in[y * width + x] : 0u; };
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) out[x * height + y] = at(x, y);
  for (int tileY = 0; tileY < 2; tileY++)
    for (int tileX = 0; tileX < 3; tileX++)
      for (int i = 0; i < 32 * 32; i++) sum[i] += at(tileX * 32 + i / 32, tileY * 32 + i % 32);
  std::vector<u32> many(8 * 256);
  for (int block = 0; block < 8; block++)
    for (int i = 0; i < 256; i++)
      many[block * 256 + i] = at(block / 4 * 32 - 4 + i % 32, 6 + i / 32) * static_cast<u32>(block % 4 + 1);
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("out", out.size());
  program.zeros<u32>("sum", sum.size());
  program.zeros<u32>("many", many.size());
  const std::string tile = ", \"box\": [32, 32], \"swizzle\": \"128B\"";
  program.tensorMap("inMap", "\"buffer\": \"in\", \"type\": \"u32\", \"dims\": [92, 60]" + tile);
  program.tensorMap("outMap", "\"buffer\": \"out\", \"type\": \"u32\", \"dims\": [60, 92]" + tile);
  program.tensorMap("sumMap", "\"buffer\": \"sum\", \"type\": \"u32\", \"dims\": [32, 32]" + tile);
  program.tensorMap("strip", "\"buffer\": \"in\", \"type\": \"u32\", \"dims\": [92, 60], \"box\": [32, 8]");
  using host::buffer, host::tensorMap;
  program.launch("transpose", {3, 2}, {128}, {tensorMap("inMap"), tensorMap("outMap"), tensorMap("sumMap")});
  program.launch("spread", {8}, {64}, {tensorMap("strip"), buffer("many")});
  program.expect("out", out);
  program.expect("sum", sum);
  program.expect("many", many);
  return program.write();
}
