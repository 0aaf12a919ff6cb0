#include "host.hpp"

using host::s32, host::u32, host::u8;

int main() {
  host::Random random(197);
  std::vector<s32> in(16 * 64), out;
  for (auto& v : in) v = static_cast<s32>(random.next()) >> 8;
  for (int block = 0; block < 16; block++) {
    auto from = in.begin() + block / 8 * 512;
    s32 sum = 0;
    for (int i = 0; i < 512; i++) sum = static_cast<s32>(static_cast<u32>(sum) + static_cast<u32>(from[i]) * static_cast<u32>(i / 64 + 1));
    out.insert(out.end(), {sum, *std::min_element(from, from + 512), *std::max_element(from, from + 512)});
  }
  const int cells = 6 * 64, steps = 9;
  std::vector<float> rod(cells);
  for (auto& v : rod) v = random.unit() * 100;
  std::vector<float> now = rod;
  for (int step = 0; step < steps; step++) {
    std::vector<float> next(cells);
    for (int i = 0; i < cells; i++) {
      float left = i > 0 ? now[i - 1] : 0, right = i + 1 < cells ? now[i + 1] : 0;
      next[i] = std::fmaf(left + right, 0.25f, now[i] * 0.5f);  // halves are exact
    }
    now = next;
  }
  std::vector<u8> bytes(96);
  std::vector<u32> classes(8);
  for (auto& v : bytes) v = static_cast<u8>(random.next());
  for (u8 v : bytes) classes[v % 4 * 2] += v, classes[v % 4 * 2 + 1] = std::max<u32>(classes[v % 4 * 2 + 1], v);
  host::Program program;
  program.input("in", in);
  program.zeros<s32>("sums", out.size());
  program.input("rod", rod);
  program.input("bytes", bytes);
  program.zeros<u32>("classes", 8);
  using host::argS32, host::buffer;
  program.launch("sum", {16}, {32}, {buffer("in"), buffer("sums")});
  program.launch("rod", {6}, {64}, {buffer("rod"), argS32(steps)}, 0, {6});
  program.launch("count", {4}, {32}, {buffer("bytes"), argS32(96), buffer("classes")});
  program.expect("sums", out);
  program.expect("rod", now);
  program.expect("classes", classes);
  return program.write();
}
