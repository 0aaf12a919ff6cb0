#include "host.hpp"

using host::u8;
using State = std::array<u8, 16>;

/** The box by walking the field: p runs through the powers of 3, q through those of its inverse. */
std::array<u8, 256> makeBox() {
  std::array<u8, 256> box{};
  u8 p = 1, q = 1;
  do {
    p = static_cast<u8>(p ^ p << 1 ^ (p & 0x80 ? 0x1b : 0));
    q = static_cast<u8>(q ^ q << 1);
    q = static_cast<u8>(q ^ q << 2);
    q = static_cast<u8>(q ^ q << 4);
    if (q & 0x80) q ^= 0x09;
    box[p] = static_cast<u8>(q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^ std::rotl(q, 4) ^ 0x63);
  } while (p != 1);
  box[0] = 0x63;
  return box;
}

u8 twice(u8 x) { return static_cast<u8>(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

/** The standard's steps on bytes, column after column. */
State encrypted(State s, const State& key, const std::array<u8, 256>& box) {
  State round = key;
  u8 constant = 1;
  auto addKey = [&] {
    for (int i = 0; i < 16; i++) s[i] ^= round[i];
  };
  addKey();
  for (int n = 1; n <= 10; n++) {
    State shifted;
    for (int column = 0; column < 4; column++)
      for (int row = 0; row < 4; row++) shifted[column * 4 + row] = box[s[(column + row) % 4 * 4 + row]];
    s = shifted;
    if (n < 10)
      for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
          auto at = [&](int i) { return shifted[column * 4 + (row + i) % 4]; };
          s[column * 4 + row] = static_cast<u8>(twice(at(0)) ^ twice(at(1)) ^ at(1) ^ at(2) ^ at(3));
        }
    for (int i = 0; i < 4; i++) round[i] ^= static_cast<u8>(box[round[12 + (i + 1) % 4]] ^ (i == 0 ? constant : 0));
    for (int i = 4; i < 16; i++) round[i] ^= round[i - 4];
    constant = twice(constant);
    addKey();
  }
  return s;
}

int main() {
  const int blocks = 75;
  const auto box = makeBox();
  // The example of FIPS 197, appendix C.1.
  State key, plain;
  for (int i = 0; i < 16; i++) key[i] = static_cast<u8>(i), plain[i] = static_cast<u8>(i * 0x11);
  if (encrypted(plain, key, box)[0] != 0x69 || encrypted(plain, key, box)[15] != 0x5a) return 1;
  host::Random random(233);
  for (auto& v : key) v = static_cast<u8>(random.next());
  State start;
  start.fill(0xff);
  start[0] = 7, start[15] = 0xe0;  // the counter carries through all words after 32 blocks
  std::vector<u8> in(blocks * 16), out(blocks * 16);
  for (auto& v : in) v = static_cast<u8>(random.next());
  State counter = start;
  for (int block = 0; block < blocks; block++) {
    State stream = encrypted(counter, key, box);
    for (int i = 0; i < 16; i++) out[block * 16 + i] = in[block * 16 + i] ^ stream[i];
    for (int i = 15; i >= 0 && ++counter[i] == 0; i--) continue;
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u8>("out", out.size());
  using host::argBytes, host::argS32, host::buffer;
  program.launch("counterMode", {1}, {96}, {buffer("in"), buffer("out"), argBytes(key), argBytes(start), argS32(blocks)});
  program.expect("out", out);
  return program.write();
}
