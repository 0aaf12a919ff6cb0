#include "host.hpp"

int main() {
  const int rows = 14, columns = 75;
  host::Random random(181);
  std::vector<float> in(rows * columns), out, losses, gradient;
  std::vector<host::s32> labels(rows);
  for (auto& v : in) v = (random.unit() - 0.5f) * 16;
  for (auto& v : labels) v = static_cast<host::s32>(random.below(columns));
  for (int row = 0; row < rows; row++) {
    const float* x = &in[row * columns];
    double sum = 0;
    for (int i = 0; i < columns; i++) sum += std::exp(static_cast<double>(x[i]));
    for (int i = 0; i < columns; i++) {
      double p = std::exp(static_cast<double>(x[i])) / sum;
      out.push_back(static_cast<float>(p));
      gradient.push_back(static_cast<float>(p - (i == labels[row])));
    }
    losses.push_back(static_cast<float>(std::log(sum) - x[labels[row]]));
  }
  host::Program program;
  program.input("in", in);
  program.input("labels", labels);
  for (const char* name : {"out", "gradient"}) program.zeros<float>(name, in.size());
  program.zeros<float>("losses", rows);
  using host::argS32, host::buffer;
  program.launch("softmax", {4}, {32, 4}, {buffer("in"), buffer("out"), argS32(rows), argS32(columns)});
  program.launch("crossEntropy", {4}, {32, 4},
                 {buffer("in"), buffer("labels"), buffer("losses"), buffer("gradient"), argS32(rows), argS32(columns)});
  program.expect("out", out, {.abs = 1e-9, .rel = 1e-5});
  program.expect("losses", losses, {.abs = 1e-5, .rel = 1e-6});
  program.expect("gradient", gradient, {.abs = 1e-6, .rel = 1e-5});
  return program.write();
}
