// MD5 (RFC 1321) of 40-byte records, one per thread: exactly one 64-byte block each. The sine table comes in as a
// constant symbol that the launch fills.

__constant__ unsigned sines[64];
__constant__ unsigned char rotations[16] = {7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21};

extern "C" __global__ void md5(const unsigned* records, uint4* digests, int n) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= n) return;
  unsigned words[16] = {};
  for (int i = 0; i < 10; i++) words[i] = records[id * 10 + i];
  words[10] = 0x80;
  words[14] = 320;
  unsigned a = 0x67452301, b = 0xefcdab89, c = 0x98badcfe, d = 0x10325476;
#pragma unroll 1
  for (int i = 0; i < 64; i++) {
    unsigned f, g;
    switch (i / 16) {
      case 0: f = (b & c) | (~b & d), g = i; break;
      case 1: f = (d & b) | (~d & c), g = 5 * i + 1; break;
      case 2: f = b ^ c ^ d, g = 3 * i + 5; break;
      default: f = c ^ (b | ~d), g = 7 * i;
    }
    unsigned sum = a + f + sines[i] + words[g % 16];
    unsigned r = rotations[i / 16 * 4 + i % 4];
    a = d, d = c, c = b;
    b += sum << r | sum >> (32 - r);
  }
  digests[id] = make_uint4(a + 0x67452301, b + 0xefcdab89, c + 0x98badcfe, d + 0x10325476);
}
