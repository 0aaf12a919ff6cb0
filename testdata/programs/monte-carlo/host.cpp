#include "host.hpp"

using host::u32, host::u64;

struct Generator {
  u64 state = 0, step;
  explicit Generator(u32 stream) : step(u64{stream} << 1 | 1) {
    draw();
    state += 0x853c49e6748fea9bull;
    draw();
  }
  u32 draw() {
    u64 s = state;
    state = s * 6364136223846793005ull + step;
    return std::rotr(static_cast<u32>((s ^ s >> 18) >> 27), static_cast<int>(s >> 59));
  }
  float unit() { return static_cast<float>((draw() >> 9) * 2 + 1) / 16777216.0f; }
};

int main() {
  const unsigned threads = 128;
  const int samples = 40;
  u32 inside = 0;
  std::vector<float> normals;
  for (u32 id = 0; id < threads; id++) {
    Generator points(id);
    for (int i = 0; i < samples; i++) {
      float x = points.unit(), y = points.unit();
      if (std::fmaf(x, x, y * y) < 1.0f) inside++;
    }
    Generator pairs(id);
    double u = pairs.unit();
    float angle = 6.28318530717958647692f * pairs.unit();
    double radius = std::sqrt(-2 * std::log(u));
    normals.insert(normals.end(), {static_cast<float>(radius * std::cos(double{angle})),
                                   static_cast<float>(radius * std::sin(double{angle}))});
  }
  host::Program program;
  program.zeros<u32>("inside", 1);
  program.zeros<float>("exact", normals.size());
  program.zeros<float>("fast", normals.size());
  program.launch("countInside", {2}, {64}, {host::argS32(samples), host::buffer("inside")});
  program.launch("boxMuller", {2}, {64}, {host::buffer("exact"), host::buffer("fast")});
  program.expect<u32>("inside", {inside});
  // logf, sinf and cosf are within 2 ulp of the true value; the approximations within 2^-20 or so of theirs.
  program.expect("exact", normals, {.abs = 2e-7, .rel = 1e-6});
  program.expect("fast", normals, {.abs = 1e-5, .rel = 1e-4});
  return program.write();
}
