// A random number that the author of a file cannot know. Hash tables over a file's bytes multiply by it, so no file can make all
// its names collide: with a known hash, 20 MB of such names take minutes.
// The salt changes positions in memory, never the output. Rejected: Maps of strings, which V8 salts itself, and which are several
// times as slow.

/** 32 bits; odd, and no power of a small order, so that it loses nothing of what it is multiplied by. */
export const newSalt = (): number => ((Math.random() * 2 ** 32) & ~7) | 5;
