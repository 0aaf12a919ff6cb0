#include "host.hpp"

int main() {
  const int n = 1000;
  host::Random random(1);
  std::vector<float> a(n), b(n), c(n + 24, 7.0f);
  for (int i = 0; i < n; i++) {
    a[i] = random.unit() * 100 - 50;
    b[i] = random.unit();
    c[i] = a[i] + b[i];
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.fill<float>("c", c.size(), 7);  // the 24 elements after n must stay as they are
  program.launch("vectorAdd", {4}, {256}, {host::buffer("a"), host::buffer("b"), host::buffer("c"), host::argS32(n)});
  program.expect("c", c);
  return program.write();
}
