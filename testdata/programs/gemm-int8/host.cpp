#include "host-matrix.hpp"

struct Quantized {
  host::Matrix values;
  std::vector<float> scales;
};

Quantized quantized(const std::vector<float>& in, int rows, int k) {
  Quantized out{host::Matrix(rows, k), {}};
  for (int row = 0; row < rows; row++) {
    const float* from = &in[row * k];
    float largest = std::fabs(*std::max_element(from, from + k, [](float x, float y) { return std::fabs(x) < std::fabs(y); }));
    float scale = largest / 127;
    for (int i = 0; i < k; i++) out.values(row, i) = static_cast<int>(std::nearbyintf(from[i] / scale));
    out.scales.push_back(scale);
  }
  return out;
}

int main() {
  const int m = 48, n = 64, k = 96;
  host::Random random(109);
  std::vector<float> a(m * k), b(n * k), c;
  for (auto& v : a) v = (random.unit() - 0.5f) * 6;
  for (auto& v : b) v = random.unit() - 0.5f;
  Quantized qa = quantized(a, m, k), qb = quantized(b, n, k);
  host::Matrix product = qa.values * qb.values.transposed();
  for (int row = 0; row < m; row++)
    for (int column = 0; column < n; column++)
      c.push_back(static_cast<float>(product(row, column)) * (qa.scales[row] * qb.scales[column]));
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<host::u8>("bytesA", m * k);
  program.zeros<host::u8>("bytesB", n * k);
  program.zeros<float>("scaleA", m);
  program.zeros<float>("scaleB", n);
  program.zeros<float>("c", m * n);
  using host::argS32, host::buffer;
  program.launch("quantize", {m}, {32}, {buffer("a"), buffer("bytesA"), buffer("scaleA"), argS32(k)});
  program.launch("quantize", {n}, {32}, {buffer("b"), buffer("bytesB"), buffer("scaleB"), argS32(k)});
  program.launch("gemm", {n / 16, m / 16}, {64},
                 {buffer("bytesA"), buffer("bytesB"), buffer("scaleA"), buffer("scaleB"), buffer("c"), argS32(n), argS32(k)});
  program.expect("bytesA", qa.values.stored(host::byte));
  program.expect("scaleB", qb.scales);
  program.expect("c", c);
  return program.write();
}
