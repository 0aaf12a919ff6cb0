// Where our verifier of NVVM IR differs from llvm-as 14 or libNVVM 13, and is meant to; docs/nvvm.md has the reasons at
// length.

interface Explanation {
  /** In "only we refuse: …" or "only they refuse: …", or in what is said. */
  readonly says: RegExp;
  /** In the line that it is said of; any where undefined. */
  readonly line?: RegExp;
  readonly why: string;
}

export const verifyExplained: readonly Explanation[] = [
  {
    says: /only they refuse[^]*(?:DI[A-Z]\w+|!dbg|llvm\.dbg|debug info|DWARF|distinct|subprogram|template param|base type|inlinedAt|invalid scope|invalid file)/,
    why: "debug metadata is not verified: lines are all that is taken from it",
  },
  { says: /only they refuse[^]*[Cc]omdat/, why: "comdats are ignored" },
  {
    says: /only they refuse[^]*(?:fpmath|[Rr]anges? |!prof|llvm\.ident|align (?:applies|metadata|takes)|!align|dereferenceable(?:_or_null)? (?:apply|metadata|take)|nonnull (?:applies|metadata|only)|tbaa|TBAA|flag|named metadata|!range|module flags)/,
    why: "metadata that nothing on a GPU depends on is not verified",
  },
  { says: /only we refuse[^]*(?:vectors of a length|x86_amx)/, why: "types that no GPU has are refused" },
  { says: /only we refuse[^]*number of elements is out of range/, why: "an array has 2^53 elements at most" },
  { says: /only they refuse[^]*Invalid identifier name/, why: "names with dots are renamed, as nvcc does" },
  {
    says: /only they refuse[^]*(?:Unsupported intrinsic: llvm\.(?!nvvm)|address space conversion intrinsics)/,
    why: "intrinsics of LLVM and of NVVM IR 1.0 that libNVVM has not are taken in all versions",
  },
  {
    says: /only they refuse[^]*asm[^]*Invalid type in inline assembly/,
    why: "i1 and i128 are operands of inline assembly, as LLVM has it",
  },
  {
    says: /only they refuse[^]*(?:invalid field|use of undefined value '%\d+')/,
    why: "text of other versions of LLVM is read",
  },
  { says: /only they refuse: refused\n/, why: "libNVVM does not say why" },
  { says: /contains itself/, why: "a type without a size is refused where it is defined, not where it is used" },
  {
    says: /immarg operand has non-immediate[^]*llvm\.ct[lt]z/,
    why: "the flag of ctlz and cttz was no constant before LLVM 9",
  },
  {
    says: /attribute may not apply to call sites|can only be applied to a callsite/,
    why: "attributes without an effect are not verified",
  },
  {
    says: /only they refuse[^]*expected '\('[^]*(?:byval|sret|inalloca|byref|preallocated|elementtype|uwtable)/,
    why: "byval and its kin have no type before LLVM 12",
  },
  {
    says: /only they refuse[^]*(?:token|statepoint|gc\.|personality|landingpad|funclet|pad|swifterror|swiftself|musttail|inalloca|preallocated|coro|deopt|guard|convergence|swiftasync|jumptable|patchpoint|allocsize|callbr)/i,
    why: "exceptions, garbage collection, tokens and other conventions than C's are refused or ignored as a whole",
  },
];

/** The reason for a difference, or undefined. */
export function verifyExplanation(cause: string, says: string, line: string): string | undefined {
  const all = `${cause}\n${says}`;
  return verifyExplained.find((row) => row.says.test(all) && (row.line === undefined || row.line.test(line)))?.why;
}
