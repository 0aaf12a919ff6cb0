// Errors of decoders: inside a decoder a private exception, at its edge one Result (see result.ts). Follows the error rule of
// DESIGN ("malformed bytes are a Result with code, offset and what"). Rejected: a Result from every single read, which buries the
// shape of the format under its error handling, and a public exception type, which would let malformed input escape a decoder
// unnoticed.
import { fail, ok, type FormatError, type Result } from "./result.js";

/**
 * The codes that a FormatError carries.
 * - `truncated`: something reaches past the end of the bytes
 * - `bad-magic`: these are not bytes of this format at all
 * - `unsupported`: right bytes of a variant that is not read here
 * - `out-of-range`: an index, offset or value outside what it may be
 * - `malformed`: bytes that contradict themselves or the format
 * - `limit`: more work or memory than the size of the input can justify
 */
export type FormatCode = "truncated" | "bad-magic" | "unsupported" | "out-of-range" | "malformed" | "limit";

class Malformed extends Error {
  readonly error: FormatError;
  constructor(error: FormatError) {
    super(error.what);
    this.error = error;
  }
}

/** Throws out of the surrounding `decoding`. `offset`: in bytes from the start of the input. */
export function malformed(code: FormatCode, offset: number, what: string): never {
  throw new Malformed({ code, offset, what });
}

/** The value of another decoder's Result; throws that decoder's error out of this one. */
export function need<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Malformed(result.error);
}

/**
 * The edge of a decoder: runs `decode` and converts `malformed` to a Result. Other errors are defects of ptxkit and are thrown
 * on.
 */
export function decoding<T>(decode: () => T): Result<T> {
  try {
    return ok(decode());
  } catch (error) {
    if (error instanceof Malformed) return fail(error.error);
    throw error;
  }
}
