// Computes values on first use.

/** Returns a function that calls `make` once and returns its value. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
