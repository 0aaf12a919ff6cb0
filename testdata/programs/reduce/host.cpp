#include "host.hpp"

/** Sums 512 values from `start` (zero beyond the end) in the kernel's order: fold the block in halves until one is left. */
static float foldedSum(const std::vector<float>& in, std::size_t start) {
  auto at = [&](std::size_t i) { return i < in.size() ? in[i] : 0.0f; };
  std::vector<float> level(512);
  for (std::size_t i = 0; i < 512; i++) level[i] = at(start + i);
  while (level.size() > 1) {
    std::size_t half = level.size() / 2;
    for (std::size_t i = 0; i < half; i++) level[i] += level[i + half];
    level.resize(half);
  }
  return level[0];
}

int main() {
  const int n = 3500;
  host::Random random(3);
  std::vector<float> values(n);
  std::vector<host::s32> integers(n);
  for (auto& v : values) v = random.unit() * 2000 - 1000;
  for (auto& v : integers) v = static_cast<host::s32>(random.next() | 0x80000000u);  // all negative
  std::vector<float> sums;
  for (int start = 0; start < n; start += 512) sums.push_back(foldedSum(values, start));
  std::vector<host::s32> maxima(3, INT32_MIN);
  for (int i = 0; i < n; i++) {
    auto& best = maxima[i / 256 % 3];
    best = std::max(best, integers[i]);
  }
  host::Program program;
  program.input("values", values);
  program.input("integers", integers);
  program.zeros<float>("sums", sums.size());
  program.zeros<host::s32>("maxima", maxima.size());
  auto blocks = static_cast<unsigned>(sums.size());
  program.launch("sumBlocks", {blocks}, {256}, {host::buffer("values"), host::buffer("sums"), host::argS32(n)});
  program.launch("maxBlocks", {3}, {256}, {host::buffer("integers"), host::buffer("maxima"), host::argS32(n)});
  program.expect("sums", sums);
  program.expect("maxima", maxima);
  return program.write();
}
