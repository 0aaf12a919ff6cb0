#include "host-half.hpp"

using host::f16, host::Half, host::s32, host::u8;

int main() {
  host::Random random(42);
  auto whole = [&](int range) { return static_cast<int>(random.below(static_cast<host::u32>(2 * range + 1))) - range; };
  std::vector<f16> a(256), b(256), square(16 * 24);
  std::vector<float> c(256), d(256);
  std::vector<u8> bytesA(256), bytesB(256);
  std::vector<s32> products(256, -5);
  auto value = [](f16 h) { return static_cast<int>(Half::decode(h.bits)); };
  for (int i = 0; i < 256; i++) {
    a[i] = {Half::encode(whole(6))};
    b[i] = {Half::encode(whole(100))};
    c[i] = static_cast<float>(whole(100000));
    bytesA[i] = static_cast<u8>(random.next());
    bytesB[i] = static_cast<u8>(random.next());
  }
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 16; column++) {
      int sum = static_cast<int>(c[row * 16 + column]), squared = 0;
      for (int k = 0; k < 16; k++) {
        sum += value(a[row * 16 + k]) * value(b[column * 16 + k]);
        squared += value(a[row * 16 + k]) * value(a[k * 16 + column]);
        products[row * 16 + column] += bytesA[row * 16 + k] * bytesB[column * 16 + k];
      }
      d[row * 16 + column] = static_cast<float>(sum);
      square[column * 24 + row] = {Half::encode(2 * squared)};  // at most 1152: whole numbers to 2048 are exact
    }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("c", c);
  program.input("bytesA", bytesA);
  program.input("bytesB", bytesB);
  program.zeros<float>("d", 256);
  program.zeros<f16>("square", square.size());
  program.zeros<s32>("products", 256);
  using host::buffer;
  program.launch("halfToFloat", {1}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("d")});
  program.launch("halfToHalf", {1}, {32}, {buffer("a"), buffer("square")});
  program.launch("bytes", {1}, {32}, {buffer("bytesA"), buffer("bytesB"), buffer("products")});
  program.expect("d", d);
  program.expect("square", square);
  program.expect("products", products);
  return program.write();
}
