// A random salt that the author of a file cannot know. Hash tables over a file's bytes multiply by it, so no file can make all
// its names collide: with a known hash, 20 MB of such names take minutes. The salt changes positions in memory, never the output.
// Rejected: Maps of strings, which V8 salts itself, and which are several times as slow.

/** An odd 32-bit number (5 modulo 8): multiplying by it loses no bits, and its multiplicative order is large. */
export const newSalt = (): number => ((Math.random() * 2 ** 32) & ~7) | 5;
