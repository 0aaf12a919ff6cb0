// A short key of bytes: equal keys mean that two pieces of code or data are almost certainly equal.

/** 64 bits in hexadecimal: FNV-1a over the bytes with two offsets. Not safe against deliberate collisions. */
export function contentKey(parts: readonly Uint8Array[]): string {
  let [a, b] = [0x811c_9dc5, 0x1234_5678];
  for (const part of parts)
    for (const byte of part) {
      a = Math.imul(a ^ byte, 0x0100_0193);
      b = Math.imul(b ^ byte, 0x0100_0193) + 1;
    }
  return [a, b].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
