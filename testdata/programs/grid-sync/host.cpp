#include "host.hpp"

int main() {
  host::Program program;
  const int n = 700, steps = 9;
  host::Random random(77);
  std::vector<float> a(n), b(n);
  for (auto& v : a) v = random.unit() * 8 - 2;
  program.input("a", a);
  program.zeros<float>("b", n);
  program.launch("heat", {6}, {64}, {host::buffer("a"), host::buffer("b"), host::argS32(n), host::argS32(steps)}, 0, {0}, true);
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < n; i++) {
      float left = i == 0 ? 0.0f : a[i - 1], right = i == n - 1 ? 0.0f : a[i + 1];
      b[i] = fmaf(a[i], 0.5f, (left + right) * 0.25f);
    }
    std::swap(a, b);
  }
  // After an odd number of steps the last values are in the second buffer.
  program.expect<float>("b", a);

  const unsigned blocks = 5, count = 2000;
  std::vector<host::u32> in(count);
  host::u32 total = 0;
  for (auto& v : in) total += v = random.next();
  program.input("in", in);
  program.zeros<host::u32>("partial", blocks);
  program.zeros<host::u32>("total", 1);
  program.launch("sum", {blocks}, {96}, {host::buffer("in"), host::buffer("partial"), host::buffer("total"), host::argS32(count)}, 0, {0}, true);
  program.expect<host::u32>("total", {total});
  std::vector<host::u32> partial;
  for (host::u32 i = 0; i < blocks; i++) partial.push_back(total + i);
  program.expect<host::u32>("partial", partial);
  return program.write();
}
