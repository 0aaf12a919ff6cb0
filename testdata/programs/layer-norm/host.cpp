#include "host-half.hpp"

using host::Bfloat, host::u16;

/** The sum of a butterfly: every stage adds pairs that lie d apart. */
float butterfly(std::vector<float> values) {
  for (std::size_t d = values.size() / 2; d > 0; d /= 2)
    for (std::size_t i = 0; i < d; i++) values[i] = values[i] + values[i + d];
  return values[0];
}

/** 128 threads' values: warps, then the four warps' sums, neighbours first. */
float blockSum(const std::vector<float>& values) {
  float sums[4];
  for (int warp = 0; warp < 4; warp++) sums[warp] = butterfly({values.begin() + warp * 32, values.begin() + warp * 32 + 32});
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

float wide(u16 bits) { return static_cast<float>(Bfloat::decode(bits)); }

int main() {
  const int rows = 9, columns = 512, small = 64;
  host::Random random(179);
  std::vector<float> in(rows * columns), gain(columns), bias(columns), out, statistics;
  for (auto& v : in) v = (random.unit() - 0.3f) * 10;
  for (auto& v : gain) v = random.unit() + 0.5f;
  for (auto& v : bias) v = random.unit() - 0.5f;
  for (int row = 0; row < rows; row++) {
    const float* x = &in[row * columns];
    std::vector<float> parts, c;
    for (int i = 0; i < columns; i += 4) parts.push_back((x[i] + x[i + 1]) + (x[i + 2] + x[i + 3]));
    float mean = blockSum(parts) * (1.0f / 512);
    for (int i = 0; i < columns; i++) c.push_back(x[i] - mean);
    for (int i = 0; i < columns; i += 4)
      parts[i / 4] = (c[i] * c[i] + c[i + 1] * c[i + 1]) + (c[i + 2] * c[i + 2] + c[i + 3] * c[i + 3]);
    float scale = 1.0f / std::sqrt(blockSum(parts) * (1.0f / 512) + 1e-5f);
    for (int i = 0; i < columns; i++) out.push_back(c[i] * scale * gain[i] + bias[i]);
    statistics.insert(statistics.end(), {mean, scale});
  }
  std::vector<u16> tokens(rows * small), residual(rows * small), weights(small), sums, normal;
  for (auto* values : {&tokens, &residual, &weights})
    for (auto& v : *values) v = Bfloat::encode((random.unit() - 0.5f) * 8);
  for (int row = 0; row < rows; row++) {
    std::vector<float> squares;
    for (int i = 0; i < small; i++) sums.push_back(Bfloat::encode(wide(tokens[row * small + i]) + wide(residual[row * small + i])));
    auto x = [&](int i) { return wide(sums[row * small + i]); };
    for (int i = 0; i < small; i += 2) squares.push_back(x(i) * x(i) + x(i + 1) * x(i + 1));
    float scale = 1.0f / std::sqrt(butterfly(squares) * (1.0f / 64) + 1e-6f);
    for (int i = 0; i < small; i++) normal.push_back(Bfloat::encode(wide(Bfloat::encode(x(i) * scale)) * wide(weights[i])));
  }
  host::Program program;
  program.input("in", in);
  program.input("gain", gain);
  program.input("bias", bias);
  program.zeros<float>("out", out.size());
  program.zeros<float>("statistics", statistics.size());
  program.input("tokens", tokens);
  program.input("residual", residual);
  program.input("weights", weights);
  program.zeros<u16>("normal", normal.size());
  using host::argS32, host::buffer;
  program.launch("layerNorm", {rows}, {128}, {buffer("in"), buffer("gain"), buffer("bias"), buffer("out"), buffer("statistics")});
  program.launch("rmsNorm", {3}, {128}, {buffer("tokens"), buffer("residual"), buffer("weights"), buffer("normal"), argS32(rows)});
  program.expect("out", out);
  program.expect("statistics", statistics);
  program.expect("residual", sums);
  program.expect("normal", normal);
  return program.write();
}
