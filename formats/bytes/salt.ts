// A number that nobody who makes a file can know. Hash tables over a file's bytes multiply by it, so that no file has all its names in
// one place of theirs: with a hash that is known, 20 MB of such names take minutes. What a salt changes is where things stand
// in memory, and nothing that is written. Rejected: Maps of strings, which V8 salts by itself, and which are several times as slow.

/** 32 bits; odd, and no power of a small order, so that it loses nothing of what it is multiplied by. */
export const newSalt = (): number => ((Math.random() * 2 ** 32) & ~7) | 5;
