// Life on a 32 x 32 torus: one warp per world, one row of 32 cells per lane. Neighbours are counted for a whole row at
// once, in binary, one word per digit.

__device__ void add(unsigned bit, unsigned& ones, unsigned& twos, unsigned& fours) {
  unsigned carry = ones & bit;
  ones ^= bit;
  fours |= twos & carry;  // four and more look alike, which is enough
  twos ^= carry;
}

extern "C" __global__ void life(unsigned* worlds, int generations, unsigned* population) {
  int lane = threadIdx.x, world = blockIdx.x * blockDim.y + threadIdx.y;
  unsigned row = worlds[world * 32 + lane];
  for (int g = 0; g < generations; g++) {
    unsigned above = __shfl_sync(0xffffffffu, row, lane + 31), below = __shfl_sync(0xffffffffu, row, lane + 1);
    unsigned ones = 0, twos = 0, fours = 0, around[3] = {above, row, below};
    for (int r = 0; r < 3; r++) {
      add(__funnelshift_l(around[r], around[r], 1), ones, twos, fours);
      add(__funnelshift_r(around[r], around[r], 1), ones, twos, fours);
      if (r != 1) add(around[r], ones, twos, fours);
    }
    row = twos & ~fours & (ones | row);
  }
  worlds[world * 32 + lane] = row;
  int alive = __popc(row);
  for (int mask = 16; mask > 0; mask >>= 1) alive += __shfl_xor_sync(0xffffffffu, alive, mask);
  if (lane == 0) population[world] = alive;
}
