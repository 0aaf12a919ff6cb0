// The exception for a file. Separate from the host (host.ts), which imports code that throws it.

/** A file that cannot be read or written: status 2. */
export class HostError extends Error {
  override readonly name = "HostError";
  /** The remedy. */
  readonly remedy: string | undefined;
  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
