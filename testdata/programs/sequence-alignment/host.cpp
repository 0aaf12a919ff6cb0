#include "host.hpp"

using host::s32, host::u32, host::u8;

int distance(const u8* a, int n, const u8* b, int m) {
  std::vector<int> row(static_cast<std::size_t>(m) + 1);
  for (int j = 0; j <= m; j++) row[j] = j;
  for (int i = 1; i <= n; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= m; j++) {
      int substituted = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[m];
}

int main() {
  const int pairs = 6, length = 50, match = 5, mismatch = 4, open = 8, extend = 2;
  host::Random random(227);
  std::vector<u8> references(2 * length), queries;
  for (auto& v : references) v = "ACGT"[random.below(4)];
  for (int pair = 0; pair < pairs; pair++) {
    // A piece of the reference with letters changed, left out and put in.
    std::vector<u8> query;
    for (int i = static_cast<int>(random.below(15)); query.size() < 32; i++) {
      u32 event = random.below(12);
      if (event == 0) continue;
      if (event == 1) query.push_back("ACGT"[random.below(4)]);
      query.push_back(event == 2 ? static_cast<u8>('N') : references[i % length]);
    }
    queries.insert(queries.end(), query.begin(), query.begin() + 32);
  }
  std::vector<s32> best;
  std::vector<u32> distances;
  for (int pair = 0; pair < pairs; pair++) {
    const u8* query = &queries[pair * 32];
    int h[33][length + 1] = {}, e[33][length + 1], f[33][length + 1], top = 0, at = 1 << 30;
    for (int i = 0; i <= 32; i++)
      for (int j = 0; j <= length; j++) e[i][j] = f[i][j] = -1000000;
    for (int i = 1; i <= 32; i++)
      for (int j = 1; j <= length; j++) {
        e[i][j] = std::max(h[i][j - 1] - open, e[i][j - 1] - extend);
        f[i][j] = std::max(h[i - 1][j] - open, f[i - 1][j] - extend);
        int substituted = h[i - 1][j - 1] + (query[i - 1] == references[j - 1] ? match : -mismatch);
        h[i][j] = std::max({0, substituted, e[i][j], f[i][j]});
        top = std::max(top, h[i][j]);
      }
    for (int i = 1; i <= 32; i++)
      for (int j = 1; j <= length; j++)
        if (h[i][j] == top) at = std::min(at, (j - 1) * 32 + i - 1);
    best.insert(best.end(), {top, at});
    distances.push_back(static_cast<u32>(distance(query, 32, &references[0], length)) |
                        static_cast<u32>(distance(query, 32, &references[length], length)) << 16);
  }
  host::Program program;
  program.input("queries", queries);
  program.input("references", references);
  program.zeros<s32>("best", best.size());
  program.zeros<u32>("distances", distances.size());
  using host::argS32, host::buffer;
  program.launch("align", {3}, {32, 2},
                 {buffer("queries"), buffer("references"), argS32(length), argS32(match), argS32(mismatch), argS32(open), argS32(extend),
                  buffer("best")});
  program.launch("distances", {3}, {32, 2}, {buffer("queries"), buffer("references"), argS32(length), buffer("distances")});
  program.expect("best", best);
  program.expect("distances", distances);
  return program.write();
}
