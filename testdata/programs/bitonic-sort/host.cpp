#include "host.hpp"

#include <set>
#include <utility>

int main() {
  host::Random random(9);
  std::set<host::s32> keys;  // no key twice: the order of equal keys would be the network's own
  while (keys.size() < 1024) keys.insert(static_cast<host::s32>(random.next()));
  std::vector<std::pair<host::s32, host::s32>> pairs;
  for (auto key : keys) pairs.push_back({key, 0});
  for (std::size_t i = pairs.size() - 1; i > 0; i--) std::swap(pairs[i], pairs[random.below(static_cast<host::u32>(i + 1))]);
  std::vector<host::s32> in, out;
  for (std::size_t i = 0; i < pairs.size(); i++) {
    pairs[i].second = static_cast<host::s32>(i);
    in.insert(in.end(), {pairs[i].first, pairs[i].second});
  }
  std::sort(pairs.begin(), pairs.end());
  for (auto [key, value] : pairs) out.insert(out.end(), {key, value});
  host::Program program;
  program.input("pairs", in);
  program.launch("bitonicSort", {1}, {512}, {host::buffer("pairs")});
  program.expect("pairs", out);
  return program.write();
}
