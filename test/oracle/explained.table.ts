// Where an object of ours differs from that of ptxas and is meant to; docs/differences.md has the reasons at length.

interface Explanation {
  /** Which inputs: all whose name has this in it. */
  readonly input: string;
  /** Which lines of their differences. */
  readonly line: RegExp;
  readonly why: string;
}

export const explained: readonly Explanation[] = [
  { input: "= {{", line: /^bytes /, why: "ptxas packs rows that are too short; the manual pads them, as C does" },
  { input: "a[4611686018427387904]", line: /^refused/, why: "no address space holds it" },
  { input: "[1073741824]", line: /^section .nv.global/, why: "ptxas cuts sh_size to 32 bits" },
  { input: ".u8 a[4294967296]", line: /^section .nv.global/, why: "ptxas cuts sh_size to 32 bits" },
  { input: ".u8 a[8589934592]", line: /^section .nv.global/, why: "ptxas cuts sh_size to 32 bits" },
  { input: ".global .u32 a<4>", line: /./, why: "ptxas makes numbered variables when they are used; ours exist" },
  { input: ".global .u32 b<3>", line: /./, why: "the same in a body" },
  { input: "1.0 - (0f3F800000)", line: /^refused/, why: "the bits of an .f32 may not be used in expressions" },
  { input: ".samplerref a[2]", line: /^refused/, why: "samplers of their own belong to independent texturing" },
  { input: ".reg .pred x; call f, (x); ret; }", line: /^refused/, why: "a predicate has no 32 bits" },
  {
    input: ".extern .func f(.param .u8 x);",
    line: /\bf\b/,
    why: "ptxas forgets a function that nobody can call, and relocates to no symbol",
  },
  { input: ".extern .func f(.param .pred x);", line: /\bf\b/, why: "the same" },
  { input: ".unified(", line: /\.nv\.(global|udt)/, why: "unified variables stand with the others, not in .nv.udt" },
];

/** The reason for a difference, or undefined. */
export function explanation(input: string, line: string): string | undefined {
  return explained.find((row) => input.includes(row.input) && row.line.test(line))?.why;
}
