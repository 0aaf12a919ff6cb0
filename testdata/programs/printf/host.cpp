#include "host.hpp"

template <class... T>
static std::string formatted(const char* format, T... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

int main() {
  const int negative = -1234;
  const unsigned big = 3000000000u;
  const long long wide = -81985529216486896ll;
  const double real = 1234.56789;
  const char* word = "string";
  host::Program program;
  program.input("word", std::vector<host::u8>(word, word + 7));
  program.zeros<host::s32>("counts", 8);
  program.launch("conversions", {1}, {1}, {host::argS32(negative), host::argU32(big), host::argS64(wide), host::argF64(real),
                                          host::buffer("word"), host::buffer("counts")});
  program.print("plain text, 100%\n");
  program.print(formatted("[%d] [%i] [%u] [%x] [%X] [%o] [%c]\n", negative, negative, big, big, big, big, 'k'));
  program.print(formatted("[%8d] [%-8d] [%08d] [%+d] [% d] [%.5d]\n", negative, negative, negative, 17, 17, 17));
  program.print(formatted("[%#x] [%#o] [%lld] [%llu] [%llx] [%ld]\n", big, big, wide, wide, wide, static_cast<long>(wide)));
  program.print(formatted("[%f] [%.2f] [%10.3f] [%-10.1f] [%+.0f] [%010.4f]\n", real, real, real, real, real, real));
  program.print(formatted("[%e] [%.3E] [%g] [%G] [%g] [%a]\n", real, real, real, real * 1e20, 0.5, 1.0));
  program.print(formatted("[%s] [%10s] [%-10s] [%.3s]\n", word, word, "left", "truncated"));
  program.print(formatted("[%f] [%g] [%f]\n", 1.5 * negative, HUGE_VAL, -HUGE_VAL));
  const int blocks = 3, rounds = 2;
  program.launch("greet", {blocks}, {32}, {host::argS32(rounds)});
  for (int block = 0; block < blocks; block++)
    for (int i = 0; i < rounds; i++)
      program.print(formatted("block %d of %d, thread %d: %.3f\n", block, blocks, i, block * 0.25 + i));
  program.expect<host::s32>("counts", {0, 7, 6, 6, 6, 6, 4, 3});
  return program.write();
}
