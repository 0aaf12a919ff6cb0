#include "host.hpp"

int main() {
  const int n = 96, steps = 2;
  const float dt = 0.01f;
  host::Random random(12);
  std::vector<float> bodies(n * 4), velocity(n * 4);
  for (auto& v : bodies) v = random.unit() * 2 - 1;
  for (int i = 0; i < n; i++) bodies[i * 4 + 3] = random.unit() + 0.5f;
  for (auto& v : velocity) v = random.unit() - 0.5f;
  host::Program program;
  program.input("a", bodies);
  program.zeros<float>("b", bodies.size());
  program.input("velocity", velocity);
  // In double precision: rsqrt.approx has an error of 2^-22.4 relative, and the sums cancel.
  std::vector<double> p(bodies.begin(), bodies.end()), v(velocity.begin(), velocity.end());
  for (int step = 0; step < steps; step++) {
    program.launch("step", {n / 32}, {32}, {host::buffer(step % 2 ? "b" : "a"), host::buffer(step % 2 ? "a" : "b"),
                                            host::buffer("velocity"), host::argS32(n), host::argF32(dt)});
    std::vector<double> old = p;
    for (int i = 0; i < n; i++)
      for (int axis = 0; axis < 3; axis++) {
        double force = 0;
        for (int j = 0; j < n; j++) {
          double squares = 0.01f;
          for (int k = 0; k < 3; k++) squares += (old[j * 4 + k] - old[i * 4 + k]) * (old[j * 4 + k] - old[i * 4 + k]);
          force += old[j * 4 + 3] * (old[j * 4 + axis] - old[i * 4 + axis]) / (squares * std::sqrt(squares));
        }
        v[i * 4 + axis] += force * dt;
        p[i * 4 + axis] += v[i * 4 + axis] * dt;
      }
  }
  static_assert(steps % 2 == 0);
  const host::Tolerance tolerance{.abs = 1e-4, .rel = 1e-5};
  program.expect("a", std::vector<float>(p.begin(), p.end()), tolerance);
  program.expect("velocity", std::vector<float>(v.begin(), v.end()), tolerance);
  return program.write();
}
