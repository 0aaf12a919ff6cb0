// Bank conflicts: 32 banks of 4 bytes, each of which delivers one word a cycle.

const LANES = 32;
const BANKS = 32;
const WORD = 4;
/** Words of the widest access of all lanes. */
const MAX_WORDS = LANES * 4;

/** Room for the distinct words of each bank, as linked lists. */
export interface Banks {
  readonly first: Int32Array;
  readonly following: Int32Array;
  readonly words: Float64Array;
  readonly degrees: Int32Array;
}

export const createBanks = (): Banks => ({
  first: new Int32Array(BANKS),
  following: new Int32Array(MAX_WORDS),
  words: new Float64Array(MAX_WORDS),
  degrees: new Int32Array(BANKS),
});

/** The largest number of distinct words in one bank. */
export function bankDegree(banks: Banks, addresses: Float64Array, active: number, bytes: number): number {
  if (bytes <= WORD && hasNoConflict(banks, addresses, active)) return 1;
  const { first, following, words, degrees } = banks;
  first.fill(-1);
  degrees.fill(0);
  let used = 0;
  let degree = 1;
  const count = Math.min(4, Math.max(1, bytes >> 2));
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const base = Math.floor(addresses[31 - Math.clz32(rest & -rest)]! / WORD);
    for (let i = 0; i < count; i++) {
      const word = base + i;
      const bank = word & (BANKS - 1);
      let at = first[bank]!;
      while (at >= 0 && words[at] !== word) at = following[at]!;
      if (at >= 0) continue;
      words[used] = word;
      following[used] = first[bank]!;
      first[bank] = used++;
      const n = degrees[bank]! + 1;
      degrees[bank] = n;
      if (n > degree) degree = n;
    }
  }
  return degree;
}

/** Whether no bank has two words, with one word per lane: the common case. */
function hasNoConflict({ words }: Banks, addresses: Float64Array, active: number): boolean {
  let seen = 0;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const word = Math.floor(addresses[31 - Math.clz32(rest & -rest)]! / WORD);
    const bank = word & (BANKS - 1);
    if (((seen >>> bank) & 1) === 0) {
      seen |= 1 << bank;
      words[bank] = word;
    } else if (words[bank] !== word) return false;
  }
  return true;
}

/** Whether each lane's address equals that of the lane whose number differs by `bit`, if that one is active. */
function comesInPairs(addresses: Float64Array, active: number, bit: number): boolean {
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    const other = lane ^ bit;
    if (((active >>> other) & 1) !== 0 && addresses[other] !== addresses[lane]) return false;
  }
  return true;
}

/** Two halves of lanes separately, or together if lanes share their addresses in pairs. */
function inHalves(banks: Banks, addresses: Float64Array, first: number, second: number, bytes: number): number {
  const both = first | second;
  if (first === 0 || second === 0 || comesInPairs(addresses, both, 1) || comesInPairs(addresses, both, 2))
    return both === 0 ? 0 : bankDegree(banks, addresses, both, bytes);
  return bankDegree(banks, addresses, first, bytes) + bankDegree(banks, addresses, second, bytes);
}

/**
 * Cycles of shared memory: accesses of 8 bytes are made by 16 lanes at a time, those of 16 bytes by 8. Each such part has its
 * own bank conflicts.
 */
export function sharedCycles(banks: Banks, addresses: Float64Array, active: number, bytes: number): number {
  if (bytes <= WORD) return bankDegree(banks, addresses, active, bytes);
  if (bytes <= 2 * WORD) return inHalves(banks, addresses, active & 0xffff, active & ~0xffff, bytes);
  return (
    inHalves(banks, addresses, active & 0xff, active & 0xff00, bytes) +
    inHalves(banks, addresses, active & 0xff0000, active & ~0xffffff, bytes)
  );
}
