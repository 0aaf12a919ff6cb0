#include "host.hpp"

using host::s64, host::u64;

/** The 128-bit product of two 64-bit numbers from four 32-bit ones: {low, high}. */
static std::array<u64, 2> product(u64 a, u64 b) {
  u64 aLow = a & 0xffffffff, aHigh = a >> 32, bLow = b & 0xffffffff, bHigh = b >> 32;
  u64 low = aLow * bLow, cross1 = aHigh * bLow, cross2 = aLow * bHigh;
  u64 middle = (low >> 32) + (cross1 & 0xffffffff) + (cross2 & 0xffffffff);
  return {a * b, aHigh * bHigh + (cross1 >> 32) + (cross2 >> 32) + (middle >> 32)};
}

int main() {
  const int rows = 64, perRow = 5, n = 64;
  const u64 seed = 0xfedcba9876543210;
  host::Random random(23);
  auto random64 = [&] {
    u64 high = random.next();
    return high << 32 | random.next();
  };
  std::vector<u64> words(rows * perRow), hashes(rows), wide;
  for (auto& w : words) w = random64();
  for (int row = 0; row < rows; row++) {
    u64 h = seed ^ perRow * 0x9e3779b97f4a7c15ull;
    for (int i = 0; i < perRow; i++) {
      u64 k = std::rotl(words[row * perRow + i] * 0x87c37b91114253d5ull, 31) * 0x4cf5ad432745937full;
      h = std::rotl(h ^ k, 27) * 5 + 0x52dce729;
    }
    h ^= product(h, 0xff51afd7ed558ccdull)[1];
    hashes[row] = h ^ h >> 33;
  }
  std::vector<s64> a(n), b(n), out(12 * n);
  for (int i = 0; i < n; i++) {
    a[i] = static_cast<s64>(random64()) >> random.below(40);
    b[i] = static_cast<s64>(random64()) >> random.below(63);
    if (b[i] == 0) b[i] = 3;  // division by zero is left out: PTX does not say what it gives
  }
  a[0] = INT64_MIN, b[0] = 2;
  a[1] = -1, b[1] = INT64_MAX;
  a[2] = INT64_MIN, b[2] = INT64_MIN;
  for (int i = 0; i < n; i++) {
    s64 x = a[i], y = b[i];
    u64 ux = static_cast<u64>(x), uy = static_cast<u64>(y), high = product(ux, uy)[1];
    int shift = static_cast<int>(uy % 64);
    u64 filled = ux >> shift | (x < 0 && shift ? ~u64{0} << (64 - shift) : 0);
    u64 signedHigh = high - (x < 0 ? uy : 0) - (y < 0 ? ux : 0);
    s64 results[12] = {x / y,
                       x - x / y * y,
                       static_cast<s64>(ux / uy),
                       static_cast<s64>(ux - ux / uy * uy),
                       static_cast<s64>(signedHigh),
                       static_cast<s64>(high),
                       static_cast<s64>(filled),
                       static_cast<s64>(ux >> shift),
                       static_cast<s64>(ux << shift),
                       x < y ? x : y,
                       static_cast<s64>(ux > uy ? ux : uy),
                       x / 1000003 + x % 10};
    for (int k = 0; k < 12; k++) out[k * n + i] = results[k];
    auto [low, top] = product(ux, uy);
    u64 sum = low + ux;
    wide.insert(wide.end(), {sum, top + (sum < low)});
  }
  host::Program program;
  program.input("words", words);
  program.zeros<u64>("hashes", rows);
  program.input("a", a);
  program.input("b", b);
  program.zeros<s64>("out", out.size());
  program.zeros<u64>("wide", wide.size());
  using host::argS32, host::buffer;
  program.launch("hashRows", {2}, {rows / 2}, {buffer("words"), argS32(perRow), host::argU64(seed), buffer("hashes")});
  program.launch("operations", {2}, {n / 2}, {buffer("a"), buffer("b"), buffer("out"), argS32(n)});
  program.launch("wideMultiply", {2}, {n / 2}, {buffer("a"), buffer("b"), buffer("wide"), argS32(n)});
  program.expect("hashes", hashes);
  program.expect("out", out);
  program.expect("wide", wide);
  return program.write();
}
