// splitmix64 as the recordings use it, on two 32-bit halves; and the hash of results. README of testdata/hardware/h200/tensor.

/** Output of splitmix64 for a counter, as two int32; filled anew by each call. */
export interface Mixed {
  high: number;
  low: number;
}

/** Upper 32 bits of the product of two unsigned words. */
function highProduct(a: number, b: number): number {
  const [a0, a1] = [a & 0xffff, a >>> 16];
  const [b0, b1] = [b & 0xffff, b >>> 16];
  const middle = a1 * b0 + Math.floor((a0 * b0) / 65536);
  const other = a0 * b1 + (middle % 65536);
  return (a1 * b1 + Math.floor(middle / 65536) + Math.floor(other / 65536)) | 0;
}

function multiply(into: Mixed, high: number, low: number): void {
  const upper = highProduct(into.low >>> 0, low >>> 0) + Math.imul(into.high, low) + Math.imul(into.low, high);
  into.low = Math.imul(into.low, low);
  into.high = upper | 0;
}

function xorShifted(into: Mixed, by: number): void {
  const low = (into.low >>> by) | (into.high << (32 - by));
  into.high ^= into.high >>> by;
  into.low ^= low;
}

export function mix64(high: number, low: number, into: Mixed): void {
  into.high = high;
  into.low = low;
  multiply(into, 0x9e3779b9, 0x7f4a7c15);
  const sum = (into.low >>> 0) + 0x7f4a7c15;
  into.low = sum | 0;
  into.high = (into.high + 0x9e3779b9 + (sum >= 2 ** 32 ? 1 : 0)) | 0;
  xorShifted(into, 30);
  multiply(into, 0xbf58476d, 0x1ce4e5b9);
  xorShifted(into, 27);
  multiply(into, 0x94d049bb, 0x133111eb);
  xorShifted(into, 31);
}

/** The recordings' hash of 32-bit words. */
export function hashOf(words: Uint32Array | Int32Array): number {
  let h = 0x811c9dc5;
  for (const word of words) {
    h = Math.imul(h ^ word, 0x9e3779b1);
    h ^= h >>> 15;
  }
  return h >>> 0;
}
