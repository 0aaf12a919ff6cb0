#include "host.hpp"

using host::u32;

struct Thread {
  u32 steps = 0, odd = 0, least = ~0u, most = 0, sevens = 0;
  std::vector<u32> trail;
  void step(u32 value) {
    trail.push_back(value);
    steps++;
    odd = value & 1;
    least = std::min(least, value);
    most = std::max(most, value);
    sevens += 7;
  }
};

int main() {
  const int n = 48;
  host::Random random(23);
  std::vector<u32> starts(n), out;
  for (u32& start : starts) start = random.below(100000);
  for (u32 start : starts) {
    Thread thread;
    thread.step(start);
    if ((start & 2) == 0) {
      thread.step(start * 3 + 1);
      thread.step(start >> 1);
    }
    thread.step(start + 5);
    const auto& trail = thread.trail;
    for (u32 word : {thread.steps, thread.odd, thread.least, thread.most, thread.sevens, 1000u, trail[0], trail[1], trail.back()})
      out.push_back(word);
  }
  host::Program program;
  program.input("starts", starts);
  program.zeros<u32>("out", 9 * n);
  using host::buffer;
  program.launch("walk", {1}, {n}, {buffer("starts"), buffer("out")});
  program.expect("out", out);
  return program.write();
}
