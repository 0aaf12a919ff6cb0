#include "host-texture.hpp"

using namespace host;

constexpr int N = 8;

std::vector<float> faces(6 * N * N);
float texel(int face, int x, int y) { return faces[(face * N + y) * N + x]; }

struct Place {
  int face;
  double s, t;  // -1 to 1, exact: directions are quotients of whole numbers
};

Place placeOf(double x, double y, double z) {
  double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  if (ax >= ay && ax >= az) return {x < 0, (x > 0 ? -z : z) / ax, -y / ax};
  if (ay >= az) return {2 + (y < 0), x / ay, (y > 0 ? z : -z) / ay};
  return {4 + (z < 0), (z > 0 ? x : -x) / az, -y / az};
}

/** The direction of a place on a face. */
std::array<double, 3> directionOf(int face, double s, double t, double out) {
  switch (face) {
    case 0: return {out, -t, -s};
    case 1: return {-out, -t, s};
    case 2: return {s, out, t};
    case 3: return {s, -out, -t};
    case 4: return {s, -t, out};
    default: return {-s, -t, -out};
  }
}

/** In 1/256 texels from the first texel's middle. */
int position(double s) { return static_cast<int>(std::floor((s + 1) / 2 * N * 256 + 0.5)) - 128; }

/** All weighted values are multiples of 1/256: exact. */
float filtered(const Place& at, bool seamless) {
  int qs = position(at.s), qt = position(at.t);
  if (!seamless) qs = std::clamp(qs, 0, 256 * (N - 1)), qt = std::clamp(qt, 0, 256 * (N - 1));
  auto weights = shared(256, qs & 255, qt & 255);
  double values[4];
  int corner = -1;
  for (int k = 0; k < 4; k++) {
    int i = (qs >> 8) + (k & 1), j = (qt >> 8) + (k >> 1);
    bool outX = i < 0 || i >= N, outY = j < 0 || j >= N;
    values[k] = 0;
    if (!outX && !outY) values[k] = texel(at.face, i, j);
    else if (!seamless) values[k] = texel(at.face, std::clamp(i, 0, N - 1), std::clamp(j, 0, N - 1));
    else if (outX && outY) corner = k;
    else {
      double s = std::clamp((2.0 * i + 1) / N - 1, -1.0, 1.0), t = std::clamp((2.0 * j + 1) / N - 1, -1.0, 1.0);
      auto d = directionOf(at.face, s, t, (N - 1.0) / N);
      Place over = placeOf(d[0], d[1], d[2]);
      values[k] = texel(over.face, static_cast<int>((over.s + 1) / 2 * N), static_cast<int>((over.t + 1) / 2 * N));
    }
  }
  if (corner >= 0) {
    int w = weights[corner], third = (2 * w + 3) / 6;
    weights[corner] = 0;
    weights[corner ^ 1] += third;
    weights[corner ^ 2] += third;
    weights[corner ^ 3] += w - 2 * third;
  }
  double sum = 0;
  for (int k = 0; k < 4; k++) sum += weights[k] * values[k];
  return static_cast<float>(sum / 256);
}

int main() {
  Random random(6);
  for (auto& f : faces) f = static_cast<float>(random.below(2048)) - 1024;
  std::vector<float> directions, hits;
  auto add = [&](float x, float y, float z) {
    Place at = placeOf(x, y, z);
    int i = std::min(N - 1, static_cast<int>((at.s + 1) / 2 * N)), j = std::min(N - 1, static_cast<int>((at.t + 1) / 2 * N));
    directions.insert(directions.end(), {x, y, z, 0});
    hits.insert(hits.end(), {texel(at.face, i, j), filtered(at, false), filtered(at, true), 0});
  };
  // Major coordinates are powers of two, so that quotients are exact; edges and corners are among them.
  for (int axis = 0; axis < 3; axis++)
    for (float side : {-2.0f, 2.0f})
      for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
          float s = (static_cast<float>(i) - 5.5f) / 2.75f, t = (static_cast<float>(random.below(4097)) - 2048) / 1024;
          if (i == 0 || i == 11) s = i ? 1.96875f : -1.96875f;
          if (j == 0 || j == 11) t = j ? 1.984375f : -1.984375f;
          s = std::round(s * 1024) / 1024;
          add(axis == 0 ? side : s, axis == 1 ? side : axis == 0 ? s : t, axis == 2 ? side : t);
        }
  add(2, 2, 2), add(-2, 2, -2), add(0, -2, 2), add(1, 2, -2);
  int count = static_cast<int>(directions.size() / 4);
  Program program;
  program.image("cube", "\"kind\": \"cube\", \"width\": 8, \"height\": 8", 1, faces);
  program.texture("nearest", "\"image\": \"cube\", \"normalized\": true");
  program.texture("inside", "\"image\": \"cube\", \"filter\": \"linear\", \"normalized\": true");
  program.texture("seamless", "\"image\": \"cube\", \"filter\": \"linear\", \"normalized\": true, \"seamless\": true");
  program.input("directions", directions);
  program.zeros<float>("hits", hits.size());
  program.launch("lookup", {static_cast<unsigned>(count + 127) / 128}, {128},
                 {texture("nearest"), texture("inside"), texture("seamless"), buffer("directions"), buffer("hits"), argS32(count)});
  program.expect("hits", hits);
  return program.write();
}
