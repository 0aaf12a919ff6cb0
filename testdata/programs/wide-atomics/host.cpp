#include "host.hpp"

using host::s32, host::u32, host::u64;

struct Statistics {
  u64 sum;
  u32 count;
  s32 largest;
};

int main() {
  const int blocks = 3, threads = 64;
  host::Random random(199);
  std::vector<s32> in(blocks * threads);
  for (auto& v : in) v = static_cast<s32>(random.next());
  std::vector<Statistics> all(blocks, {0, 0, -2147483647 - 1}), expected = all;
  for (int i = 0; i < blocks * threads; i++) {
    Statistics& mine = expected[i / threads];
    mine = {mine.sum + static_cast<u64>(static_cast<host::s64>(in[i])), mine.count + 1, std::max(mine.largest, in[i])};
  }
  auto words = [](const std::vector<Statistics>& values) {
    std::vector<u64> out(values.size() * 2);
    std::memcpy(out.data(), values.data(), values.size() * sizeof(Statistics));
    return out;
  };
  std::vector<u64> heads;
  for (int i = 0; i < blocks; i++) heads.insert(heads.end(), {0, ~u64{0}});
  host::Program program;
  program.input("in", in);
  program.input("statistics", words(all));
  program.zeros<u64>("heads", blocks * 2);
  program.zeros<u32>("next", blocks * threads);
  program.zeros<u32>("seen", blocks * threads);
  program.zeros<u32>("lengths", blocks);
  program.zeros<u64>("tags", blocks);
  using host::buffer;
  program.launch("collect", {blocks}, {threads}, {buffer("in"), buffer("statistics")});
  program.launch("stack", {blocks}, {threads}, {buffer("heads"), buffer("next"), buffer("seen")});
  program.launch("drain", {1}, {blocks}, {buffer("heads"), buffer("next"), buffer("seen"), buffer("lengths"), buffer("tags")});
  program.expect("statistics", words(expected));
  program.expect("heads", heads);
  program.expect("seen", std::vector<u32>(blocks * threads, 1));
  program.expect("lengths", std::vector<u32>(blocks, threads / 2));
  program.expect("tags", std::vector<u64>(blocks, threads + threads / 2 * 3));  // a push or a pop each
  return program.write();
}
