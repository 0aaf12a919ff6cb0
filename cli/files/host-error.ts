// The exception for file errors. Separate from the host (host.ts), which imports code that throws it.

/** A file cannot be read or written: exit status 2. */
export class HostError extends Error {
  override readonly name = "HostError";
  /** What the user can do about it. */
  readonly remedy: string | undefined;
  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
