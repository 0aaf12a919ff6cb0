// Matrices of whole numbers for the host programs of tensor kernels: as long as they are small, every format stores them and every
// order of summation gives the same product.
#pragma once

#include "host-half.hpp"

namespace host {

struct Matrix {
  int rows, columns;
  std::vector<int> values;  // row after row

  Matrix(int rowCount, int columnCount)
      : rows(rowCount), columns(columnCount), values(static_cast<std::size_t>(rowCount) * static_cast<std::size_t>(columnCount)) {}
  /** Elements from -range to range. */
  Matrix(Random& random, int rowCount, int columnCount, int range) : Matrix(rowCount, columnCount) {
    for (int& value : values) value = static_cast<int>(random.below(static_cast<u32>(2 * range + 1))) - range;
  }
  int& operator()(int row, int column) { return values[static_cast<std::size_t>(row * columns + column)]; }
  int operator()(int row, int column) const { return values[static_cast<std::size_t>(row * columns + column)]; }

  Matrix transposed() const {
    Matrix out(columns, rows);
    for (int row = 0; row < rows; row++)
      for (int column = 0; column < columns; column++) out(column, row) = (*this)(row, column);
    return out;
  }
  /** The elements, row after row, as `encode` stores them. */
  template <class Encode>
  auto stored(Encode encode) const {
    std::vector<decltype(encode(0))> out;
    for (int value : values) out.push_back(encode(value));
    return out;
  }
};

inline Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix out(a.rows, b.columns);
  for (int row = 0; row < a.rows; row++)
    for (int column = 0; column < b.columns; column++)
      for (int k = 0; k < a.columns; k++) out(row, column) += a(row, k) * b(k, column);
  return out;
}

inline f16 half(int value) { return {Half::encode(value)}; }
inline u16 bfloat(int value) { return Bfloat::encode(value); }
inline float single(int value) { return static_cast<float>(value); }
inline u8 byte(int value) { return static_cast<u8>(value); }

/** A whole number that a format of 8 bits stores exactly. */
template <int fraction, int bias>
u8 eightBits(int value) {
  if (value == 0) return 0;
  int magnitude = std::abs(value), exponent = std::ilogb(magnitude);
  int significand = exponent > fraction ? magnitude >> (exponent - fraction) : magnitude << (fraction - exponent);
  return static_cast<u8>((value < 0 ? 0x80 : 0) | (((exponent + bias) << fraction) + significand - (1 << fraction)));
}
inline u8 e4m3(int value) { return eightBits<3, 7>(value); }
inline u8 e5m2(int value) { return eightBits<2, 15>(value); }

}  // namespace host
