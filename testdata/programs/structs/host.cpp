#include "host.hpp"

struct Mixed {  // the device's layout: the ABI's rules are the same on both sides
  host::u8 tag;
  host::u8 gap1[7];
  double weight;
  std::int16_t pair[2];
  float point[3];
  host::s64 id;
};
static_assert(sizeof(Mixed) == 40);
struct alignas(16) Table {
  host::s32 entries[12];
  host::u8 keys[12];
  host::u8 gap[4];
};
static_assert(sizeof(Table) == 64);

static void change(Mixed& m, int by) {
  m.tag = static_cast<host::u8>(m.tag + by);
  m.weight = m.weight * by;
  m.pair[by % 2] = static_cast<std::int16_t>(m.pair[by % 2] - by);
  float a[3] = {m.point[0], m.point[1], m.point[2]}, b[3] = {1.0f, static_cast<float>(by), -2.0f};
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    float left = a[j] * b[k], right = a[k] * b[j];
    m.point[i] = left - right;
  }
  m.id ^= host::s64{by} * (host::s64{1} << 40);
}

int main() {
  const int threads = 32;
  Mixed seed{'A', {}, 2.5, {-7, 30000}, {0.1f, -0.7f, 3.3f}, 0x123456789abcdef};
  Table table{};
  for (int i = 0; i < 12; i++) {
    table.entries[i] = i * i - 50;
    table.keys[i] = static_cast<host::u8>((i * 7 + 3) % 24);
  }
  std::vector<host::u8> mixed;
  std::vector<host::s32> found;
  const int step = 2;
  for (int i = 0; i < threads; i++) {
    Mixed m = seed;
    change(m, i);
    change(m, 3);
    const auto* bytes = reinterpret_cast<const host::u8*>(&m);
    mixed.insert(mixed.end(), bytes, bytes + sizeof m);
    int result = -1;
    for (int k = 11; k >= 0; k--)
      if (table.keys[k] == i) result = table.entries[(k + i % 5 + step) % 12];
    found.push_back(result + table.entries[i % 12]);
  }
  host::Program program;
  // The gap after `tag` belongs to nobody: the kernel may copy it or leave the zeros that are there.
  program.zeros<host::u8>("mixed", mixed.size());
  program.zeros<host::s32>("found", threads);
  program.launch("_Z10mixStructs5MixedPS_", {1}, {threads}, {host::argBytes(seed), host::buffer("mixed")});
  program.launch("lookUp", {1}, {threads}, {host::argBytes(table), host::argS32(step), host::buffer("found")});
  program.expect("mixed", mixed);
  program.expect("found", found);
  return program.write();
}
