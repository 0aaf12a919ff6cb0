#include "host.hpp"

using host::u32, host::u64;

int main() {
  const int chunks = 90, bytes = 50 * chunks - 13;
  host::Random random(15);
  std::vector<host::u8> data(bytes);
  for (auto& c : data) c = static_cast<host::u8>(255 - random.below(40));  // high bytes: Adler's sums wrap
  std::vector<u32> crcs, adlers;
  for (int begin = 0; begin < bytes; begin += 50) {
    u32 crc = 0xffffffff;
    u64 low = 1, high = 0;
    for (int i = begin; i < std::min(begin + 50, bytes); i++) {
      for (int bit = 0; bit < 8; bit++) {  // bit by bit, without a table
        u32 out = (crc ^ data[i] >> bit) & 1;
        crc >>= 1;
        if (out) crc ^= 0xedb88320;
      }
      low += data[i];
      high += low;
    }
    crcs.push_back(~crc);
    adlers.push_back(static_cast<u32>(high % 65521 << 16 | low % 65521));
  }
  host::Program program;
  program.input("data", data);
  program.zeros<u32>("crcs", chunks);
  program.zeros<u32>("adlers", chunks);
  using host::buffer;
  program.launch("checksums", {3}, {32}, {buffer("data"), host::argS32(bytes), buffer("crcs"), buffer("adlers")});
  program.expect("crcs", crcs);
  program.expect("adlers", adlers);
  return program.write();
}
