#include "host.hpp"

#include <numeric>

int main() {
  const unsigned n = 1024;
  host::Random random(10);
  std::vector<host::u32> keys(n), order(n), sorted;
  for (auto& key : keys) key = random.next() & 0xff0f00f3u;  // equal keys occur: the sort must keep their order
  for (unsigned i = 0; i < n; i += 3) keys[i] = keys[i / 2];
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  for (auto i : order) sorted.push_back(keys[i]);
  host::Program program;
  program.input("keys", keys);
  program.iota<host::u32>("values", n);
  program.zeros<host::u32>("keys2", n);
  program.zeros<host::u32>("values2", n);
  using host::buffer;
  program.launch("radixSort", {1}, {256}, {buffer("keys"), buffer("values"), buffer("keys2"), buffer("values2")});
  program.expect("keys", sorted);  // after an even number of passes the result is back where it began
  program.expect("values", order);
  return program.write();
}
