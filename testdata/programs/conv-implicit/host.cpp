#include "host-half.hpp"

using host::f16, host::Half;

struct Shape {
  int height, width, outHeight, outWidth, stride, padding, dilation;
};

int main() {
  const int pictures = 2, channels = 16, filters = 16;
  host::Random random(191);
  auto whole = [&](int range) { return static_cast<int>(random.below(static_cast<host::u32>(2 * range + 1))) - range; };
  auto stored = [](const std::vector<int>& values) {
    std::vector<f16> out;
    for (int value : values) out.push_back({Half::encode(value)});
    return out;
  };
  const Shape shapes[] = {{9, 7, 9, 7, 1, 1, 1}, {9, 7, 4, 3, 2, 1, 2}};
  std::vector<int> in(pictures * 9 * 7 * channels), weights(filters * 9 * channels), bias(filters);
  for (auto& v : in) v = whole(3);
  for (auto& v : weights) v = whole(3);
  for (auto& v : bias) v = whole(100);
  host::Program program;
  program.input("in", stored(in));
  program.input("weights", stored(weights));
  program.input("bias", stored(bias));
  for (const Shape& s : shapes) {
    std::vector<int> out;
    for (int picture = 0; picture < pictures; picture++)
      for (int y = 0; y < s.outHeight; y++)
        for (int x = 0; x < s.outWidth; x++)
          for (int filter = 0; filter < filters; filter++) {
            int sum = bias[filter];
            for (int v = 0; v < 3; v++)
              for (int u = 0; u < 3; u++) {
                int fromY = y * s.stride - s.padding + v * s.dilation, fromX = x * s.stride - s.padding + u * s.dilation;
                if (fromY < 0 || fromY >= s.height || fromX < 0 || fromX >= s.width) continue;
                for (int c = 0; c < channels; c++)
                  sum += in[((picture * s.height + fromY) * s.width + fromX) * channels + c] * weights[(filter * 9 + v * 3 + u) * channels + c];
              }
            out.push_back(std::max(sum, 0));  // below 2048, and so exact
          }
    std::string name = s.stride == 1 ? "same" : "strided";
    int pixels = pictures * s.outHeight * s.outWidth;
    program.zeros<f16>(name, out.size());
    using host::argBytes, host::argS32, host::buffer;
    program.launch("convolve", {static_cast<unsigned>(pixels + 63) / 64}, {128},
                   {buffer("in"), buffer("weights"), buffer("bias"), buffer(name), argBytes(s), argS32(pixels)});
    program.expect(name, stored(out));
  }
  return program.write();
}
