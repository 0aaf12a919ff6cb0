#include "host.hpp"

using host::s32;

template <class T>
static T filled(const std::vector<T>& in, int i) {
  T sum = 0;
  for (int k = 5; k >= 0; k--) sum = sum * 2 + in[(i + k) % 32];  // six fit; they come back last first
  for (int k = 0; k < 2; k++) sum = sum * 2 + T(-1);              // and then the stack is empty
  return sum + T(i * 3 + (i >> 3));
}

int main() {
  const int threads = 32, n = 9;
  host::Random random(38);
  std::vector<s32> whole(32), wholeOut;
  std::vector<double> real(32), realOut;
  for (auto& v : whole) v = static_cast<s32>(random.below(1000)) - 500;
  for (auto& v : real) v = static_cast<double>(random.below(1000)) / 8;
  for (int i = 0; i < threads; i++) {
    wholeOut.push_back(filled(whole, i));
    realOut.push_back(filled(real, i));
  }
  struct Expression {
    std::string text;
    s32 value, pushes;
  };
  const Expression expressions[] = {
      {"34+2*", 14, 5}, {"99*9*9*", 6561, 7}, {"12-3-4-", -8, 7}, {"92w", 9 * 2 + (9 >> 2), 3}, {"12345++++", 15, 9}, {"7", 7, 1}};
  std::string text;
  std::vector<s32> starts, values;
  host::u32 wholePushes = 100 + threads * 7;  // the seventh push fails, and counts
  for (int i = 0; i < threads; i++) {
    const auto& e = expressions[i % 6];
    starts.push_back(static_cast<s32>(text.size()));
    text += e.text + '\0';
    values.push_back(e.value);
    wholePushes += static_cast<host::u32>(e.pushes);
  }
  host::Program program;
  program.input("whole", whole);
  program.input("real", real);
  program.input("text", std::vector<host::u8>(text.begin(), text.end()));
  program.input("starts", starts);
  program.zeros<s32>("wholeOut", threads);
  program.zeros<double>("realOut", threads);
  program.zeros<s32>("values", threads);
  using host::buffer;
  program.launch("_Z4fillIiEvPKT_iPS0_", {1}, {threads}, {buffer("whole"), host::argS32(n), buffer("wholeOut")});
  program.launch("_Z4fillIdEvPKT_iPS0_", {1}, {threads}, {buffer("real"), host::argS32(n), buffer("realOut")});
  program.launch("evaluate", {1}, {threads}, {buffer("text"), buffer("starts"), buffer("values")});
  program.expect("wholeOut", wholeOut);
  program.expect("realOut", realOut);
  program.expect("values", values);
  program.expectSymbol<s32>("total", {2 * threads * (threads - 1) / 2 + 1000 * threads});
  program.expectSymbol<host::u32>("_Z6pushesIiE", {wholePushes});
  return program.write();
}
