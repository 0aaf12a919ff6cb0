// What hopper's texture units compute, for the host side of test programs: docs/textures.md, in whole numbers and doubles.
#pragma once

#include "host.hpp"

namespace host {

enum class Mode { clamp, border, wrap, mirror };

/** The texel that stands for index i of n; -1 is the border. */
inline int folded(long i, int n, Mode mode) {
  if (i >= 0 && i < n) return static_cast<int>(i);
  switch (mode) {
    case Mode::clamp: return i < 0 ? 0 : n - 1;
    case Mode::border: return -1;
    case Mode::wrap: return static_cast<int>((i % n + n) % n);
    case Mode::mirror: break;
  }
  long p = (i % (2 * n) + 2 * n) % (2 * n);
  return static_cast<int>(p < n ? p : 2 * n - 1 - p);
}

/** Both texels of a linear fetch in one dimension, and the second's fraction in 1/256. */
struct Taps {
  int first, second, fraction;
};

inline float inTexels(float x, int n, bool normalized) { return normalized ? x * static_cast<float>(n) : x; }

inline Taps taps(float u, int n, Mode mode) {
  long q = static_cast<long>(std::floor(static_cast<double>(u) * 256 + 0.5)) - 128;
  if (mode == Mode::clamp) q = std::clamp(q, 0L, 256L * (n - 1));
  long first = q >> 8;
  return {folded(first, n, mode), folded(first + 1, n, mode), static_cast<int>(q & 255)};
}

/** Weights of four texels that share `total`, x fastest. */
inline std::array<int, 4> shared(int total, int a, int b) {
  int right = (total * a + 128) >> 8, left = total - right;
  int lowerRight = (right * b + 128) >> 8, lowerLeft = (left * b + 127) >> 8;
  return {left - lowerLeft, right - lowerRight, lowerLeft, lowerRight};
}

/** A sum of 8-bit texels by weights of 256, as the float of a normalised read. */
inline float sumU8(int sum) { return static_cast<float>(((sum * 257 + 128) >> 8) / 65535.0); }

}  // namespace host
