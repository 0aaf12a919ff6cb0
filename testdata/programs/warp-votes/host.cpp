#include "host.hpp"

using host::s32, host::u32;

int main() {
  const int n = 128;
  host::Random random(24);
  std::vector<s32> in(n), reductions, shuffles;
  for (int i = 0; i < n; i++) in[i] = static_cast<s32>(random.below(i < 64 ? 12 : 2000)) - (i < 96 ? 4 : 1000);
  for (int i = 32; i < 64; i++) in[i] = 7 + 2 * (i % 3);  // one warp where all are odd and near each other
  std::vector<u32> votes(6 * n);
  s32 count = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    int warp = i / 32 * 32, lane = i % 32;
    auto ballot = [&](int from, int to, auto predicate) {
      u32 mask = 0;
      for (int l = from; l < to; l++)
        if (predicate(in[warp + l])) mask |= 1u << l;
      return mask;
    };
    const u32 all = 0xffffffff;
    u32 positive = ballot(0, 32, [](s32 v) { return v > 0; });
    u32 odd = ballot(0, 32, [](s32 v) { return v & 1; });
    bool any = ballot(0, 32, [](s32 v) { return v == 7; }) != 0, every = ballot(0, 32, [](s32 v) { return v > -50; }) == all;
    u32 place = 0;
    for (int l = 0; l < lane; l++) place += positive >> l & 1;
    bool same = ballot(0, 32, [&](s32 v) { return v / 1000 == in[warp] / 1000; }) == all;
    votes[i] = positive;
    votes[n + i] = place;
    votes[2 * n + i] = any * 4u + every * 2u + (odd == 0 || odd == all);
    votes[3 * n + i] = ballot(0, 32, [&](s32 v) { return v == in[i]; });
    votes[4 * n + i] = same ? all - 1 : 0;
    votes[5 * n + i] = lane < 16 ? ballot(0, 16, [](s32 v) { return (v & 2) != 0; })
                                 : ballot(16, 32, [&](s32 v) { return (v & 3) == (in[i] & 3); });
    u32 total = 0, conjunction = all, disjunction = 0, parity = 0, least = all, greatest = 0;
    s32 minimum = INT32_MAX, maximum = INT32_MIN;
    for (int l = 0; l < 32; l++) {
      s32 v = in[warp + l];
      u32 u = static_cast<u32>(v);
      total += u, conjunction &= u | 0xff, disjunction |= u & 0xf0f0, parity ^= u;
      least = std::min(least, u), greatest = std::max(greatest, u);
      minimum = std::min(minimum, v), maximum = std::max(maximum, v);
    }
    for (u32 v : {total, static_cast<u32>(minimum), static_cast<u32>(maximum), least, greatest, conjunction, disjunction, parity})
      reductions.push_back(static_cast<s32>(v));
    if (in[i] % 3 == 0) count++, sum += in[i];
  }
  for (int lane = 0; lane < 32; lane++) {
    int in8 = lane / 8 * 8, in4 = lane / 4 * 4, in16 = lane / 16 * 16;
    int from[8] = {lane * 7 % 32,
                   in8 + (lane + 3) % 8,
                   lane < 5 ? lane : lane - 5,
                   lane - 3 < in16 ? lane : lane - 3,
                   lane + 9 > 31 ? lane : lane + 9,
                   lane + 1 > in4 + 3 ? lane : lane + 1,
                   lane ^ 21,
                   // A partner in an earlier group is read; one in a later group is out of bounds.
                   (lane ^ 12) > in8 + 7 ? lane : lane ^ 12};
    for (int l : from) shuffles.push_back(in[l]);
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("votes", votes.size());
  program.zeros<s32>("reductions", reductions.size());
  program.zeros<s32>("shuffles", shuffles.size());
  program.zeros<s32>("count", 1);
  program.zeros<s32>("sum", 1);
  using host::buffer;
  program.launch("votes", {2}, {64}, {buffer("in"), buffer("votes")});
  program.launch("reductions", {n / 32}, {32}, {buffer("in"), buffer("reductions")});
  program.launch("shuffles", {1}, {32}, {buffer("in"), buffer("shuffles")});
  program.launch("compact", {2}, {64}, {buffer("in"), buffer("count"), buffer("sum")});
  program.expect("votes", votes);
  program.expect("reductions", reductions);
  program.expect("shuffles", shuffles);
  program.expect<s32>("count", {count});
  program.expect<s32>("sum", {sum});
  return program.write();
}
