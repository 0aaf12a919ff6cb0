#include "host.hpp"

int main() {
  const int n = 70;
  host::Random random(13);
  std::vector<host::u32> in(n), quotients(n), remainders(n);
  const host::u16 divisor = 997;
  for (int i = 0; i < n; i++) {
    in[i] = random.next();
    quotients[i] = in[i] / divisor;
    remainders[i] = in[i] % divisor;
  }
  host::Program program;
  program.input("in", in);
  program.zeros<host::u32>("quotients", n);
  program.zeros<host::u32>("remainders", n);
  using host::buffer;
  program.launch("split", {3}, {32},
                 {buffer("in"), buffer("quotients"), buffer("remainders"), host::argBytes(divisor), host::argU32(n)});
  program.expect("quotients", quotients);
  program.expect("remainders", remainders);
  return program.write();
}
