#include "host-half.hpp"

using host::s32, host::s64, host::u16, host::u32, host::u64;

int main() {
  const int blocks = 2, threads = 64, n = blocks * threads;
  host::Random random(29);
  std::vector<u32> in(n), u32s(20), cells(n), old(5 * n), counters{2, 5}, sums(4);
  std::vector<s32> s32s(6);
  std::vector<u64> u64s(7), wideCells(n);
  std::vector<float> f32s(1), floats(n), maximum{-5e6f};
  std::vector<double> f64s(2);
  std::vector<u16> shorts{65500, 7, 0};
  for (auto& v : in) v = random.next();
  u32s[2] = u32s[4] = 0xffffffff;
  s32s = {0, INT32_MAX, INT32_MIN, INT32_MAX, INT32_MAX, INT32_MIN};
  u64s[1] = u64s[3] = ~u64{0};
  u64s[6] = static_cast<u64>(INT64_MAX);
  for (int i = 0; i < n; i++) cells[i] = random.next(), wideCells[i] = random.next(), floats[i] = random.unit();
  host::Program program;
  program.input("in", in);
  program.input("u32s", u32s);
  program.input("s32s", s32s);
  program.input("u64s", u64s);
  program.zeros<float>("f32s", 1);
  program.zeros<float>("inexact", 1);
  program.zeros<host::f16>("halves", 2);
  program.zeros<double>("f64s", 2);
  program.input("counters", counters);
  program.zeros<u32>("sums", 4);
  program.input("cells", cells);
  program.input("wideCells", wideCells);
  program.input("floats", floats);
  program.zeros<u32>("old", old.size());
  program.fill<u32>("product", 1, 1);
  program.input("maximum", maximum);
  program.input("shorts", shorts);

  u32 product = 1;
  double halves[2] = {0, 0}, inexact = 0;
  for (int b = 0; b < blocks; b++) u32s[8 + b * 6 + 1] = u32s[8 + b * 6 + 3] = 0xffffffff;
  for (int i = 0; i < n; i++) {
    u32 v = in[i], *local = &u32s[8 + i / threads * 6];
    s32 sv = static_cast<s32>(v);
    u64 wide = u64{v} << 20 | static_cast<u64>(i);
    u32s[0] += v;
    u32s[1] -= v;
    u32s[2] = std::min(u32s[2], v);
    u32s[3] = std::max(u32s[3], v);
    u32s[4] &= v | 0x0ff00000;
    u32s[5] |= v & 0x00f0f0f0;
    u32s[6] ^= v;
    s32s[0] = static_cast<s32>(u32s[0]);
    s32s[1] = std::min(s32s[1], sv);
    s32s[2] = std::max(s32s[2], sv);
    s32s[3 + i / threads] = std::min(s32s[3 + i / threads], sv >> 8);
    s32s[5] = std::max(s32s[5], sv >> 16);
    u64s[0] += wide;
    u64s[1] = std::min(u64s[1], wide);
    u64s[2] = std::max(u64s[2], wide);
    u64s[3] &= wide | 0xffff;
    u64s[4] |= wide;
    u64s[5] ^= wide;
    u64s[6] = static_cast<u64>(std::min(static_cast<s64>(u64s[6]), static_cast<s64>(wide << 12)));
    f32s[0] += static_cast<float>(v >> 20);
    f64s[0] += v;
    f64s[1] += v * 0x1p-32;
    halves[0] += 1;
    halves[1] += v % 4 * 0.25;  // both stay below 256: exact as halves
    inexact += 1.0 / (1 + v % 1024);
    local[0] += v;
    local[1] = std::min(local[1], v);
    local[2] = std::max(local[2], v >> 1);
    local[3] &= v | 0xff;
    local[4] |= v & 0xff00;
    local[5] ^= v;

    sums[0] += counters[0] * counters[0];
    counters[0] = counters[0] >= 9 ? 0 : counters[0] + 1;
    sums[1] += counters[1] * counters[1];
    counters[1] = counters[1] == 0 || counters[1] > 6 ? 6 : counters[1] - 1;

    old[i] = cells[i];
    old[n + i] = v;
    cells[i] = i % 2 ? v * 2 : v;
    old[2 * n + i] = static_cast<u32>(wideCells[i]);
    old[3 * n + i] = v;
    wideCells[i] = v + u64{5};
    old[4 * n + i] = std::bit_cast<u32>(floats[i]);
    floats[i] = static_cast<float>(v) * 0.5f;

    product = product * (v % 97 + 1) % 65521;
    maximum[0] = std::max(maximum[0], static_cast<float>(sv) * 0.001f);
    shorts[v % 3]++;
  }
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < threads; t++) sums[2 + b] += static_cast<u32>((3 + t) % 5);

  using host::buffer;
  host::Dim grid{blocks}, block{threads};
  program.launch("commuting", grid, block, {buffer("in"), buffer("u32s"), buffer("s32s"), buffer("u64s"), buffer("f32s"),
                                            buffer("inexact"), buffer("f64s"), buffer("halves")});
  program.launch("wrapping", grid, block, {buffer("counters"), buffer("sums")});
  program.launch("exchanging", grid, block, {buffer("in"), buffer("cells"), buffer("wideCells"), buffer("floats"), buffer("old")});
  program.launch("loops", grid, block, {buffer("in"), buffer("product"), buffer("maximum"), buffer("shorts")});
  program.expect("u32s", u32s);
  program.expect("s32s", s32s);
  program.expect("u64s", u64s);
  program.expect("f32s", f32s);
  program.expect<float>("inexact", {static_cast<float>(inexact)}, {.rel = 1e-5});
  program.expect<host::f16>("halves", {{host::Half::encode(halves[0])}, {host::Half::encode(halves[1])}});
  program.expect("f64s", f64s);
  program.expect("counters", counters);
  program.expect("sums", sums);
  program.expect("cells", cells);
  program.expect("wideCells", wideCells);
  program.expect("floats", floats);
  program.expect("old", old);
  program.expect<u32>("product", {product});
  program.expect("maximum", maximum);
  program.expect("shorts", shorts);
  return program.write();
}
