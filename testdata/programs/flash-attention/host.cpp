#include "host-half.hpp"

using host::f16, host::Half;

int main() {
  const int allHeads = 2, length = 128, width = 32;
  host::Random random(173);
  std::vector<f16> q(allHeads * length * width), k(q.size()), v(q.size());
  for (auto* values : {&q, &k, &v})
    for (auto& x : *values) x = {Half::encode((random.unit() - 0.5f) * 4)};
  const double scale = std::sqrt(1.0 / width) / std::log(2.0);
  host::Program program;
  program.input("q", q);
  program.input("k", k);
  program.input("v", v);
  using host::argF32, host::argS32, host::buffer;
  for (int causal = 0; causal < 2; causal++) {
    const int heads = causal ? allHeads : 1;
    std::vector<float> out, logSums;
    for (int head = 0; head < heads; head++)
      for (int row = 0; row < length; row++) {
        auto at = [&](const std::vector<f16>& values, int r, int i) { return Half::decode(values[(head * length + r) * width + i].bits); };
        std::vector<double> weights;
        double total = 0;
        for (int key = 0; key < (causal ? row + 1 : length); key++) {
          double score = 0;
          for (int i = 0; i < width; i++) score += at(q, row, i) * at(k, key, i);
          weights.push_back(std::exp2(score * scale));
          total += weights.back();
        }
        for (int i = 0; i < width; i++) {
          double sum = 0;
          for (std::size_t key = 0; key < weights.size(); key++) sum += weights[key] * at(v, static_cast<int>(key), i);
          out.push_back(static_cast<float>(sum / total));
        }
        logSums.push_back(static_cast<float>(std::log2(total)));
      }
    std::string name = causal ? "causal" : "full";
    program.zeros<float>(name, out.size());
    program.zeros<float>(name + "Sums", logSums.size());
    program.launch("attention", {length / 64, static_cast<unsigned>(heads)}, {128},
                   {buffer("q"), buffer("k"), buffer("v"), buffer(name), buffer(name + "Sums"), argS32(length),
                    argF32(static_cast<float>(scale)), argS32(causal)});
    // Probabilities are rounded to halves, 2^-11 of each; values are at most 2.
    program.expect(name, out, {.abs = 0x1p-9});
    program.expect(name + "Sums", logSums, {.abs = 1e-4});
  }
  return program.write();
}
