// What is thrown for a file. Apart from the host (host.ts), which imports who throws it.

/** A file that cannot be read or written: status 2. */
export class HostError extends Error {
  override readonly name = "HostError";
  /** What to do. */
  readonly remedy: string | undefined;
  constructor(message: string, remedy?: string) {
    super(message);
    this.remedy = remedy;
  }
}
