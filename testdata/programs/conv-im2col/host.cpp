#include "host-half.hpp"

int main() {
  const int pictures = 2, height = 7, width = 9, channels = 32, filters = 16, pixels = pictures * height * width;
  host::Random random(193);
  auto whole = [&](int range) { return static_cast<int>(random.below(static_cast<host::u32>(2 * range + 1))) - range; };
  auto stored = [](const std::vector<int>& values) {
    std::vector<host::u16> out;
    for (int value : values) out.push_back(host::Bfloat::encode(value));
    return out;
  };
  std::vector<int> in(pixels * channels), weights(filters * 9 * channels);
  std::vector<float> out;
  for (auto& v : in) v = whole(30);
  for (auto& v : weights) v = whole(30);
  for (int picture = 0; picture < pictures; picture++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        for (int filter = 0; filter < filters; filter++) {
          int sum = 0;
          for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++)
              for (int c = 0; c < channels; c++)
                if (y + v >= 0 && y + v < height && x + u >= 0 && x + u < width)
                  sum += in[((picture * height + y + v) * width + x + u) * channels + c] *
                         weights[(filter * 9 + (v + 1) * 3 + u + 1) * channels + c];
          out.push_back(static_cast<float>(sum));
        }
  host::Program program;
  program.input("in", stored(in));
  program.input("weights", stored(weights));
  program.zeros<float>("out", out.size());
  program.tensorMap("inMap", "\"buffer\": \"in\", \"type\": \"bf16\", \"mode\": \"im2col\", \"dims\": [32, 9, 7, 2], "
                             "\"lowerCorner\": [-1, -1], \"upperCorner\": [-1, -1], \"channelsPerPixel\": 32, \"pixelsPerColumn\": 64, "
                             "\"swizzle\": \"64B\"");
  program.tensorMap("weightMap", "\"buffer\": \"weights\", \"type\": \"bf16\", \"dims\": [32, 9, 16], \"box\": [32, 1, 16], \"swizzle\": \"64B\"");
  using host::argS32, host::buffer, host::tensorMap;
  program.launch("convolve", {(pixels + 63) / 64}, {128},
                 {tensorMap("inMap"), tensorMap("weightMap"), buffer("out"), argS32(width), argS32(height), argS32(pixels)});
  program.expect("out", out);
  return program.write();
}
