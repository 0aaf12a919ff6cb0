#include "host-matrix.hpp"

struct Problem {
  host::u32 a, b, c;
  host::s32 m, n, k;
};

int main() {
  const int sizes[][3] = {{64, 32, 64}, {40, 44, 40}, {70, 20, 96}, {3, 4, 8}};
  host::Random random(223);
  std::vector<host::f16> a, b;
  std::vector<float> c;
  std::vector<host::u32> problems;
  for (auto [m, n, k] : sizes) {
    for (std::size_t value : {a.size(), b.size(), c.size(), std::size_t(m), std::size_t(n), std::size_t(k)})
      problems.push_back(static_cast<host::u32>(value));
    host::Matrix left(random, m, k, 50), right(random, k, n, 50);
    for (auto v : left.stored(host::half)) a.push_back(v);
    for (auto v : right.transposed().stored(host::half)) b.push_back(v);
    for (auto v : (left * right).stored(host::single)) c.push_back(v);
  }
  host::Program program;
  program.input("problems", problems);
  program.input("a", a);
  program.input("b", b);
  program.zeros<float>("c", c.size());
  program.zeros<host::u32>("workspace", 4 * 3 * 32);
  // Shapes of tiles; the kernel puts in the matrices.
  program.tensorMap("aMap", "\"buffer\": \"a\", \"type\": \"f16\", \"dims\": [32, 64], \"box\": [32, 64], \"swizzle\": \"64B\"");
  program.tensorMap("bMap", "\"buffer\": \"b\", \"type\": \"f16\", \"dims\": [32, 32], \"box\": [32, 32], \"swizzle\": \"64B\"");
  program.tensorMap("cMap", "\"buffer\": \"c\", \"type\": \"f32\", \"dims\": [32, 64], \"box\": [32, 64]");
  using host::buffer, host::tensorMap;
  program.launch("gemm", {4}, {128},
                 {buffer("problems"), buffer("a"), buffer("b"), buffer("c"), buffer("workspace"), tensorMap("aMap"), tensorMap("bMap"),
                  tensorMap("cMap")});
  program.expect("c", c);
  return program.write();
}
