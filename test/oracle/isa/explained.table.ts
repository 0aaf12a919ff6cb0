// Statements that ptxas 13.0 accepts and the checker refuses on purpose: the manual is clear, and what ptxas makes of them is
// not what was written. docs/differences.md lists them at length.

interface Explanation {
  readonly statement: RegExp;
  /** What our refusal says. */
  readonly ours: RegExp;
  readonly why: string;
}

/** A modifier that stands twice in an opcode. */
const repeated = /^[^ ]*\.([^. ]+)(?:\.[^ ]*)?\.\1[. ]/;

const anyRefusal = /must be|too many|take the address|does not convert|cannot replace|has no/;

export const explained: readonly Explanation[] = [
  { statement: repeated, ours: /cannot have|second time/, why: "a modifier twice" },
  { statement: /^testp\.f/, ours: /lacks a modifier/, why: "testp without its test" },
  {
    statement: /^rcp\.r[nzmp]\.(?:ftz\.f64|f64\.ftz)/,
    ours: /cannot have/,
    why: ".ftz on the exact reciprocal of an .f64",
  },
  {
    statement: /^(?:fence|tensormap\.cp_fenceproxy)\./,
    ours: /cannot have/,
    why: "modifiers of other fences beside the fence's own",
  },
  { statement: /^mov\.v4\.u32 .*%\w+;$/, ours: /is a vector/, why: "a vector of a register that is none" },
  { statement: /%\w+\.r;$/, ours: /has no component/, why: "%tid.r for %tid.x" },
  {
    statement: /^(?:vote|shfl|bar|barrier|fns|nanosleep|neg|addc|subc|madc)\b/,
    ours: /needs PTX/,
    why: "ptxas asks no version of these instructions; the manual does",
  },
  { statement: /\b(?:snippets|here)\b/, ours: anyRefusal, why: "a function's name as a number" },
  {
    statement: /\b(?:scratch|memory|frame|arguments)\b/,
    ours: /must be|too many|take the address/,
    why: "a variable's name as a number; mov takes addresses",
  },
  { statement: /%\w+\+4/, ours: /must be a register|too many/, why: "a register with an offset outside of an address" },
  { statement: /\[%(?:u16|b16|s16|f16)_0\]/, ours: /an address register is/, why: "an address of 16 bits" },
  { statement: /\[%tid\.x\]/, ours: /./, why: "a special register as an address" },
  {
    statement: /^fence\.proxy\.tensormap/,
    ours: /address/,
    why: "ptxas does not look at the address of this fence",
  },
  { statement: /\{[^}]*\}/, ours: /must be a register|too many/, why: "braces where no vector stands" },
  {
    statement: /bf16/,
    ours: /is \.[us]16; '\w' must be \.bf16$|an integer does not convert/,
    why: "an integer for a .bf16",
  },
  { statement: /bf16x2/, ours: /must be \.bf16x2$/, why: "a register that is no .b32 for a .bf16x2" },
  { statement: /%f16x2_/, ours: /must be \.pred$/, why: "an .f16x2 register as a predicate" },
  { statement: /^dp[24]a|^fns/, ours: /must be|does not convert/, why: "a float for an integer" },
  {
    statement: /^(?:bar|barrier|mbarrier|tcgen05)\b.*4294967296/,
    ours: /not a value|too many/,
    why: "2^32, of which 32 bits are zero",
  },
  {
    statement: /^(?:st|red)\.async\.|^tcgen05\.mma\./,
    ours: /cannot have/,
    why: "modifiers that other instructions have",
  },
  { statement: /^wmma\.(?:load|store)/, ours: / goes with /, why: "a shape with a type that it does not have" },
  {
    statement: /^(?:wmma|mma|ldmatrix)\b.*\{/,
    ours: /is \.\w+; '[abcd]' must be/,
    why: "fragments of registers of different types, of which ptxas looks at the first",
  },
  { statement: /^mma\.sp/, ours: /'e' must be|before 'e'/, why: "a predicate as metadata" },
  { statement: /^(?:sust|suld)\.p\./, ours: /elements; \d stand/, why: "a vector without .v2 or .v4" },
  { statement: /^(?:sust|suld|tex|tld4)\b/, ours: /is a vector/, why: "one register for several coordinates" },
  { statement: /^(?:tex|tld4)\b/, ours: /an integer does not convert/, why: "an integer for a float" },
  { statement: /^atom\b/, ours: /one operand too many/, why: "a second operand, which exch does not have" },
  { statement: /^red\.async/, ours: /'m' is missing/, why: "a red.async that completes nothing" },
  {
    statement: /^lop3\.b32 _/,
    ours: /does not convert/,
    why: "a result that nobody reads: the manual has it for lop3.bool only",
  },
];

/** The reason, or undefined. */
export function explanation(statement: string, ours: string): string | undefined {
  return explained.find((row) => row.statement.test(statement) && row.ours.test(ours))?.why;
}
