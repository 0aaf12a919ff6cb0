#include "host.hpp"

#include <numeric>

static unsigned queensFrom(int n, unsigned columns, unsigned left, unsigned right) {
  unsigned all = (1u << n) - 1, count = columns == all;
  for (unsigned open = all & ~(columns | left | right); open; open &= open - 1) {
    unsigned queen = open & -open;
    count += queensFrom(n, columns | queen, (left | queen) << 1, (right | queen) >> 1);
  }
  return count;
}

int main() {
  const int n = 7, rows = 32;
  const unsigned first = 5, step = 5669, wanted = 64;
  std::vector<host::u32> solutions(n);
  for (int c = 0; c < n; c++) solutions[c] = queensFrom(n, 1u << c, 2u << c, 1u << c >> 1);
  std::vector<host::u8> permutation(9), listed;
  std::iota(permutation.begin(), permutation.end(), host::u8{0});
  unsigned index = 0;
  do {
    if (index >= first && (index - first) % step == 0 && (index - first) / step < wanted)
      listed.insert(listed.end(), permutation.begin(), permutation.end());
    index++;
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  host::Random random(31);
  std::vector<double> in(rows * 20), sorted;
  for (auto& v : in) v = std::floor(random.unit() * 50) / 3;
  sorted = in;
  for (int row = 0; row < rows; row++) std::sort(sorted.begin() + row * 20, sorted.begin() + row * 20 + 20);
  host::Program program;
  program.zeros<host::u32>("solutions", n);
  program.zeros<host::u8>("permutations", listed.size());
  program.input("in", in);
  program.zeros<double>("sorted", sorted.size());
  using host::argU32, host::buffer;
  program.launch("queens", {1}, {n}, {host::argS32(n), buffer("solutions")});
  program.launch("permutations", {2}, {wanted / 2}, {argU32(first), argU32(step), buffer("permutations")});
  program.launch("heapSort", {1}, {rows}, {buffer("in"), buffer("sorted")});
  program.expect("solutions", solutions);
  program.expect("permutations", listed);
  program.expect("sorted", sorted);
  return program.write();
}
