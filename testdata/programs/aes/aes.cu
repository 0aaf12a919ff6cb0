// AES-128 in counter mode: tables in shared memory, made from the box of substitutions, which the kernel computes itself.

__device__ unsigned doubled(unsigned x) { return (x << 1 ^ (x & 0x80 ? 0x11b : 0)) & 0xff; }

__device__ unsigned product(unsigned a, unsigned b) {
  unsigned sum = 0;
  for (int i = 0; i < 8; i++, a = doubled(a)) sum ^= b >> i & 1 ? a : 0;
  return sum;
}

__device__ unsigned substituted(unsigned x) {
  unsigned inverse = x;
  for (int i = 0; i < 6; i++) inverse = product(product(inverse, inverse), x);  // x to the 127th
  inverse = product(inverse, inverse);
  unsigned wide = inverse * 0x101;
  return (wide ^ wide >> 4 ^ wide >> 5 ^ wide >> 6 ^ wide >> 7 ^ 0x63) & 0xff;
}

__device__ unsigned byteOf(unsigned word, int i) { return __byte_perm(word, 0, 0x4440 | i); }

// A thread a block of 16 bytes; words are big-endian, as the standard writes them.
extern "C" __global__ void counterMode(const uint4* in, uint4* out, uint4 key, uint4 start, int blocks) {
  __shared__ unsigned table[256], keys[44];
  __shared__ unsigned char box[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    unsigned s = substituted(i), twice = doubled(s);
    box[i] = static_cast<unsigned char>(s);
    table[i] = twice << 24 | s << 16 | s << 8 | (s ^ twice);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned words[4] = {key.x, key.y, key.z, key.w}, round = 1;
    for (int i = 0; i < 4; i++) keys[i] = __byte_perm(words[i], 0, 0x0123);
    for (int i = 4; i < 44; i++) {
      unsigned last = keys[i - 1];
      if (i % 4 == 0) {
        last = __funnelshift_l(last, last, 8);
        last = box[byteOf(last, 3)] << 24 | box[byteOf(last, 2)] << 16 | box[byteOf(last, 1)] << 8 | box[byteOf(last, 0)];
        last ^= round << 24;
        round = doubled(round);
      }
      keys[i] = keys[i - 4] ^ last;
    }
  }
  __syncthreads();
  int block = blockIdx.x * blockDim.x + threadIdx.x;
  if (block >= blocks) return;
  unsigned s[4] = {__byte_perm(start.x, 0, 0x0123), __byte_perm(start.y, 0, 0x0123), __byte_perm(start.z, 0, 0x0123),
                   __byte_perm(start.w, 0, 0x0123)};
  // The counter is the whole block, 128 bits.
  asm("add.cc.u32 %0, %0, %4; addc.cc.u32 %1, %1, 0; addc.cc.u32 %2, %2, 0; addc.u32 %3, %3, 0;"
      : "+r"(s[3]), "+r"(s[2]), "+r"(s[1]), "+r"(s[0])
      : "r"(block));
  for (int i = 0; i < 4; i++) s[i] ^= keys[i];
  for (int round = 1; round < 10; round++) {
    unsigned next[4];
    for (int i = 0; i < 4; i++) {
      next[i] = keys[round * 4 + i];
      for (int row = 0; row < 4; row++) {
        unsigned entry = table[byteOf(s[(i + row) % 4], 3 - row)];
        next[i] ^= __funnelshift_r(entry, entry, 8 * row);
      }
    }
    for (int i = 0; i < 4; i++) s[i] = next[i];
  }
  unsigned stream[4];
  for (int i = 0; i < 4; i++) {
    unsigned word = 0;
    for (int row = 0; row < 4; row++) word = word << 8 | box[byteOf(s[(i + row) % 4], 3 - row)];
    stream[i] = __byte_perm(word ^ keys[40 + i], 0, 0x0123);
  }
  uint4 text = in[block];
  out[block] = {text.x ^ stream[0], text.y ^ stream[1], text.z ^ stream[2], text.w ^ stream[3]};
}
