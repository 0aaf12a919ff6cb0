#include "host.hpp"

using host::u64;

struct Wide {
  u64 low, high;
  bool operator==(const Wide&) const = default;
};

static bool isLess(Wide a, Wide b) { return a.high != b.high ? a.high < b.high : a.low < b.low; }
static Wide negated(Wide a) { return {~a.low + 1, ~a.high + (a.low == 0)}; }

/** Bit by bit, without any 128-bit type: {quotient, remainder}. */
static std::array<Wide, 2> divided(Wide a, Wide b) {
  Wide quotient{0, 0}, rest{0, 0};
  for (int bit = 127; bit >= 0; bit--) {
    bool carries = rest.high >> 63;
    rest = {rest.low << 1, rest.high << 1 | rest.low >> 63};
    rest.low |= (bit >= 64 ? a.high >> (bit - 64) : a.low >> bit) & 1;
    if (!carries && isLess(rest, b)) continue;
    rest = {rest.low - b.low, rest.high - b.high - (rest.low < b.low)};
    (bit >= 64 ? quotient.high : quotient.low) |= u64{1} << (bit % 64);
  }
  return {quotient, rest};
}

int main() {
  const int n = 256;
  host::Random random(41);
  auto random64 = [&] {
    u64 high = random.next();
    return high << 32 | random.next();
  };
  // Of every length, so that quotients have from one to 128 bits; some at the ends of ranges.
  auto anyWide = [&]() -> Wide {
    unsigned drop = random.below(128);
    Wide x{random64(), random64()};
    if (random.below(8) == 0) x = {~u64{0}, ~u64{0}};
    if (drop >= 64) x = {x.high >> (drop - 64), 0};
    else if (drop > 0) x = {x.low >> drop | x.high << (64 - drop), x.high >> drop};
    return random.below(4) == 0 ? negated(x) : x;
  };
  std::vector<u64> a, b, out;
  auto append = [](std::vector<u64>& to, Wide x) { to.insert(to.end(), {x.low, x.high}); };
  for (int i = 0; i < n; i++) {
    Wide x = anyWide(), y = anyWide();
    if (y == Wide{0, 0}) y = {3, 0};  // division by zero is undefined in C++
    append(a, x), append(b, y);
    auto [quotient, rest] = divided(x, y);
    append(out, quotient), append(out, rest);
    bool below = x.high >> 63, divisorBelow = y.high >> 63;
    auto [magnitude, left] = divided(below ? negated(x) : x, divisorBelow ? negated(y) : y);
    append(out, below != divisorBelow ? negated(magnitude) : magnitude), append(out, below ? negated(left) : left);
  }
  host::Program program;
  program.input("a", a);
  program.input("b", b);
  program.zeros<u64>("out", out.size());
  using host::buffer;
  program.launch("divide", {4}, {n / 4}, {buffer("a"), buffer("b"), buffer("out"), host::argS32(n)});
  program.expect("out", out);
  return program.write();
}
