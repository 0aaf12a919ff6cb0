#include "host.hpp"

/** What nvcc makes of a * x + y: one rounding, or two where it does not optimise. */
static float axpy(float a, float x, float y) {
#ifdef NO_CONTRACTION
  return a * x + y;
#else
  return std::fmaf(a, x, y);
#endif
}

int main() {
  const int n = 3000;
  host::Random random(2);
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; i++) {
    x[i] = static_cast<float>(i);
    y[i] = random.unit() - 0.5f;
  }
  host::Program program;
  program.iota<float>("x", n);
  program.input("y", y);
  for (float a : {0.3f, -1.7f}) {
    program.launch("saxpy", {3}, {128}, {host::argS32(n), host::argF32(a), host::buffer("x"), host::buffer("y")});
    for (int i = 0; i < n; i++) y[i] = axpy(a, x[i], y[i]);
  }
  program.expect("y", y);
  return program.write();
}
