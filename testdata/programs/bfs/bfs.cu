// One level of a breadth-first search: every vertex of the frontier claims its unvisited neighbours and appends them to
// the next frontier. The frontier's order is open; the distances are not.

extern "C" __global__ void expand(const int* rowStart, const int* neighbours, int* distance, const int* frontier,
                                  const int* size, int* nextFrontier, int* nextSize, int level) {
  int n = *size;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int vertex = frontier[i];
    for (int e = rowStart[vertex]; e < rowStart[vertex + 1]; e++) {
      int other = neighbours[e];
      if (atomicCAS(&distance[other], -1, level + 1) == -1) nextFrontier[atomicAdd(nextSize, 1)] = other;
    }
  }
}
