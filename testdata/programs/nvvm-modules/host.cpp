#include "host.hpp"

using host::u32;

static u32 shape(u32 x) {
  const u32 primes[4] = {2, 3, 5, 7};
  for (u32 i = 0; i < 4; i++) x = (x * primes[i]) ^ i;
  return x;
}

static u32 apply(u32 x, u32 steps) {
  for (u32 i = 0; i < steps; i++) x = i % 3 == 0 ? x * 2 : i % 3 == 1 ? 0u - x : x * x;
  return x;
}

int main() {
  const u32 weights[8] = {1, 1, 2, 3, 5, 8, 13, 21};
  const u32 n = 150;
  host::Random random(7);
  std::vector<u32> in(n), out(n);
  for (u32& value : in) value = random.next();
  for (u32 i = 0; i < n; i++) {
    const u32 near = (i ^ 1) < n ? in[i ^ 1] : 0;
    out[i] = apply(shape(in[i] + near), i & 3) + weights[i & 7];
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("out", n);
  program.launch("run", {3}, {64}, {host::buffer("out"), host::buffer("in"), host::argU32(n)});
  program.expect("out", out);
  program.expectSymbol("counter", std::vector<u32>{n});
  return program.write();
}
