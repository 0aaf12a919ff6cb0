// Local alignment of sequences with affine gaps, a warp a pair: each lane has a letter of the query, and the scores of a diagonal pass
// from lane to lane. Sums and maxima in one step are the intrinsics for dynamic programming.

// Queries of 32 letters; `best` is the score, and where the first best end is: the letter of the reference, then of the query.
extern "C" __global__ void align(const unsigned char* queries, const unsigned char* reference, int length, int match, int mismatch, int open,
                                 int extend, int* best) {
  int lane = threadIdx.x, pair = blockIdx.x * blockDim.y + threadIdx.y;
  int letter = queries[pair * 32 + lane];
  int score = 0, left = 0, gapLeft = -1000, gapUp = -1000, diagonal = 0, top = 0, topAt = -1;
  for (int step = 0; step < length + 31; step++) {
    // From the lane above: its score in this column, and its gap that goes on downwards.
    int up = __shfl_up_sync(~0u, score, 1), gap = __shfl_up_sync(~0u, gapUp, 1), column = step - lane;
    if (lane == 0) up = 0, gap = -1000;
    bool inside = column >= 0 && column < length;
    int substitution = inside && reference[column] == letter ? match : -mismatch;
    gapLeft = __viaddmax_s32(left, -open, gapLeft - extend);
    gapUp = __viaddmax_s32(up, -open, gap - extend);
    score = __viaddmax_s32_relu(diagonal, substitution, max(gapLeft, gapUp));
    if (!inside) score = 0, gapLeft = gapUp = -1000;
    bool keep;
    top = __vibmax_s32(top, score, &keep);
    if (!keep) topAt = column;
    left = score;
    diagonal = up;
  }
  int all = __reduce_max_sync(~0u, top);
  int at = __reduce_min_sync(~0u, top == all ? topAt * 32 + lane : 1 << 30);
  if (lane == 0) best[pair * 2] = all, best[pair * 2 + 1] = at;
}

// Levenshtein's distance to two references at once, in halves of a word.
extern "C" __global__ void distances(const unsigned char* queries, const unsigned char* references, int length, unsigned* out) {
  int lane = threadIdx.x, pair = blockIdx.x * blockDim.y + threadIdx.y;
  unsigned letter = queries[pair * 32 + lane] * 0x10001u;
  unsigned score = (lane + 1) * 0x10001u, diagonal = lane * 0x10001u, left = score;
  for (int step = 0; step < length + 31; step++) {
    int column = step - lane;
    unsigned up = __shfl_up_sync(~0u, score, 1);
    if (lane == 0) up = (column + 1) * 0x10001u;
    if (column < 0 || column >= length) continue;
    unsigned other = references[column] | references[length + column] << 16;
    unsigned cost = __vcmpne2(letter, other) & 0x10001u;
    score = __viaddmin_u16x2(__viaddmin_u16x2(left, 0x10001u, __vadd2(up, 0x10001u)), 0, __vadd2(diagonal, cost));
    left = score;
    diagonal = up;
  }
  if (lane == 31) out[pair] = score;
}
