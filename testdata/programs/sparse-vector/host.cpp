#include "host.hpp"

using host::s32;

int main() {
  const int rows = 90, columns = 70, width = 12;
  host::Random random(239);
  std::vector<s32> starts = {0}, columnOf, rowOf, wideColumns(rows * width, -1);
  std::vector<float> values, x(columns), y(rows);
  std::vector<double> wideValues(rows * width), wideX(columns), wideY(rows, 0.5);
  auto whole = [&](int range) { return static_cast<int>(random.below(static_cast<host::u32>(2 * range + 1))) - range; };
  // Whole numbers: the order of the sums does not show.
  for (int i = 0; i < columns; i++) x[i] = static_cast<float>(whole(200)), wideX[i] = std::ldexp(whole(1 << 20), -10);
  for (int row = 0; row < rows; row++) {
    int count = row == 40 ? columns : row % 9 == 0 ? 0 : static_cast<int>(random.below(width + 1));
    for (int i = 0; i < count; i++) {
      int column = count == columns ? i : static_cast<int>(random.below(columns)), value = whole(100);
      columnOf.push_back(column);
      rowOf.push_back(row);
      values.push_back(static_cast<float>(value));
      y[row] += static_cast<float>(value) * x[column];
      if (i >= width) continue;
      wideColumns[i * rows + row] = column;
      wideValues[i * rows + row] = value;
      wideY[row] += value * wideX[column];
    }
    starts.push_back(static_cast<s32>(values.size()));
  }
  const int count = static_cast<int>(values.size());
  host::Program program;
  program.input("starts", starts);
  program.input("columns", columnOf);
  program.input("rowOf", rowOf);
  program.input("values", values);
  program.input("x", x);
  program.input("wideColumns", wideColumns);
  program.input("wideValues", wideValues);
  program.input("wideX", wideX);
  program.zeros<float>("byRows", rows);
  program.zeros<float>("byElements", rows);
  program.input("byColumns", std::vector<double>(rows, 0.5));
  using host::argS32, host::buffer;
  program.launch("byRows", {(rows + 15) / 16}, {128},
                 {buffer("starts"), buffer("columns"), buffer("values"), buffer("x"), buffer("byRows"), argS32(rows)});
  program.launch("byElements", {static_cast<unsigned>(count + 127) / 128}, {128},
                 {buffer("rowOf"), buffer("columns"), buffer("values"), buffer("x"), buffer("byElements"), argS32(count)});
  program.launch("byColumns", {2}, {64},
                 {buffer("wideColumns"), buffer("wideValues"), buffer("wideX"), buffer("byColumns"), argS32(rows), argS32(width)});
  program.expect("byRows", y);
  program.expect("byElements", y);
  program.expect("byColumns", wideY);
  return program.write();
}
