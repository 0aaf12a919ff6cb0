// Arrays that live in local memory because their indices are not known to the compiler.

// Solutions of the n-queens problem whose first queen stands in column threadIdx.x.
extern "C" __global__ void queens(int n, unsigned* solutions) {
  int column[12], row = 1;
  unsigned found = 0;
  column[0] = threadIdx.x;
  column[1] = -1;
  while (row > 0) {
    bool placed = false;
    while (!placed && ++column[row] < n) {
      placed = true;
      for (int other = 0; placed && other < row; other++) {
        int apart = column[row] - column[other];
        placed = apart != 0 && abs(apart) != row - other;
      }
    }
    if (!placed)
      row--;
    else if (row == n - 1)
      found++;
    else
      column[++row] = -1;
  }
  solutions[threadIdx.x] = found;
}

// The i-th permutation of 0..8 in lexicographic order, from the factorial digits of i.
extern "C" __global__ void permutations(unsigned first, unsigned step, unsigned char* out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, index = first + i * step, digits[9];
  unsigned char left[9];
  for (unsigned k = 0; k < 9; k++) {
    digits[8 - k] = index % (k + 1);
    index /= k + 1;
    left[k] = static_cast<unsigned char>(k);
  }
  for (int k = 0; k < 9; k++) {
    out[i * 9 + k] = left[digits[k]];
    for (unsigned j = digits[k]; j < 8u - k; j++) left[j] = left[j + 1];
  }
}

// Heap sort of 20 doubles on a binary heap in local memory.
extern "C" __global__ void heapSort(const double* in, double* out) {
  int i = threadIdx.x, size = 0;
  double heap[21];
  for (int k = 0; k < 20; k++) {
    int at = ++size;
    double value = in[i * 20 + k];
    for (; at > 1 && heap[at / 2] > value; at /= 2) heap[at] = heap[at / 2];
    heap[at] = value;
  }
  for (int k = 0; k < 20; k++) {
    out[i * 20 + k] = heap[1];
    double last = heap[size--];
    int at = 1;
    for (int child = 2; child <= size; child = 2 * at) {
      if (child < size && heap[child + 1] < heap[child]) child++;
      if (heap[child] >= last) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
  }
}
