// Limits how much one inspection may show. Sections may overlap and names may be shared, so a file of a few megabytes can
// describe gigabytes of records. The output is limited instead, and says how much is omitted.

/** Characters of a JSON document, roughly: a quarter of what one string can hold. */
const CHARACTERS = 100_000_000;

export interface Budget {
  /** Whether a record of about `characters` may still be shown. */
  spend(characters: number): boolean;
  readonly isSpent: boolean;
}

export function createBudget(characters = CHARACTERS): Budget {
  let left = characters;
  return {
    spend(cost) {
      left -= cost;
      return left >= 0;
    },
    get isSpent() {
      return left < 0;
    },
  };
}
