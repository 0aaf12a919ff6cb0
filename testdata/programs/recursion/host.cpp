#include "host.hpp"

#include <utility>

using host::s32;

/** Towers of Hanoi without recursion: move k (from 1) takes the disk of k's lowest set bit; odd disks travel one way round. */
static std::vector<host::u8> hanoiMoves(int disks) {
  std::vector<host::u8> moves;
  std::vector<int> peg(disks, 1);
  for (unsigned k = 1; k < 1u << disks; k++) {
    int disk = std::countr_zero(k);
    bool backwards = (disks - disk) % 2 == 1;  // 1 -> 3 -> 2 -> 1
    int from = peg[disk], to = backwards ? (from + 1) % 3 + 1 : from % 3 + 1;
    moves.push_back(static_cast<host::u8>(from * 4 + to));
    peg[disk] = to;
  }
  return moves;
}

int main() {
  const int threads = 32, towers = 5, runs = 32, length = 24;
  std::vector<s32> fib(threads), ack(threads), mutual(threads), used(towers);
  for (int t = 0; t < threads; t++) {
    s32 a = 0, b = 1;
    for (int i = 0; i < t % 11; i++) b += std::exchange(a, b);
    fib[t] = a;
    int n = t / 8;
    ack[t] = t % 3 == 0 ? n + 1 : t % 3 == 1 ? n + 2 : 2 * n + 3;
    // Unwound from the innermost call outwards: the outermost is even, so level k is even when k is.
    int depth = t % 13;
    s32 value = depth % 2 == 0 ? 1 : 0;
    for (int level = depth - 1; level >= 0; level--) value = level % 2 == 0 ? value + 2 : value * 3;
    mutual[t] = value;
  }
  std::vector<host::u8> log(towers * 32);
  for (int t = 0; t < towers; t++) {
    auto moves = hanoiMoves(t + 1);
    std::copy(moves.begin(), moves.end(), log.begin() + t * 32);
    used[t] = static_cast<s32>(moves.size());
  }
  host::Random random(17);
  std::vector<s32> data(runs * length);
  for (auto& v : data) v = static_cast<s32>(random.below(60)) - 30;
  host::Program program;
  program.input("data", data);
  for (int run = 0; run < runs; run++)
    std::sort(data.begin() + run * length, data.begin() + (run + 1) * length - run % 7);
  program.zeros<s32>("fib", threads);
  program.zeros<s32>("ack", threads);
  program.zeros<s32>("mutual", threads);
  program.zeros<host::u8>("log", log.size());
  program.zeros<s32>("used", towers);
  using host::buffer;
  program.launch("numbers", {1}, {threads}, {buffer("fib"), buffer("ack"), buffer("mutual")});
  program.launch("towers", {1}, {towers}, {buffer("log"), buffer("used")});
  program.launch("sortRuns", {1}, {runs}, {buffer("data"), host::argS32(length)});
  program.expect("fib", fib);
  program.expect("ack", ack);
  program.expect("mutual", mutual);
  program.expect("log", log);
  program.expect("used", used);
  program.expect("data", data);
  return program.write();
}
