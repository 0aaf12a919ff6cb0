#include "host.hpp"

using namespace host;

constexpr int COUNT = 5000, BEYOND = 5100, W = 20, H = 13, PITCH = 128;

int main() {
  Random random(8);
  std::vector<u8> bytes(COUNT + 500);
  std::vector<u32> counts(256);
  for (auto& b : bytes) b = static_cast<u8>(random.below(20) * random.below(13));
  // What lies behind the texture's end reads as 0.
  for (int i = 0; i < BEYOND; i++) counts[i < COUNT ? bytes[i] : 0]++;
  std::vector<std::int16_t> picture(PITCH / 2 * H);
  for (auto& p : picture) p = static_cast<std::int16_t>(random.next());
  std::vector<s32> sums;
  for (int x = 0; x < W; x++) {
    s32 first = 0;
    u32 second = 0;
    for (int y = -2; y < H + 2; y++) {
      const std::int16_t* p = &picture[std::clamp(y, 0, H - 1) * (PITCH / 2) + 2 * x];
      first += p[0];
      second = second * 3 + static_cast<u32>(static_cast<s32>(p[1]));
    }
    sums.push_back(first);
    sums.push_back(static_cast<s32>(second));
  }
  Program program;
  program.input("bytes", bytes);
  program.input("picture", picture);
  program.zeros<u32>("counts", 256);
  program.zeros<s32>("sums", sums.size());
  program.texture("linear", "\"buffer\": \"bytes\", \"format\": \"u8\", \"channels\": 1, \"width\": 5000");
  program.texture("pitched", "\"buffer\": \"picture\", \"format\": \"s16\", \"channels\": 2, \"width\": 20, \"height\": 13, \"pitch\": 128");
  program.launch("histogram", {3}, {256}, {texture("linear"), buffer("counts"), argS32(BEYOND)});
  program.launch("columns", {1}, {32}, {texture("pitched"), buffer("sums"), argS32(W), argS32(H)});
  program.expect("counts", counts);
  program.expect("sums", sums);
  return program.write();
}
