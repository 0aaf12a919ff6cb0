#include "host.hpp"

using host::u32;

static u32 apply(char operation, u32 a, u32 b) {
  switch (operation) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: return a ^ b;
  }
}

int main() {
  const int threads = 64, n = 5;
  host::Random random(18);
  std::vector<u32> a(threads), b(threads), values(threads + n), results, folded;
  for (auto& v : a) v = random.next();
  for (auto& v : b) v = random.next();
  for (auto& v : values) v = random.below(1000);
  std::vector<float> areas;
  for (int i = 0; i < threads; i++) {
    u32 first = apply("+-*^"[i % 4], a[i], b[i]);
    results.push_back(apply("^*-+"[i / 4 % 4], first, static_cast<u32>(i)));
    u32 sum = 1;
    for (int k = 0; k < n; k++) sum = apply("+*^"[i % 3], sum, values[i + k]);
    folded.push_back(sum);
    // Halves and small whole numbers: every product here is exact.
    areas.push_back(i % 5 < 2 ? 3.0f * static_cast<float>(i * i) : static_cast<float>(i) * 1.5f + 4.0f);
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("values", values);
  program.zeros<u32>("results", threads);
  program.zeros<u32>("folded", threads);
  program.zeros<float>("areas", threads);
  using host::buffer;
  program.launch("tables", {1}, {threads}, {buffer("a"), buffer("b"), buffer("results")});
  program.launch("folds", {1}, {threads}, {buffer("values"), host::argS32(n), buffer("folded")});
  program.launch("shapes", {1}, {threads}, {buffer("areas")});
  program.expect("results", results);
  program.expect("folded", folded);
  program.expect("areas", areas);
  return program.write();
}
