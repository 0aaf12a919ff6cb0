// Numbers of up to 53 bits as two little-endian words, as in 64-bit fields of ELF. Sizes, alignments and offsets of variables may
// exceed 32 bits, because uninitialised variables occupy no bytes of a file.

type Words = Int32Array | Uint32Array;

export function putLong(words: Words, at: number, value: number): void {
  words[at] = value;
  words[at + 1] = Math.floor(value / 2 ** 32);
}

export const longAt = (words: Words, at: number): number => words[at + 1]! * 2 ** 32 + (words[at]! >>> 0);
