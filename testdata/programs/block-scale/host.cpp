#include "host.hpp"

#include <functional>

using host::u32, host::u8;

namespace {

host::Random generator(91);

// e2m1 by its bits.
double small(u32 bits) {
  const double sizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return bits & 8 ? -sizes[bits & 7] : sizes[bits & 7];
}

double e4m3(u32 bits) {
  int exponent = static_cast<int>(bits >> 3 & 15);
  double size = exponent == 0 ? std::ldexp(bits & 7, -9) : std::ldexp(8 + (bits & 7), exponent - 10);
  return bits & 128 ? -size : size;
}

struct Matrix {
  std::vector<u32> words;
  std::vector<double> values;
};

// Rows of 32 bytes with `k` elements.
Matrix make(int rows, int k, const std::function<u32()>& next, const std::function<double(u32)>& value, int shift) {
  Matrix matrix{std::vector<u32>(rows * 8), {}};
  int width = 256 / k;
  for (int row = 0; row < rows; row++)
    for (int i = 0; i < k; i++) {
      u32 bits = next();
      matrix.words[row * 8 + i * width / 32] |= (bits << shift) << (i * width % 32);
      matrix.values.push_back(value(bits));
    }
  return matrix;
}

// One word a row, its scales from byte `first` on; bytes that are not used are NaN.
Matrix scales(int rows, int count, int first, const std::function<u32()>& next, const std::function<double(u32)>& value) {
  Matrix matrix{std::vector<u32>(rows, 0xffffffffu), {}};
  for (int row = 0; row < rows; row++)
    for (int i = 0; i < count; i++) {
      u32 bits = next();
      int at = 8 * (first + i);
      matrix.words[row] = (matrix.words[row] & ~(255u << at)) | bits << at;
      matrix.values.push_back(value(bits));
    }
  return matrix;
}

void run(host::Program& program, const std::string& name, int k, int count, const Matrix& a, const Matrix& b, const Matrix& scaleA,
         const Matrix& scaleB) {
  std::vector<float> d(128);
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 8; column++) {
      double sum = 0.5;
      for (int i = 0; i < k; i++) {
        int block = i * count / k;
        sum += a.values[row * k + i] * b.values[column * k + i] * scaleA.values[row * count + block] * scaleB.values[column * count + block];
      }
      d[row * 8 + column] = static_cast<float>(sum);
    }
  program.input(name + "A", a.words);
  program.input(name + "B", b.words);
  program.input(name + "ScaleA", scaleA.words);
  program.input(name + "ScaleB", scaleB.words);
  program.zeros<float>(name + "D", 128);
  using host::buffer;
  program.launch(name, {1}, {32},
                 {buffer(name + "A"), buffer(name + "B"), buffer(name + "ScaleA"), buffer(name + "ScaleB"), buffer(name + "D")});
  program.expect(name + "D", d);
}

}  // namespace

int main() {
  auto any4 = [] { return generator.below(16); };
  auto exponent = [] { return 125 + generator.below(5); };
  auto power = [](u32 bits) { return std::ldexp(1.0, static_cast<int>(bits) - 127); };
  auto fraction = [] { return 0x30 + generator.below(24); };
  auto fewBytes = [] { return (generator.below(2) << 7) | (0x34 + generator.below(20)); };
  host::Program program;
  run(program, "nvfp4", 64, 4, make(16, 64, any4, small, 0), make(8, 64, any4, small, 0), scales(16, 4, 0, fraction, e4m3),
      scales(8, 4, 0, fraction, e4m3));
  run(program, "mxfp4", 64, 2, make(16, 64, any4, small, 0), make(8, 64, any4, small, 0), scales(16, 2, 2, exponent, power),
      scales(8, 2, 0, exponent, power));
  run(program, "mxfp8", 32, 1, make(16, 32, fewBytes, e4m3, 0), make(8, 32, any4, small, 2), scales(16, 1, 3, exponent, power),
      scales(8, 1, 1, exponent, power));
  return program.write();
}
