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
];
