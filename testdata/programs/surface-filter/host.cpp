#include "host.hpp"

using namespace host;

constexpr int W = 37, H = 29, SIZE = 16;

int main() {
  Random random(12);
  std::vector<u8> source(W * H * 4), target(W * H * 4);
  for (auto& p : source) p = static_cast<u8>(random.below(256));
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      for (int c = 0; c < 4; c++) {
        int sum = 0;
        for (int dy = -1; dy <= 1; dy++)
          for (int dx = -1; dx <= 1; dx++) {
            int i = x + dx, j = y + dy;
            bool inside = i >= 0 && i < W && j >= 0 && j < H;
            if (c < 2 || inside) sum += source[(std::clamp(j, 0, H - 1) * W + std::clamp(i, 0, W - 1)) * 4 + c];
          }
        target[(y * W + x) * 4 + c] = static_cast<u8>(sum / 9);
      }
  std::vector<float> cube(6 * SIZE * SIZE);
  for (int face = 0; face < 6; face++)
    for (int y = 0; y < SIZE; y++)
      for (int x = 0; x < SIZE; x++) {
        const u8* p = &target[(y * W + x + face) * 4];
        cube[(face * SIZE + y) * SIZE + x] = static_cast<float>(p[0] + p[1] + p[2]) / 4.0f;
      }
  float* top = &cube[2 * SIZE * SIZE];
  float* bottom = &cube[3 * SIZE * SIZE];
  for (int i = 0; i < SIZE * SIZE; i++) std::swap(top[i], bottom[SIZE * SIZE - 1 - i]);

  Program program;
  program.image("source", "\"kind\": \"2d\", \"width\": 37, \"height\": 29", 4, source);
  program.image("target", "\"kind\": \"2d\", \"width\": 37, \"height\": 29", 4, std::vector<u8>(source.size()));
  program.image("cube", "\"kind\": \"cube\", \"width\": 16, \"height\": 16", 1, std::vector<float>(cube.size()));
  program.texture("picture", "\"image\": \"target\"");
  for (const char* name : {"source", "target", "cube"}) program.surface(name, name);
  program.launch("blur", {(W + 15) / 16, (H + 7) / 8}, {16, 8}, {surface("source"), surface("target"), argS32(W), argS32(H)});
  program.launch("project", {6}, {SIZE, SIZE}, {texture("picture"), surface("cube"), argS32(SIZE)});
  program.launch("turn", {1}, {SIZE, SIZE}, {surface("cube"), argS32(SIZE)});
  program.expectImage("target", target);
  program.expectImage("cube", cube);
  return program.write();
}
