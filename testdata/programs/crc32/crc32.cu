// CRC-32 (reflected, 0xedb88320) and Adler-32 of 50-byte chunks, one per thread. The last chunk may be shorter.

extern "C" __global__ void checksums(const unsigned char* data, int bytes, unsigned* crcs, unsigned* adlers) {
  __shared__ unsigned table[256];
  for (unsigned entry = threadIdx.x; entry < 256; entry += blockDim.x) {
    unsigned crc = entry;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    table[entry] = crc;
  }
  __syncthreads();
  int chunk = blockIdx.x * blockDim.x + threadIdx.x;
  int begin = chunk * 50, end = min(begin + 50, bytes);
  if (begin >= bytes) return;
  unsigned crc = ~0u, low = 1, high = 0;
  for (int i = begin; i < end; i++) {
    unsigned char c = data[i];
    crc = crc >> 8 ^ table[(crc ^ c) & 255];
    low = (low + c) % 65521;
    high = (high + low) % 65521;
  }
  crcs[chunk] = ~crc;
  adlers[chunk] = high << 16 | low;
}
