#include "host.hpp"

using host::u32;

/** Subnormal numbers are zeros of their sign, as inputs and as results. */
static float flush(float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; }

int main() {
  const float values[] = {0x1p-149f, -0x1.8p-130f, 0x1p-126f, -0x1p-126f, 0x1.8p-100f, -0x1.4p-60f, 0.0f, -0.0f,
                          1.0f,      -1.5f,        0x1.fp-70f, 3.0f,       0x1p-125f,   0x1.2p-127f, 7.0f, 0x1p100f};
  const int n = 64;
  host::Random random(14);
  std::vector<float> in;
  std::vector<u32> out;
  for (int i = 0; i < n; i++) {
    const float a = values[random.below(16)], b = std::abs(values[random.below(16)]);
    in.push_back(a);
    in.push_back(b);
    const float fa = flush(a), fb = flush(b);
    auto put = [&](float x) { out.push_back(std::bit_cast<u32>(x)); };
    put(flush(fa + fb));
    put(flush(fa * fb));
    put(flush(std::fmaf(fa, fb, fa)));
    put(-fa);
    // Of two zeros, PTX takes the positive one for the larger.
    put(fa == 0 && fb == 0 ? (std::signbit(fa) && std::signbit(fb) ? -0.0f : 0.0f) : std::fmax(fa, fb));
    out.push_back(fa < fb);
    out.push_back(fa == fb ? ~0u : 0);
    put(fa >= 0 ? 1.0f : 2.0f);
    put(fa);
    put(fa < fb ? a : b);
    put(flush(fa / 4));
    out.push_back(0);
    const double da = a, db = static_cast<double>(b) + 1.5;
    const host::u64 quotient = std::bit_cast<host::u64>(da / db);
    out.push_back(static_cast<u32>(quotient));
    out.push_back(static_cast<u32>(quotient >> 32));
    put(static_cast<float>(std::fma(da, db, da)));
    put(static_cast<float>(std::sqrt(db)));
  }
  host::Program program;
  program.input("in", in);
  program.zeros<u32>("out", 16 * n);
  using host::buffer;
  program.launch("arithmetic", {1}, {n}, {buffer("in"), buffer("out")});
  program.expect("out", out);
  return program.write();
}
