#include "host-texture.hpp"

using namespace host;

constexpr int SIZE = 16, LEVELS = 3, WIDTH = 100, ROWS = 12;

std::vector<float> levels[LEVELS];

/** A texel of a level, wrapped in x and clamped in y, weighed: all sums are exact in doubles. */
double filtered(int level, float u, float v, int total) {
  int n = SIZE >> level;
  Taps tx = taps(inTexels(u, n, true), n, Mode::wrap), ty = taps(inTexels(v, n, true), n, Mode::clamp);
  auto weights = shared(total, tx.fraction, ty.fraction);
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += weights[k] * static_cast<double>(levels[level][(k & 2 ? ty.second : ty.first) * n + (k & 1 ? tx.second : tx.first)]);
  return sum;
}

int main() {
  Random random(77);
  std::vector<float> all;
  for (int level = 0; level < LEVELS; level++) {
    int n = SIZE >> level;
    for (int i = 0; i < n * n; i++) levels[level].push_back(static_cast<float>(random.below(4096)) / 64 - 20);
    all.insert(all.end(), levels[level].begin(), levels[level].end());
  }
  std::vector<float> expected;
  for (int y = 0; y < ROWS; y++)
    for (int x = 0; x < WIDTH; x++) {
      float u = static_cast<float>(x) / 37.0f - 0.25f, v = static_cast<float>(y) / 16.0f;
      // Bias 0.5, at least level 0.25.
      int lod = static_cast<int>((static_cast<float>(y) * 0.375f - 0.5f) * 256) + 128;
      int level = std::clamp(std::max(64, lod), 0, 256 * (LEVELS - 1));
      int fraction = level & 255;
      double sum = filtered(level >> 8, u, v, 256 - fraction);
      if (fraction) sum += filtered((level >> 8) + 1, u, v, fraction);
      expected.push_back(static_cast<float>(sum / 256));
      int nearest = (std::clamp(static_cast<int>((static_cast<float>(y) * 0.375f - 0.5f) * 256), 0, 256 * (LEVELS - 1)) + 128) >> 8;
      int n = SIZE >> nearest;
      int i = folded(static_cast<long>(std::floor(inTexels(u, n, true))), n, Mode::wrap);
      int j = folded(static_cast<long>(std::floor(inTexels(v, n, true))), n, Mode::clamp);
      expected.push_back(levels[nearest][j * n + i]);
    }
  Program program;
  program.image("picture", "\"kind\": \"2d\", \"width\": 16, \"height\": 16, \"levels\": 3", 1, all);
  program.texture("smooth",
                  "\"image\": \"picture\", \"address\": [\"wrap\", \"clamp\"], \"filter\": \"linear\", \"normalized\": true, "
                  "\"mip\": { \"filter\": \"linear\", \"bias\": 0.5, \"min\": 0.25 }");
  program.texture("sharp", "\"image\": \"picture\", \"address\": [\"wrap\", \"clamp\"], \"normalized\": true");
  program.zeros<float>("sampled", expected.size());
  program.launch("sample", {(WIDTH + 63) / 64, ROWS}, {64}, {texture("smooth"), texture("sharp"), buffer("sampled"), argS32(WIDTH)});
  program.expect("sampled", expected);
  return program.write();
}
