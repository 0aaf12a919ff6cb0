// Small floating-point formats for host programs: bits to and from wider types, by integer arithmetic.
#pragma once

#include "host.hpp"

namespace host {

/** A format with `fraction` stored fraction bits and exponent bias `bias`, whose top exponent is infinity and NaN. */
template <int fraction, int bias>
struct Small {
  static constexpr int topExponent = 2 * bias + 1;
  static constexpr u16 infinity = static_cast<u16>(topExponent << fraction);

  static double decode(u16 bits) {
    int exponent = (bits & 0x7fff) >> fraction, significand = bits & ((1 << fraction) - 1);
    double magnitude = exponent == topExponent ? (significand ? NAN : HUGE_VAL)
                       : exponent == 0         ? std::ldexp(significand, 1 - bias - fraction)
                                               : std::ldexp(significand + (1 << fraction), exponent - bias - fraction);
    return bits & 0x8000 ? -magnitude : magnitude;
  }

  enum class Round { nearest, zero, up, down };

  /** The value rounded once. NaN becomes 0x7fff. */
  static u16 encode(long double value, Round round = Round::nearest) {
    if (std::isnan(value)) return 0x7fff;
    bool negative = std::signbit(value);
    u16 sign = negative ? 0x8000 : 0;
    long double magnitude = negative ? -value : value;
    if (std::isinf(value)) return sign | infinity;
    if (magnitude == 0) return sign;
    int exponent = std::max(std::ilogb(magnitude), 1 - bias);
    long double scaled = std::ldexp(magnitude, fraction - exponent);  // in units of the last place
    long double whole = std::floor(scaled), rest = scaled - whole;
    bool away = round == Round::nearest ? rest > 0.5L || (rest == 0.5L && std::fmod(whole, 2.0L) == 1)
                : round == Round::zero  ? false
                                        : rest > 0 && negative == (round == Round::down);
    auto significand = static_cast<u32>(whole) + away;
    u32 bits = (static_cast<u32>(exponent + bias - 1) << fraction) + significand;  // a carry moves into the exponent
    if (bits < infinity) return static_cast<u16>(sign | bits);
    bool toLargest = round == Round::zero || (round == Round::up && negative) || (round == Round::down && !negative);
    return static_cast<u16>(sign | (toLargest ? infinity - 1 : infinity));
  }
};

using Half = Small<10, 15>;
using Bfloat = Small<7, 127>;

}  // namespace host
