#include "host-matrix.hpp"

int main() {
  const int tableRows = 11, width = 64, bags = 10;
  host::Random random(211);
  host::Matrix table(random, tableRows, width, 100), gradients(random, bags, width, 8), sums(bags, width), added(tableRows, width);
  host::Matrix largest(tableRows, width);
  for (int& v : largest.values) v = -100;
  std::vector<host::s32> rows, ends;
  for (int bag = 0; bag < bags; bag++) {
    int count = bag == 0 ? 32 : static_cast<int>(random.below(9));  // some are empty
    for (int i = 0; i < count; i++) {
      int row = static_cast<int>(random.below(tableRows));
      rows.push_back(row);
      for (int column = 0; column < width; column++) {
        sums(bag, column) += table(row, column);
        added(row, column) += gradients(bag, column);
        largest(row, column) = std::max(largest(row, column), gradients(bag, column));
      }
    }
    ends.push_back(static_cast<host::s32>(rows.size()));
  }
  host::Matrix start(tableRows, width);
  for (int& v : start.values) v = -100;
  host::Program program;
  program.input("table", table.stored(host::bfloat));
  program.input("rows", rows);
  program.input("ends", ends);
  program.input("gradients", gradients.stored(host::single));
  program.zeros<float>("out", bags * width);
  program.zeros<host::u16>("sums16", tableRows * width);
  program.input("largest16", start.stored(host::half));
  program.zeros<float>("sums32", tableRows * width);
  using host::buffer;
  program.launch("gather", {bags}, {32}, {buffer("table"), buffer("rows"), buffer("ends"), buffer("out")});
  program.launch("scatter", {bags}, {32},
                 {buffer("gradients"), buffer("rows"), buffer("ends"), buffer("sums16"), buffer("largest16"), buffer("sums32")});
  program.expect("out", sums.stored(host::single));
  program.expect("sums16", added.stored(host::bfloat));  // whole numbers to 256 are exact
  program.expect("largest16", largest.stored(host::half));
  program.expect("sums32", added.stored(host::single));
  return program.write();
}
