#include "host.hpp"

using host::u32;

static std::vector<u32> sineTable() {
  std::vector<u32> table(64);
  for (int i = 0; i < 64; i++) table[i] = static_cast<u32>(std::floor(std::fabs(std::sin(i + 1.0)) * 4294967296.0));
  return table;
}

/** One round of 16 steps with its own function and word order, as RFC 1321 writes it. */
template <class F>
static void round16(u32 (&s)[4], const u32* x, const u32* t, int start, int stride, std::array<int, 4> turns, F f) {
  for (int i = 0; i < 16; i++) {
    u32& a = s[(16 - i) % 4];
    u32 b = s[(17 - i) % 4], c = s[(18 - i) % 4], d = s[(19 - i) % 4];
    a = b + std::rotl(a + f(b, c, d) + x[(start + stride * i) % 16] + t[i], turns[i % 4]);
  }
}

int main() {
  const int n = 70;
  host::Random random(14);
  std::vector<u32> records(n * 10), table = sineTable(), digests;
  for (auto& word : records) word = random.next();
  for (int id = 0; id < n; id++) {
    u32 x[16] = {}, s[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}, before[4];
    std::copy_n(&records[id * 10], 10, x);
    x[10] = 0x80;
    x[14] = 40 * 8;
    std::copy_n(s, 4, before);
    round16(s, x, &table[0], 0, 1, {7, 12, 17, 22}, [](u32 b, u32 c, u32 d) { return d ^ (b & (c ^ d)); });
    round16(s, x, &table[16], 1, 5, {5, 9, 14, 20}, [](u32 b, u32 c, u32 d) { return c ^ (d & (b ^ c)); });
    round16(s, x, &table[32], 5, 3, {4, 11, 16, 23}, [](u32 b, u32 c, u32 d) { return b ^ c ^ d; });
    round16(s, x, &table[48], 0, 7, {6, 10, 15, 21}, [](u32 b, u32 c, u32 d) { return c ^ (b | ~d); });
    for (int i = 0; i < 4; i++) digests.push_back(s[i] + before[i]);
  }
  host::Program program;
  program.input("records", records);
  program.symbol("sines", table);
  program.zeros<u32>("digests", digests.size());
  program.launch("md5", {2}, {64}, {host::buffer("records"), host::buffer("digests"), host::argS32(n)});
  program.expect("digests", digests);
  return program.write();
}
