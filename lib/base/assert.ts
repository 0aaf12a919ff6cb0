// Reports defects of ptxkit, the third kind of errors. The user's errors are Diagnostics; malformed bytes are Results.

/** A defect in ptxkit itself. The program ends with status 70 and asks for a report. */
export class InternalError extends Error {
  override readonly name = "InternalError";
}

/** Throws InternalError unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InternalError(message);
}

/** Ends an exhaustive switch: the compiler proves that it is unreachable. */
export function assertNever(value: never, what = "value"): never {
  throw new InternalError(`unexpected ${what}: ${JSON.stringify(value)}`);
}
