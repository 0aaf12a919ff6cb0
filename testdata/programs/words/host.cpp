#include "host.hpp"

#include <cctype>
#include <sstream>

int main() {
  std::vector<std::string> lines = {"", "a", "  ", "never odd or even", "neveroddoreven", "The quick brown fox", "ABBA",
                                    "tabs\tand  spaces ", "\xc3\xa9t\xc3\xa9", "x"};
  host::Random random(16);
  while (lines.size() < 75) {
    std::string line;
    for (host::u32 n = random.below(40); n > 0; n--) line += " aAbBcCzZ.09{`@["[random.below(16)];
    lines.push_back(line);
  }
  std::string text, rewritten;
  std::vector<host::s32> starts, lengths;
  std::vector<host::u8> palindromes;
  host::s32 words = 0;
  for (auto line : lines) {
    starts.push_back(static_cast<host::s32>(text.size()));
    lengths.push_back(static_cast<host::s32>(line.size()));
    text += line + '\0';
    palindromes.push_back(std::equal(line.begin(), line.end(), line.rbegin()));
    // A byte above 127 is negative as a char, and so no letter to the kernel.
    std::string plain = line;
    for (char& c : plain)
      if (static_cast<unsigned char>(c) > 127) c = ' ';
    std::istringstream stream(plain);
    for (std::string word; stream >> word;) words++;
    std::reverse(line.begin(), line.end());
    for (char& c : line)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(std::toupper(c));
    rewritten += line + '\0';
  }
  auto bytes = [](const std::string& s) { return std::vector<host::u8>(s.begin(), s.end()); };
  const auto n = static_cast<host::s32>(lines.size());
  host::Program program;
  program.input("text", bytes(text));
  program.input("starts", starts);
  program.zeros<host::s32>("lengths", lengths.size());
  program.zeros<host::s32>("words", 1);
  program.zeros<host::u8>("palindromes", lengths.size());
  using host::argS32, host::buffer;
  program.launch("measure", {3}, {32}, {buffer("text"), buffer("starts"), argS32(n), buffer("lengths"), buffer("words"),
                                        buffer("palindromes")});
  program.launch("rewrite", {3}, {32}, {buffer("text"), buffer("starts"), argS32(n), buffer("lengths")});
  program.expect("text", bytes(rewritten));
  program.expect("lengths", lengths);
  program.expect<host::s32>("words", {words});
  program.expect("palindromes", palindromes);
  return program.write();
}
