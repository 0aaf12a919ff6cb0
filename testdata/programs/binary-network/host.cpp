#include "host-matrix.hpp"

int main() {
  const int m = 8, n = 24, k = 256;
  host::Random random(163);
  std::vector<float> a(m * k), b(n * k);
  for (auto* values : {&a, &b})
    for (auto& v : *values) v = random.unit() - 0.4f;
  std::vector<host::s32> products, both;
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++) {
      int sum = 0, ones = 0;
      for (int i = 0; i < k; i++) {
        sum += (a[row * k + i] < 0) == (b[column * k + i] < 0) ? 1 : -1;
        ones += a[row * k + i] < 0 && b[column * k + i] < 0;
      }
      products.push_back(sum);
      both.push_back(ones);
    }
  const int k4 = 64;
  host::Matrix small(m, k4), weights(k4, n);
  for (auto* matrix : {&small, &weights})
    for (auto& v : matrix->values) v = static_cast<int>(random.below(16)) - 8;
  auto packed = [](const host::Matrix& matrix) {
    std::vector<host::u32> words(matrix.values.size() / 8);
    for (std::size_t i = 0; i < matrix.values.size(); i++) words[i / 8] |= static_cast<host::u32>(matrix.values[i] & 15) << i % 8 * 4;
    return words;
  };
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("a4", packed(small));
  program.input("b4", packed(weights.transposed()));
  program.zeros<host::u32>("aBits", m * k / 32);
  program.zeros<host::u32>("bBits", n * k / 32);
  for (const char* name : {"products", "both", "nibbles"}) program.zeros<host::s32>(name, m * n);
  using host::argS32, host::buffer;
  program.launch("signs", {m * k / 256}, {256}, {buffer("a"), buffer("aBits")});
  program.launch("signs", {n * k / 256}, {256}, {buffer("b"), buffer("bBits")});
  program.launch("binary", {n / 8, m / 8}, {32}, {buffer("aBits"), buffer("bBits"), buffer("products"), argS32(n), argS32(k)});
  program.launch("common", {n / 8, m / 8}, {32}, {buffer("aBits"), buffer("bBits"), buffer("both"), argS32(n), argS32(k)});
  program.launch("nibbles", {n / 8, m / 8}, {32}, {buffer("a4"), buffer("b4"), buffer("nibbles"), argS32(n), argS32(k4)});
  program.expect("products", products);
  program.expect("both", both);
  program.expect("nibbles", (small * weights).stored([](int value) { return host::s32{value}; }));
  return program.write();
}
