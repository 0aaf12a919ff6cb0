// Lines of NUL-terminated text, one per thread: `starts` says where each begins in `text`.

extern "C" __global__ void measure(const char* text, const int* starts, int lines, int* lengths, int* words,
                                   unsigned char* palindromes) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  const char* s = text + starts[line];
  int length = 0, count = 0;
  bool inWord = false;
  for (; s[length] != 0; length++) {
    bool letter = s[length] > ' ';
    if (letter && !inWord) count++;
    inWord = letter;
  }
  bool same = true;
  for (int i = 0, j = length - 1; same && i < j; i++, j--) same = s[i] == s[j];
  lengths[line] = length;
  palindromes[line] = same;
  atomicAdd(words, count);
}

// Reverses each line where it stands and turns its lower-case letters to upper case.
extern "C" __global__ void rewrite(char* text, const int* starts, int lines, const int* lengths) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines) return;
  char* left = text + starts[line];
  char* right = left + lengths[line];
  for (char* p = left; p < right; p++)
    if (*p >= 'a' && *p <= 'z') *p -= 32;
  while (left < --right) {
    char c = *left;
    *left++ = *right;
    *right = c;
  }
}
