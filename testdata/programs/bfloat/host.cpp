#include "host-half.hpp"

using host::Bfloat, host::u16;

int main() {
  const int n = 96;
  host::Random random(22);
  // Numbers within 2^-18 .. 2^17 of one another, so that sums of products stay exact in 64 bits; and some extremes.
  auto near = [&] { return static_cast<u16>((random.next() & 0x80ff) | (0x3b00 + random.below(9) * 0x100)); };
  std::vector<u16> a(n), b(n), c(n), out(7 * n), converted(3 * n);
  std::vector<float> floats(n), back(n);
  for (int i = 0; i < n; i++) a[i] = near(), b[i] = near(), c[i] = near();
  a[0] = 0x7f7f, b[0] = 0x7f00, c[0] = 0x7e80;  // the largest number: sum and product overflow
  a[1] = 0x0080, b[1] = 0x8001, c[1] = 0x0000;  // the least normal and subnormal numbers
  a[2] = 0x0001, b[2] = 0x3f00, c[2] = 0x0001;
  a[3] = 0x8000, b[3] = 0x0000, c[3] = 0x8000;
  auto value = [](u16 bits) { return static_cast<long double>(Bfloat::decode(bits)); };
  auto less = [&](u16 p, u16 q) { return value(p) < value(q) || (value(p) == value(q) && p > q); };
  for (int i = 0; i < n; i++) {
    long double x = value(a[i]), y = value(b[i]), z = value(c[i]);
    u16 larger = less(a[i], b[i]) ? b[i] : a[i];
    u16 results[7] = {Bfloat::encode(x + y),
                      Bfloat::encode(x * y),
                      Bfloat::encode(x * y + z),
                      less(larger, c[i]) ? larger : c[i],
                      Bfloat::encode(x - z),
                      Bfloat::encode(y - x),
                      static_cast<u16>(x <= y ? c[i] ^ 0x8000 : c[i] & 0x7fff)};
    for (int k = 0; k < 7; k++) out[k * n + i] = results[k];
    floats[i] = std::ldexp(random.unit() - 0.5f, static_cast<int>(random.below(60)) - 30);
  }
  floats[0] = 0x1.01p0f;  // a tie: to even is down
  floats[1] = 0x1.03p0f;  // a tie: to even is up
  floats[2] = 0x1.fffffep127f;
  floats[3] = -0x1p-134f;
  floats[4] = -0.0f;
  for (int i = 0; i < n; i++) {
    converted[i] = Bfloat::encode(floats[i]);
    converted[n + i] = Bfloat::encode(floats[i], Bfloat::Round::zero);
    converted[2 * n + i] = Bfloat::encode(floats[(i + 1) % n]);
    back[i] = static_cast<float>(value(converted[i]));
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("c", c);
  program.input("floats", floats);
  program.zeros<u16>("out", out.size());
  program.zeros<u16>("converted", converted.size());
  program.zeros<float>("back", n);
  using host::argS32, host::buffer;
  program.launch("arithmetic", {3}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("out"), argS32(n)});
  program.launch("convert", {3}, {32}, {buffer("floats"), buffer("converted"), buffer("back"), argS32(n)});
  program.expect("out", out);
  program.expect("converted", converted);
  program.expect("back", back);
  return program.write();
}
