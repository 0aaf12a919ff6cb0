#include "host-half.hpp"
#include "host-texture.hpp"

using namespace host;

constexpr int W = 7, H = 6, D = 5, WIDTH = 50, ROWS = 30;
constexpr int LENGTH = 9, LAYERS = 3;

int main() {
  Random random(91);
  std::vector<float> volume(W * H * D);
  for (auto& v : volume) v = static_cast<float>(random.below(1024)) / 32;
  const float border = 2.5f;
  const std::array<float, 3> origin{-1.25f, 0.4f, -0.9f}, right{0.19f, 0.03f, 0.07f}, down{0.011f, 0.2f, 0.13f};
  std::vector<float> sliced;
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < WIDTH; x++) {
      Taps t[3];
      const int extent[3] = {W, H, D};
      for (int d = 0; d < 3; d++) {
        float u = right[d] * static_cast<float>(x) + down[d] * static_cast<float>(y);
        t[d] = taps(u + origin[d], extent[d], Mode::border);
      }
      double sum = 0;
      for (int s = 0; s < 2; s++) {
        auto weights = shared(s ? t[2].fraction : 256 - t[2].fraction, t[0].fraction, t[1].fraction);
        int k = s ? t[2].second : t[2].first;
        for (int p = 0; p < 4; p++) {
          int i = p & 1 ? t[0].second : t[0].first, j = p & 2 ? t[1].second : t[1].first;
          sum += weights[p] * static_cast<double>(i < 0 || j < 0 || k < 0 ? border : volume[(k * H + j) * W + i]);
        }
      }
      sliced.push_back(static_cast<float>(sum / 256));
    }
  // Halves that are whole numbers up to 2048, and 11 bits of their weighted sums.
  std::vector<u16> rows(LENGTH * LAYERS);
  std::vector<int> numbers(rows.size());
  for (std::size_t i = 0; i < rows.size(); i++) {
    numbers[i] = static_cast<int>(1024 + random.below(1024));
    rows[i] = static_cast<u16>(25 << 10 | (numbers[i] - 1024));
  }
  std::vector<float> planes(8 * 8 * LAYERS * 2);
  for (auto& v : planes) v = static_cast<float>(random.below(64)) - 32;
  std::vector<float> layered;
  for (int layer = 0; layer < LAYERS + 2; layer++)
    for (int i = 0; i < 64; i++) {
      int l = std::min(layer, LAYERS - 1);
      Taps t = taps(static_cast<float>(i) * 0.3125f, LENGTH, Mode::clamp);
      int sum = (256 - t.fraction) * numbers[l * LENGTH + t.first] + t.fraction * numbers[l * LENGTH + t.second];
      float along = static_cast<float>((sum + 128) >> 8);
      const float* pair = &planes[((l * 8 + (i >> 3)) * 8 + (i & 7)) * 2];
      layered.push_back(std::fmaf(pair[0], pair[1], along));
    }
  std::vector<f16> halves(rows.size());
  for (std::size_t i = 0; i < rows.size(); i++) halves[i] = {rows[i]};
  Program program;
  program.image("volume", "\"kind\": \"3d\", \"width\": 7, \"height\": 6, \"depth\": 5", 1, volume);
  program.image("rows", "\"kind\": \"1dLayered\", \"width\": 9, \"layers\": 3", 1, halves);
  program.image("planes", "\"kind\": \"2dLayered\", \"width\": 8, \"height\": 8, \"layers\": 3", 2, planes);
  program.texture("volume", "\"image\": \"volume\", \"address\": \"border\", \"border\": [2.5, 0, 0, 0], \"filter\": \"linear\"");
  program.texture("rows", "\"image\": \"rows\", \"filter\": \"linear\"");
  program.texture("planes", "\"image\": \"planes\"");
  program.zeros<float>("sliced", sliced.size());
  program.zeros<float>("layered", layered.size());
  program.launch("slice", {ROWS}, {64}, {texture("volume"), buffer("sliced"), argS32(WIDTH), argBytes(origin), argBytes(right), argBytes(down)});
  program.launch("layers", {LAYERS + 2}, {64}, {texture("rows"), texture("planes"), buffer("layered")});
  program.expect("sliced", sliced);
  program.expect("layered", layered);
  return program.write();
}
