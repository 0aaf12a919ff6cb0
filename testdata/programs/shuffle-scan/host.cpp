#include "host.hpp"

using host::s32, host::s64;

int main() {
  const int n = 128;
  host::Random random(36);
  std::vector<s32> in(n), inclusive(n), maxima(n), scanned(n), evens(64);
  std::vector<s64> exclusive(n);
  for (auto& v : in) v = static_cast<s32>(random.below(2000)) - 900;
  for (int i = 0; i < n; i++) {
    inclusive[i] = (i % 32 ? inclusive[i - 1] : 0) + in[i];
    scanned[i] = (i ? scanned[i - 1] : 0) + in[i];
    exclusive[i] = i % 8 ? exclusive[i - 1] + s64{in[i - 1]} * 16777216 : 0;
    s32 best = INT32_MIN;
    for (int k = 0; k < 8; k++) best = std::max(best, in[i / 8 * 8 + k]);
    maxima[i] = best + i % 64 / 8;
  }
  for (int i = 0; i < 64; i++) {
    s32 sum = 0, size = 0, rank = 0;
    for (int k = i / 32 * 32; k < i / 32 * 32 + 32; k++)
      if (((in[k] ^ in[i]) & 1) == 0) sum += in[k], size++, rank += k < i;
    evens[i] = sum * 64 + size + rank * 1000000;
  }
  host::Program program;
  program.input("in", in);
  program.zeros<s32>("inclusive", n);
  program.zeros<s64>("exclusive", n);
  program.zeros<s32>("maxima", n);
  program.zeros<s32>("scanned", n);
  program.zeros<s32>("evens", 64);
  using host::buffer;
  program.launch("scans", {2}, {64}, {buffer("in"), buffer("inclusive"), buffer("exclusive"), buffer("maxima")});
  program.launch("blockScan", {1}, {128}, {buffer("in"), buffer("scanned")});
  program.launch("evens", {1}, {64}, {buffer("in"), buffer("evens")});
  program.expect("inclusive", inclusive);
  program.expect("exclusive", exclusive);
  program.expect("maxima", maxima);
  program.expect("scanned", scanned);
  program.expect("evens", evens);
  return program.write();
}
