// Limits how much one inspection may show. Sections may overlap and names may be shared, so that a file of a few megabytes can
// describe gigabytes of records. Output beyond the limit is omitted, and the inspection is marked as shortened.

/** Approximate limit in characters of a JSON document: a quarter of the longest string. */
const CHARACTERS = 100_000_000;

export interface Budget {
  /** Whether a record of about `characters` may still be shown. */
  spend(characters: number): boolean;
  readonly isExhausted: boolean;
}

export function createBudget(characters = CHARACTERS): Budget {
  let left = characters;
  return {
    spend(cost) {
      left -= cost;
      return left >= 0;
    },
    get isExhausted() {
      return left < 0;
    },
  };
}
