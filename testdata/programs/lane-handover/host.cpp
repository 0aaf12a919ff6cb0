#include "host.hpp"

int main() {
  host::Program program;
  host::Random random(5);
  std::vector<host::s32> in(32), chain(32), ready(32, 1);
  for (auto& v : in) v = static_cast<host::s32>(random.below(1000));
  program.input("in", in);
  program.zeros<host::s32>("chain", 32);
  program.zeros<host::s32>("ready", 32);
  program.launch("chain", {1}, {32}, {host::buffer("in"), host::buffer("chain"), host::buffer("ready")});
  host::u32 before = 0;
  for (int i = 31; i >= 0; i--) chain[i] = static_cast<host::s32>(before = before * 3 + static_cast<host::u32>(in[i]));
  program.expect<host::s32>("chain", chain);
  program.expect<host::s32>("ready", ready);

  // Who comes when is open, so what is checked is that nobody was lost: the lock is free, and the list has all.
  const int rounds = 3, threads = 2 * 48;
  program.zeros<host::s32>("list", 2);
  program.zeros<host::s32>("slots", rounds * threads);
  program.launch("insert", {2}, {48}, {host::buffer("list"), host::buffer("slots"), host::argS32(rounds)});
  program.expect<host::s32>("list", {0, rounds * threads});

  std::vector<host::s32> halves(128);
  program.zeros<host::s32>("halves", 128);
  program.launch("halves", {1}, {32}, {host::buffer("in"), host::buffer("halves")});
  for (int i = 0; i < 32; i++)
    for (int step = 0; step < 4; step++)
      halves[4 * i + step] = i < 16 ? in[(i + 1 + step) & 15] + step : in[16 + ((i + 15 - step) & 15)] * (step + 1);
  program.expect<host::s32>("halves", halves);
  return program.write();
}
