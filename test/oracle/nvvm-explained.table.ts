// Where the parser of IR text and llvm-as 14 disagree, and are meant to; docs/nvvm-text.md has the reasons at length.

interface Explanation {
  /** In "only we refuse: …" or "only llvm-as refuses: …", or in what is said. */
  readonly says: RegExp;
  /** In the line that it is said of; any where undefined. */
  readonly line?: RegExp;
  readonly why: string;
}

export const nvvmExplained: readonly Explanation[] = [
  { says: /died of SIG/, why: "llvm-as dies of an assertion, or of a layout that it does not know" },
  {
    says: /expected comma after (alias|load|getelementptr)|unexpected type in metadata|roundtrip|expected 'global' or 'constant'/,
    why: "spellings of NVVM IR 1.0, which LLVM has dropped",
  },
  { says: /expected type/, line: /alias|metadata/, why: "spellings of NVVM IR 1.0, which LLVM has dropped" },
  {
    says: /instruction opcode/,
    line: /landingpad .* personality/,
    why: "spellings of NVVM IR 1.0, which LLVM has dropped",
  },
  { says: /function-local name/, why: "spellings of NVVM IR 1.0: metadata !{i32 %x}" },
  { says: /ordering on atomic|unknown selection kind/, why: "words of LLVM 3.x: singlethread, noduplicates" },
  { says: /top-level entity/, line: /^(?:\w+ )*(?:global|constant) /, why: "globals without a name, of LLVM 2.x" },
  { says: /expected '\('/, line: /byval|sret|inalloca/, why: "byval and its like without a type, before LLVM 12" },
  {
    says: /expected '\('|unterminated attribute group|expected '\)'|expected type|instruction opcode|binary operation in atomicrmw|expected '}'|expected function name|expected value token/,
    line: /memory\(|captures\(|nofpclass|range\(|target\("|#dbg_|disjoint|nneg|uinc_wrap|udec_wrap|allockind|splat|initializes|nuw|nusw|samesign|dead_on_unwind|writable|denormal/,
    why: "words that are newer than LLVM 14",
  },
  {
    says: /\binvalid field|missing (required|'distinct')|cannot be null|cannot be empty|too (large|small), limit|DWARF|debug info flag|checksum kind|expected metadata type|element too large|expected unsigned integer/,
    why: "fields of debug information are read whatever they are: a fault there costs lines, not the module",
  },
  {
    says: /uselistorder|value (has no uses|only has one use)|wrong number of indexes|numeric label/,
    why: "use-list orders are stepped over",
  },
  {
    says: /invalid cast opcode|default visibility|invalid type for (alloca|global|inline asm)|explicit pointee|unsized type|does not apply|may not have an alignment|token type|doesn't match function|musttail|DLL-StorageClass|wrong number of elements|same parameter|comdat cannot/,
    why: "the grammar takes it, and the verifier has the rule, or NVVM IR ignores it",
  },
  {
    says: /top-level entity/,
    line: /^target (?:datalayout|triple)/,
    why: "a target line behind another statement: llvm-as 14 takes it only at the head of a file",
  },
  { says: /instruction opcode/, line: /"/, why: "a name with a zero byte in it" },
  { says: /expected metadata after comma/, why: "clauses in any order" },
  { says: /number of elements is out of range/, why: "no memory has 2^53 elements" },
  { says: /expected a type/, line: /i\d+addrspace/, why: "'i8addrspace(1)*' without a blank" },
];

/** The reason for a difference, or undefined. */
export function nvvmExplanation(cause: string, says: string, line: string): string | undefined {
  const all = `${cause}\n${says}`;
  return nvvmExplained.find((row) => row.says.test(all) && (row.line === undefined || row.line.test(line)))?.why;
}
