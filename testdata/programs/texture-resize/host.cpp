#include "host-texture.hpp"

using namespace host;

constexpr int W = 24, H = 17, OUT_W = 61, OUT_H = 40, TILE_W = 112, TILE_H = 64;

int main() {
  Random random(31);
  std::vector<u8> pixels(W * H * 4);
  for (auto& p : pixels) p = static_cast<u8>(random.below(256));
  float scaleX = static_cast<float>(W) / OUT_W, scaleY = static_cast<float>(H) / OUT_H;
  std::vector<float> resized(OUT_W * OUT_H * 4);
  for (int y = 0; y < OUT_H; y++)
    for (int x = 0; x < OUT_W; x++) {
      Taps tx = taps((static_cast<float>(x) + 0.5f) * scaleX, W, Mode::clamp);
      Taps ty = taps((static_cast<float>(y) + 0.5f) * scaleY, H, Mode::clamp);
      auto weights = shared(256, tx.fraction, ty.fraction);
      for (int c = 0; c < 4; c++) {
        int sum = 0;
        for (int k = 0; k < 4; k++) {
          int i = k & 1 ? tx.second : tx.first, j = k & 2 ? ty.second : ty.first;
          sum += weights[k] * pixels[(j * W + i) * 4 + c];
        }
        resized[(y * OUT_W + x) * 4 + c] = sumU8(sum);
      }
    }
  std::vector<u8> tiled(TILE_W * TILE_H * 4);
  for (int y = 0; y < TILE_H; y++)
    for (int x = 0; x < TILE_W; x++) {
      float u = (static_cast<float>(x) + 0.5f) / 32.0f - 1.0f, v = (static_cast<float>(y) + 0.5f) / 32.0f - 0.5f;
      int i = folded(static_cast<long>(std::floor(inTexels(u, W, true))), W, Mode::mirror);
      int j = folded(static_cast<long>(std::floor(inTexels(v, H, true))), H, Mode::mirror);
      for (int c = 0; c < 4; c++) tiled[(y * TILE_W + x) * 4 + c] = pixels[(j * W + i) * 4 + c];
    }
  Program program;
  program.image("picture", "\"kind\": \"2d\", \"width\": 24, \"height\": 17", 4, pixels);
  program.texture("smooth", "\"image\": \"picture\", \"filter\": \"linear\", \"read\": \"normalized\"");
  program.texture("mirrored", "\"image\": \"picture\", \"address\": \"mirror\", \"normalized\": true");
  program.zeros<float>("resized", resized.size());
  program.zeros<u8>("tiled", tiled.size());
  program.launch("resize", {(OUT_W + 15) / 16, (OUT_H + 15) / 16}, {16, 16},
                 {texture("smooth"), buffer("resized"), argS32(OUT_W), argS32(OUT_H), argF32(scaleX), argF32(scaleY)});
  program.launch("tile", {TILE_W / 16, TILE_H / 16}, {16, 16},
                 {texture("mirrored"), buffer("tiled"), argS32(TILE_W), argS32(TILE_H)});
  program.expect("resized", resized);
  program.expect("tiled", tiled);
  return program.write();
}
