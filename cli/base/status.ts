// Exit statuses (docs/cli.md).

export const status = {
  done: 0,
  /** An input is wrong. */
  wrongInput: 1,
  /** The command line is wrong, or a file cannot be read or written. */
  usage: 2,
  /** The kernel faulted. */
  fault: 3,
  /** A defect in ptxkit. */
  defect: 70,
} as const;

export type Status = (typeof status)[keyof typeof status];

/** The command line is wrong: exit status 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly remedy: string | undefined;
  /** `remedy`: what to do, unless the message says so. */
  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
