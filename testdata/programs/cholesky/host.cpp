#include "host.hpp"

int main() {
  const int n = 16, intervals = 128;
  host::Random random(20);
  std::vector<double> root(n * n), matrix(n * n);
  for (auto& v : root) v = random.unit() - 0.5;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      matrix[i * n + j] = i == j ? 1.0 : 0.0;
      for (int k = 0; k < n; k++) matrix[i * n + j] += root[i * n + k] * root[j * n + k];
    }
  // Column by column; every element takes its updates in the order of the columns before it, each one fused.
  std::vector<double> factor(n * n);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = matrix[i * n + j];
      for (int k = 0; k < j; k++) sum = std::fma(-factor[i * n + k], factor[j * n + k], sum);
      factor[i * n + j] = i == j ? std::sqrt(sum) : sum / factor[j * n + j];
    }
  double integral = 0;
  for (int i = 0; i <= intervals; i++) {
    double x = 2.0 * i / intervals;
    double weight = i == 0 || i == intervals ? 1 : i % 2 ? 4 : 2;
    integral += weight * (std::exp(-x * x) * (1 + std::sin(x)) + std::pow(x, 2.5));
  }
  host::Program program;
  program.input("matrix", matrix);
  program.zeros<double>("integral", 1);
  program.launch("cholesky", {1}, {n}, {host::buffer("matrix")});
  program.launch("simpson", {1}, {32}, {host::argS32(intervals), host::buffer("integral")});
  program.expect("matrix", factor);
  // exp, sin and pow are within 2 ulp of the true value; the sum is of another order.
  program.expect<double>("integral", {integral * 2 / intervals / 3}, {.rel = 1e-13});
  return program.write();
}
