// Numbered values, and lists that are iterated once or several times: stored in an array, or each created on demand and dropped.
// Reports use them, because programs of thousands of modules have more rows than fit into memory.

export interface Series<T> {
  readonly length: number;
  /** Undefined at `length` and beyond. */
  at(index: number): T | undefined;
}

/** A series of `length` values, which `make` creates on each access. */
export const seriesOf = <T>(length: number, make: (index: number) => T): Series<T> => ({
  length,
  at: (index) => (index >= 0 && index < length ? make(index) : undefined),
});

/** The values in order. */
export function* valuesOf<T>(series: Series<T>): Generator<T, void, undefined> {
  for (let i = 0; i < series.length; i++) yield series.at(i)!;
}

/** A list whose items are created anew for each iteration. */
export const listOf = <T>(make: () => Iterable<T>): Iterable<T> => ({
  [Symbol.iterator]: () => make()[Symbol.iterator](),
});
