#include "host.hpp"

using host::s32, host::s64, host::u32, host::u64, host::u8;

/** Byte `selector & 7` of y:x, or with bit 3 set its sign bit eight times over. */
static u32 selectByte(u32 x, u32 y, u32 selector) {
  u64 both = u64{y} << 32 | x;
  u32 byte = static_cast<u32>(both >> (selector & 7) * 8) & 255;
  return selector & 8 ? (byte & 128 ? 255 : 0) : byte;
}

template <class F>
static u32 fourBytes(F f) {
  u32 word = 0;
  for (u32 i = 0; i < 4; i++) word |= (f(i) & 255) << i * 8;
  return word;
}

int main() {
  const int n = 64;
  host::Random random(25);
  std::vector<u32> a(n), b(n), c(n), counts(12 * n), moved(10 * n), fields(15 * n);
  for (int i = 0; i < n; i++) {
    a[i] = random.next() >> random.below(32);
    b[i] = random.next() << random.below(20);
    c[i] = random.next();
    if (i % 5 == 0) a[i] = ~a[i];
  }
  a[0] = 0, b[0] = 0;
  a[1] = 0xffffffff, b[1] = 0xffffffff;
  a[2] = 0, b[2] = 1;
  a[3] = 0x80000000, b[3] = 0x80000000;
  for (int i = 0; i < n; i++) {
    u32 x = a[i], y = b[i], z = c[i];
    u64 wide = u64{x} << 32 | y;
    s32 sx = static_cast<s32>(x), sy = static_cast<s32>(y), sz = static_cast<s32>(z);
    auto bit = [](u64 word, int at) { return static_cast<u32>(word >> at & 1); };
    u32 population = 0, population64 = 0, reversed = 0, top = ~0u, first = 0, first64 = 0, signTop = ~0u, nth = ~0u;
    u64 reversed64 = 0;
    for (int at = 0, seen = 0; at < 64; at++) {
      population64 += bit(wide, at);
      reversed64 |= (wide >> at & 1) << (63 - at);
      if (bit(wide, at) && !first64) first64 = static_cast<u32>(at) + 1;
      if (at >= 32) continue;
      population += bit(x, at);
      reversed |= bit(x, at) << (31 - at);
      if (bit(x, at)) top = static_cast<u32>(at);
      if (bit(x, at) && !first) first = static_cast<u32>(at) + 1;
      if (bit(x, at) != bit(x, 31)) signTop = static_cast<u32>(at);
      if (bit(x, at) && ++seen == static_cast<int>(y % 9) + 1) nth = static_cast<u32>(at);
    }
    u32 leading64 = x ? 31 - top : 64;
    if (!x && y) leading64 = static_cast<u32>(std::countl_zero(wide));
    u32 row1[12] = {population, population64, 31 - top, leading64, reversed, static_cast<u32>(reversed64 >> 7),
                    first,      first64,      top,      x ? 31 - top : ~0u, signTop, nth};
    if (!x) row1[2] = 32;
    for (int k = 0; k < 12; k++) counts[k * n + i] = row1[k];

    u32 at = z & 3, by = z & 31, clamped = std::min(z % 64, 32u);
    u64 yx = u64{y} << 32 | x;
    u32 row2[10] = {fourBytes([&](u32 k) { return selectByte(x, y, z >> 4 * k & 7); }),
                    fourBytes([&](u32 k) { return selectByte(x, y, z >> 4 * k & 15); }),
                    fourBytes([&](u32 k) { return selectByte(x, y, at + k); }),
                    fourBytes([&](u32) { return selectByte(x, y, at); }),
                    fourBytes([&](u32 k) { return selectByte(x, y, std::max(k, at)); }),
                    static_cast<u32>(yx << by >> 32),
                    static_cast<u32>(yx >> by),
                    clamped == 32 ? x : static_cast<u32>(yx << clamped >> 32),
                    static_cast<u32>(yx >> clamped),
                    (x & y) | (~x & z)};
    for (int k = 0; k < 10; k++) moved[k * n + i] = row2[k];

    u32 position = z % 40, length = z / 256 % 40, field = 0, signedField = 0, inserted = y;
    u32 fill = length == 0 ? 0 : bit(x, static_cast<int>(std::min(position + length - 1, 31u)));
    for (u32 k = 0; k < 32; k++) {
      u32 source = position + k;
      if (k < length && source < 32) field |= bit(x, static_cast<int>(source)) << k;
      signedField |= (k < length && source < 32 ? bit(x, static_cast<int>(source)) : fill) << k;
      if (k < length && source < 32) inserted = (inserted & ~(1u << source)) | bit(x, static_cast<int>(k)) << source;
    }
    auto s8at = [](u32 word, int k) { return static_cast<s32>(static_cast<std::int8_t>(word >> k * 8)); };
    auto u8at = [](u32 word, int k) { return word >> k * 8 & 255; };
    auto s16at = [](u32 word, int k) { return static_cast<s32>(static_cast<std::int16_t>(word >> k * 16)); };
    u32 dotSigned = z, dotUnsigned = z, dotLow = z, dotHigh = z;
    for (int k = 0; k < 4; k++) {
      dotSigned += static_cast<u32>(s8at(x, k) * s8at(y, k));
      dotUnsigned += u8at(x, k) * u8at(y, k);
    }
    for (int k = 0; k < 2; k++) {
      dotLow += static_cast<u32>(s16at(x, k) * s8at(y, k));
      dotHigh += (x >> 16 * k & 0xffff) * u8at(y, k + 2);
    }
    auto low24 = [](u32 word) { return static_cast<s64>(static_cast<s32>(word << 8) >> 8); };
    u32 bytes = fourBytes([&](u32 k) { return u8at(x, static_cast<int>(k)) + u8at(y, static_cast<int>(k)); });
    u32 differences = fourBytes([&](u32 k) {
      return static_cast<u32>(std::abs(static_cast<s32>(u8at(y, static_cast<int>(k))) - static_cast<s32>(u8at(z, static_cast<int>(k)))));
    });
    u32 larger = 0;
    for (int k = 0; k < 2; k++) larger |= static_cast<u32>(std::max(s16at(x, k), s16at(z, k)) & 0xffff) << 16 * k;
    u32 row3[15] = {field,
                    signedField,
                    inserted,
                    dotSigned,
                    dotUnsigned,
                    dotLow,
                    dotHigh,
                    z + static_cast<u32>(std::abs(s64{sx} - sy)),
                    z + (x > y ? x - y : y - x),
                    static_cast<u32>(low24(x) * low24(y)),
                    static_cast<u32>(u64{x & 0xffffff} * (y & 0xffffff)) + z,
                    static_cast<u32>(s64{sx} * sy >> 32) + static_cast<u32>(sz),
                    static_cast<u32>(u64{x} * y >> 32),
                    static_cast<u32>((s64{sx} + sy) >> 1),
                    bytes ^ differences ^ larger};
    for (int k = 0; k < 15; k++) fields[k * n + i] = row3[k];
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.input("c", c);
  program.zeros<u32>("counts", counts.size());
  program.zeros<u32>("moved", moved.size());
  program.zeros<u32>("fields", fields.size());
  using host::argS32, host::buffer;
  program.launch("counts", {2}, {32}, {buffer("a"), buffer("b"), buffer("counts"), argS32(n)});
  program.launch("rearrange", {2}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("moved"), argS32(n)});
  program.launch("fields", {2}, {32}, {buffer("a"), buffer("b"), buffer("c"), buffer("fields"), argS32(n)});
  program.expect("counts", counts);
  program.expect("moved", moved);
  program.expect("fields", fields);
  return program.write();
}
