// The fixed tables of Zstandard sequences (RFC 8878, section 3.1.1.3.2): the values of the codes for literal lengths, match
// lengths and offsets, and their default frequencies.

/** A kind of code: each value is a base plus some extra bits. */
export interface CodeKind {
  readonly name: string;
  /** Limit of the bits of a state number. */
  readonly mostLog: number;
  readonly bases: readonly number[];
  readonly bits: readonly number[];
  /** The distribution of mode "predefined", and its bits per state number. */
  readonly counts: readonly number[];
  readonly log: number;
}

const times = (n: number, value: number): readonly number[] => Array.from({ length: n }, () => value);

/** Each base is the previous one plus 2 to the power of its extra bits. */
function basesFrom(first: number, bits: readonly number[]): readonly number[] {
  let base = first;
  return bits.map((count) => {
    const here = base;
    base += 2 ** count;
    return here;
  });
}

const literalBits = [...times(16, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const matchBits = [...times(32, 0), 1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const offsetBits = Array.from({ length: 32 }, (_, code) => code);

export const literalLengths: CodeKind = {
  name: "literal lengths",
  mostLog: 9,
  bits: literalBits,
  bases: basesFrom(0, literalBits),
  counts: [4, 3, ...times(11, 2), 1, 1, 1, ...times(9, 2), 3, 2, ...times(5, 1), ...times(4, -1)],
  log: 6,
};

export const matchLengths: CodeKind = {
  name: "match lengths",
  mostLog: 9,
  bits: matchBits,
  bases: basesFrom(3, matchBits),
  counts: [1, 4, 3, ...times(6, 2), ...times(37, 1), ...times(7, -1)],
  log: 6,
};

export const offsets: CodeKind = {
  name: "offsets",
  mostLog: 8,
  bits: offsetBits,
  bases: offsetBits.map((bits) => 2 ** bits),
  counts: [...times(6, 1), 2, 2, 2, ...times(15, 1), ...times(5, -1)],
  log: 5,
};
