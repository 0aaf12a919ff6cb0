// The result of a decoder. Malformed input is a value, not an exception.

/** An error in the input: a stable code, its place (bytes from the start of the input), and a description. */
export interface FormatError {
  readonly code: string;
  readonly offset: number;
  readonly what: string;
}

/** Both variants have both fields, one of them undefined: code that ignores the error can read `value` directly. */
export type Result<T, E = FormatError> =
  | { readonly ok: true; readonly value: T; readonly error?: undefined }
  | { readonly ok: false; readonly value?: undefined; readonly error: E };

export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value };
}

export function fail<E>(error: E): Result<never, E> {
  return { ok: false, error };
}
