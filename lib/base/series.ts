// Values by number, and lists that are gone through once or again: held in an array, or each made when it is asked for and
// forgotten. What reports read and write is such, because programs of thousands of modules have more rows than memory.

export interface Series<T> {
  readonly length: number;
  /** Undefined at `length` and beyond. */
  at(index: number): T | undefined;
}

/** Of `length` values, made by `make` whenever one is asked for. */
export const seriesOf = <T>(length: number, make: (index: number) => T): Series<T> => ({
  length,
  at: (index) => (index >= 0 && index < length ? make(index) : undefined),
});

/** The values in their order. */
export function* valuesOf<T>(series: Series<T>): Generator<T, void, undefined> {
  for (let i = 0; i < series.length; i++) yield series.at(i)!;
}

/** A list whose items are made anew each time that it is gone through. */
export const listOf = <T>(make: () => Iterable<T>): Iterable<T> => ({
  [Symbol.iterator]: () => make()[Symbol.iterator](),
});
