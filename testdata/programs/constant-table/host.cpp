#include "host.hpp"

using host::s32;

int main() {
  const int n = 40;
  struct Planet {
    const char* name;
    int moons, kind;
    float radius;
    double distance;
  };
  const Planet planets[] = {{"Mercury", 0, 1, 2439.7f, 57.9}, {"Venus", 0, 1, 6051.8f, 108.2},       {"Earth", 1, 1, 6371.0f, 149.6},
                            {"Mars", 2, 1, 3389.5f, 228.0},   {"Jupiter", 95, -2, 69911.0f, 778.5}, {"Saturn", 146, -2, 58232.0f, 1432.0}};
  const s32 numbers[] = {10, 20, 30, 40, -50, 60, 70, 80};
  const double scaled[] = {0.1, -1e300, 5e-324, 1.0 / 3};
  const s32 lengths[] = {4, 3, 15}, mixed[] = {1, 2, 255, 127, 0};
  host::Random random(32);
  std::vector<float> coefficients(8), x(n), y(n), radii(n);
  std::vector<double> distances(n);
  std::vector<s32> which(n), letters(n), followed(n);
  for (auto& c : coefficients) c = random.unit() - 0.5f;
  host::u64 total = 5;
  for (int i = 0; i < n; i++) {
    which[i] = static_cast<s32>(random.below(6));
    const Planet& p = planets[which[i]];
    radii[i] = p.radius * static_cast<float>(p.kind);
    distances[i] = std::fma(scaled[i % 4], 2.0, p.distance + p.moons);
    std::string name = p.name;
    letters[i] = i % 9 < static_cast<int>(name.size()) ? name[i % 9] : 0;
    const s32 starts[] = {numbers[0] * 1000, numbers[3] * 1000, numbers[7] * 1000, 7};
    followed[i] = starts[i % 4] + numbers[(i % 2 ? 5 : 1) + i % 3] + lengths[i % 3] + mixed[i % 5];
    x[i] = random.unit() * 4 - 2;
    for (int k = 7; k >= 0; k--) y[i] = std::fmaf(y[i], x[i], coefficients[k]);
    total += 1000000000000 + static_cast<host::u64>(i);
  }
  host::Program program;
  program.symbol("coefficients", coefficients);
  program.symbol<host::u64>("total", {5});
  program.input("which", which);
  program.input("x", x);
  program.zeros<float>("radii", n);
  program.zeros<double>("distances", n);
  program.zeros<s32>("letters", n);
  program.zeros<s32>("followed", n);
  program.zeros<float>("y", n);
  using host::buffer;
  program.launch("lookUp", {1}, {n}, {buffer("which"), buffer("radii"), buffer("distances"), buffer("letters")});
  program.launch("follow", {1}, {n}, {buffer("followed")});
  program.launch("polynomial", {1}, {n}, {buffer("x"), buffer("y")});
  program.expect("radii", radii);
  program.expect("distances", distances);
  program.expect("letters", letters);
  program.expect("followed", followed);
  program.expect("y", y);
  program.expectSymbol<host::u64>("total", {total});
  program.expectSymbol<s32>("numbers", {-5, -4, -3, 40, -50, 60, 70, 80});
  program.expectSymbol<s32>("untouched", {-1, -2, -3});
  return program.write();
}
