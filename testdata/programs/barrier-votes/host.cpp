#include "host.hpp"

using host::s32;

int main() {
  const int blocks = 3, threads = 96, rounds = 5;
  host::Random random(35);
  std::vector<s32> in(blocks * threads), votes(blocks), stream(rounds * 64), piped(rounds * 64), left(64);
  for (int i = 0; i < blocks * threads; i++) {
    in[i] = static_cast<s32>(random.below(60)) - (i < 2 * threads ? 20 : 70);
    if (i < 2 * threads && in[i] == 42) in[i] = 41;
  }
  in[threads + 70] = 42;
  in[2 * threads + 5] = -70;
  for (int b = 0; b < blocks; b++) {
    int count = 0;
    bool every = true, some = false;
    for (int t = 0; t < threads; t++) {
      s32 v = in[b * threads + t];
      count += v > 10;
      every = every && v > -60;
      some = some || v == 42;
    }
    votes[b] = count * 4 + every * 2 + some;
  }
  for (auto& v : stream) v = static_cast<s32>(random.below(100000));
  for (int i = 0; i < rounds * 64; i++) piped[i] = stream[i / 64 * 64 + 63 - i % 64] * 3 + 1;
  for (int t = 0; t < 64; t += 2) {
    int above = 0;
    for (int lane = 0; lane < 32; lane += 2) above += (t / 32 * 32 + lane + 2) % 64 * 10 > 200;
    left[t] = (t + 2) % 64 * 10 + above;
  }
  host::Program program;
  program.input("in", in);
  program.input("stream", stream);
  program.zeros<s32>("votes", blocks);
  program.zeros<s32>("piped", piped.size());
  program.zeros<s32>("left", 64);
  using host::buffer;
  program.launch("votes", {blocks}, {threads}, {buffer("in"), buffer("votes")});
  program.launch("pipeline", {1}, {128}, {buffer("stream"), host::argS32(rounds), buffer("piped")});
  program.launch("leavers", {1}, {64}, {buffer("left")});
  program.expect("votes", votes);
  program.expect("piped", piped);
  program.expect("left", left);
  return program.write();
}
