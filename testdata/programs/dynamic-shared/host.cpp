#include "host.hpp"

int main() {
  host::Random random(19);
  std::vector<host::s32> in(192);
  for (auto& v : in) v = static_cast<host::s32>(random.next()) >> 8;
  host::Program program;
  program.input("in", in);
  for (unsigned block : {32u, 48u, 96u}) {
    unsigned blocks = 192 / block, bytes = block * 9;
    std::vector<double> out;
    std::vector<host::s32> counts;
    for (unsigned b = 0; b < blocks; b++) {
      host::s32 odd = 0;
      for (unsigned t = 0; t < block; t++) odd += in[b * block + t] & 1;
      for (unsigned t = 0; t < block; t++) out.push_back(in[(b + 1) * block - 1 - t] * 0.5 + odd);
      counts.push_back(odd * 10000 + static_cast<host::s32>(bytes));
    }
    std::string outName = "out" + std::to_string(block), countName = "odd" + std::to_string(block);
    program.zeros<double>(outName, out.size());
    program.zeros<host::s32>(countName, counts.size());
    program.launch("reverseBlocks", {blocks}, {block}, {host::buffer("in"), host::buffer(outName), host::buffer(countName)}, bytes);
    program.expect(outName, out);
    program.expect(countName, counts);
  }
  return program.write();
}
