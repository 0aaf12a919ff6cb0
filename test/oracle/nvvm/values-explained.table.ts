// Faults of other compilers that make random modules differ, each with what their PTX shows of it.

export interface Explanation {
  readonly compiler: RegExp;
  /** What the module has, and what the compiler's PTX has. */
  readonly text: RegExp;
  readonly ptx: RegExp;
  readonly why: string;
}

export const explanations: readonly Explanation[] = [
  {
    compiler: /^llc/,
    text: /@llvm\.fsh[lr]\.(?:v\d+)?i64/,
    ptx: /sub\.u32\s+%amt2, 64, /,
    why: "llc 14 rotates 64 bits by shifts of the amount and 64 less it, without taking it modulo 64: zero for 64 and more",
  },
  {
    compiler: /^llc/,
    text: /\bsext i(?:[2-9]|[12]\d|3[012]) \S+ to i(?:3[3-9]|[45]\d|6[0-3])\b/,
    // More bits than are left of 64 above the first: the others are copies of the sign, and `bfe.u64` makes them zero.
    ptx: /bfe\.u64 \t%rd\d+, %rd\d+, (?:3[2-9]|[45]\d|6[0-3]), (?:3[3-9]|[45]\d|6[0-3]);/,
    why: "llc 14 extends to 33 to 63 bits by shifts up and down and takes the latter with the mask of the width for one unsigned bit field: the sign is lost",
  },
  {
    compiler: /^libNVVM compute_80 -opt=3/,
    text: /\bhalf\b/,
    // A constant that no instruction of the function uses.
    ptx: /\n\tmov\.b16 \t(%h\d+), 0x[0-9A-F]{4};(?:(?!\1\b)[^])*?\n\}/,
    why: "libNVVM 13 loads a constant half that a function returns in a structure, and does not store it",
  },
  {
    compiler: /^libNVVM compute_80 -opt=3/,
    text: /\bhalf\b/,
    // A function with a register for it and a result, which it never stores.
    ptx: /func_retval0\) [^{]*\{(?:(?!st\.param|\n\})[^])*%h<(?:(?!st\.param|\n\})[^])*\n\}/,
    why: "libNVVM 13 does not store a constant half that a function returns",
  },
  {
    compiler: /^libNVVM compute_80/,
    text: /@llvm\.round\.f(?:32|64)/,
    ptx: /cvt\.rni\.f(\d\d)\.f\1/,
    why: "libNVVM 13 rounds halves to even for llvm.round, which rounds them away from zero",
  },
  {
    compiler: /^libNVVM compute_\d+ -opt=3/,
    text: /@llvm\.memmove\.[^\n]*i(?:32|64) %/,
    // A loop that goes down by more than a byte.
    ptx: /add\.s64 \t(%rd\d+), (?:\1, -[248];|(%rd\d+), -[248];(?:\n.*){0,6}?\n\tmov\.u64 \t\2, \1;)/,
    why: "libNVVM 13 moves backwards in pieces of several bytes and copies the bytes behind the last piece at the end, when they are overwritten",
  },
  {
    compiler: /^libNVVM compute_\d+ -opt=3/,
    text: /@llvm\.memmove\.[^\n]*i(?:32|64) (?:9|1[01345])\b/,
    // Two ways by a comparison of addresses, and the bytes that are left behind both.
    ptx: /setp\.(?:lt|ge)\.u32 \t%p\d+, %r\d+, %r\d+;\n\t@%p\d+ bra [^]{0,1600}?\n\$L__BB\d+_\d+:\n(?:.*\n){0,6}?\tst\.local\.(?:v2\.)?u8 /,
    why: "libNVVM 13 moves 9 to 15 bytes backwards in words and stores the bytes behind the last word from where they are overwritten",
  },
  {
    compiler: /^libNVVM compute_1\d\d -opt=3/,
    text: /@llvm\.memmove\.[^\n]*i(?:32|64) [3567]\b/,
    // One register for both pieces, of which the second was overwritten by the first.
    ptx: /st\.local\.u(?:16|32) \t\[(%rd\d+)(?:\+\d+)?\], (%rd?s?\d+);(?:\n.*){0,8}?\n\tst\.local\.u(?:8|16) \t\[\1\+\d+\], \2;/,
    why: "libNVVM 13 copies the second piece of a short memmove after the first has overwritten it",
  },
];
