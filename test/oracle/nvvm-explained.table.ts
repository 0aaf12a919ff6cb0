// Where the parser of IR text and llvm-as 14 disagree, and are meant to; docs/nvvm.md has the reasons at length.

interface Explanation {
  /** In "only we refuse: …" or "only llvm-as refuses: …", or in what is said. */
  readonly says: RegExp;
  /** In the line that it is said of; any where undefined. */
  readonly line?: RegExp;
  readonly why: string;
}

export const nvvmExplained: readonly Explanation[] = [];

/** The reason for a difference, or undefined. */
export function nvvmExplanation(cause: string, says: string, line: string, _file: string): string | undefined {
  const all = `${cause}\n${says}`;
  return nvvmExplained.find((row) => row.says.test(all) && (row.line === undefined || row.line.test(line)))?.why;
}
