#include "host.hpp"

#include <queue>

using host::s32;

int main() {
  const int vertices = 600, edges = 1400;
  host::Random random(11);
  std::vector<std::vector<s32>> graph(vertices);
  for (int i = 0; i < edges; i++) {
    int from = static_cast<int>(random.below(vertices)), to = static_cast<int>(random.below(vertices));
    if (std::abs(from - to) < 40) graph[from].push_back(to);  // short edges only: many levels
    if (i < vertices - 1 && i % 7 != 0) graph[i + 1].push_back(i);
    if (i < vertices - 1 && i % 5 == 0) graph[i].push_back(i + 1);
  }
  std::vector<s32> rowStart{0}, neighbours;
  for (auto& list : graph) {
    neighbours.insert(neighbours.end(), list.begin(), list.end());
    rowStart.push_back(static_cast<s32>(neighbours.size()));
  }
  const int start = 300;
  std::vector<s32> distance(vertices, -1);
  distance[start] = 0;
  std::queue<s32> queue({start});
  int depth = 0;
  for (; !queue.empty(); queue.pop())
    for (s32 other : graph[queue.front()])
      if (distance[other] < 0) {
        depth = distance[other] = distance[queue.front()] + 1;
        queue.push(other);
      }
  std::vector<s32> sizes(depth + 2), initialDistance(vertices, -1), initialSizes(depth + 2);
  for (s32 d : distance)
    if (d >= 0) sizes[d]++;
  initialDistance[start] = 0;
  initialSizes[0] = 1;
  host::Program program;
  program.input("rowStart", rowStart);
  program.input("neighbours", neighbours);
  program.input("distance", initialDistance);
  program.fill<s32>("frontier", vertices, start);
  program.zeros<s32>("nextFrontier", vertices);
  program.input("sizes", initialSizes);
  using host::buffer;
  for (int level = 0; level <= depth; level++) {
    auto at = [](int i) { return buffer("sizes", static_cast<std::size_t>(i) * 4); };
    const char* from = level % 2 ? "nextFrontier" : "frontier";
    const char* to = level % 2 ? "frontier" : "nextFrontier";
    program.launch("expand", {2}, {64}, {buffer("rowStart"), buffer("neighbours"), buffer("distance"), buffer(from),
                                         at(level), buffer(to), at(level + 1), host::argS32(level)});
  }
  program.expect("distance", distance);
  program.expect("sizes", sizes);
  return program.write();
}
