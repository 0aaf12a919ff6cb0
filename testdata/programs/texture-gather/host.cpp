#include "host-texture.hpp"

using namespace host;

constexpr int W = 21, H = 15, SIZE = 16, ACROSS = 48;

int main() {
  Random random(44);
  std::vector<float> picture(W * H * 4);
  for (auto& p : picture) p = static_cast<float>(random.below(1000)) / 8;
  const float border[4] = {1, 2, 3, 4};
  std::vector<float> edges;
  for (int y = 0; y <= H; y++)
    for (int x = 0; x <= W; x++)
      for (int c = 0; c < 4; c++) {
        auto at = [&](int i, int j) {
          return i < 0 || i >= W || j < 0 || j >= H ? border[c] : picture[(j * W + i) * 4 + c];
        };
        // x, y, z and w of a gather: lower left, lower right, upper right, upper left.
        float gx = at(x - 1, y), gy = at(x, y), gz = at(x, y - 1), gw = at(x - 1, y - 1);
        edges.push_back(std::fabs(gx - gz) + std::fabs(gy - gw));
      }
  std::vector<s32> numbers(SIZE * SIZE), largest;
  for (auto& n : numbers) n = static_cast<s32>(random.next()) >> 4;
  for (int y = 0; y < ACROSS; y++)
    for (int x = 0; x < ACROSS; x++) {
      float scale = 1.0f / SIZE;
      Taps tx = taps(inTexels(static_cast<float>(x) * scale, SIZE, true), SIZE, Mode::wrap);
      Taps ty = taps(inTexels(static_cast<float>(y) * scale, SIZE, true), SIZE, Mode::wrap);
      auto at = [&](int i, int j) { return numbers[j * SIZE + i]; };
      s32 gx = at(tx.first, ty.second), gy = at(tx.second, ty.second), gz = at(tx.second, ty.first), gw = at(tx.first, ty.first);
      largest.push_back(std::max(std::max(gx, gy), std::max(gz, gw)) * 2 + (gw > gy));
    }
  Program program;
  program.image("picture", "\"kind\": \"2d\", \"width\": 21, \"height\": 15, \"gather\": true", 4, picture);
  program.image("numbers", "\"kind\": \"2d\", \"width\": 16, \"height\": 16, \"gather\": true", 1, numbers);
  program.texture("picture", "\"image\": \"picture\", \"address\": \"border\", \"border\": [1, 2, 3, 4]");
  program.texture("numbers", "\"image\": \"numbers\", \"address\": \"wrap\", \"normalized\": true");
  program.zeros<float>("edges", edges.size());
  program.zeros<s32>("largest", largest.size());
  program.launch("edges", {1, H + 1}, {32}, {texture("picture"), buffer("edges"), argS32(W), argS32(H)});
  program.launch("largest", {ACROSS}, {ACROSS}, {texture("numbers"), buffer("largest"), argS32(SIZE)});
  program.expect("edges", edges);
  program.expect("largest", largest);
  return program.write();
}
