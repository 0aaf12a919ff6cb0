#include "host.hpp"

using host::s32;

int main() {
  const int blocks = 2, threads = 64, n = blocks * threads, accounts = 10;
  s32 total = 0;
  std::vector<s32> balances(accounts, 1000);
  for (int i = 0; i < n; i++) {
    total += i * i;
    balances[i * 7 % accounts] -= i;
    balances[(i * 3 + 1) % accounts] += i;
  }
  host::Program program;
  program.zeros<s32>("lock", 1);
  program.zeros<s32>("length", 1);
  program.zeros<s32>("total", 1);
  program.zeros<s32>("log", n);  // in an order of its own: not an output
  program.zeros<host::u32>("locks", accounts);
  program.fill<s32>("balances", accounts, 1000);
  program.zeros<s32>("handedOver", 1);
  using host::buffer;
  program.launch("lockedLog", {blocks}, {threads}, {buffer("lock"), buffer("length"), buffer("total"), buffer("log")});
  program.launch("transfers", {blocks}, {threads}, {buffer("locks"), buffer("balances"), host::argS32(accounts)});
  program.launch("handOver", {1}, {128}, {buffer("handedOver")});
  program.expect<s32>("lock", {0});
  program.expect<s32>("length", {n});
  program.expect<s32>("total", {total});
  program.expect("locks", std::vector<host::u32>(accounts));
  program.expect("balances", balances);
  program.expect<s32>("handedOver", {4711});
  return program.write();
}
