// The pattern of the lanes' addresses decides the bank conflicts of an access, wherever it starts: banks hold successive words,
// so shifting all addresses by whole words moves all lanes equally. Most instructions access memory in the same pattern
// repeatedly, and its cycles are computed once.

const LANES = 32;
const WORD = 4;

/** The last pattern of an instruction. */
export interface LanePattern {
  /** The rule that its cycles were computed by; undefined before the first access. */
  space: "global" | "shared" | undefined;
  active: number;
  bytes: number;
  /** Addresses of active lanes. */
  readonly addresses: Float64Array;
  cycles: number;
}

export const createLanePattern = (): LanePattern => ({
  space: undefined,
  active: 0,
  bytes: 0,
  addresses: new Float64Array(LANES),
  cycles: 0,
});

/** Whether the access differs from the last one by a shift of whole words; if not, it becomes the last one. */
export function isRepeated(
  pattern: LanePattern,
  space: "global" | "shared",
  addresses: Float64Array,
  active: number,
  bytes: number,
): boolean {
  const first = 31 - Math.clz32(active & -active);
  const known = pattern.addresses;
  if (pattern.space === space && pattern.active === active && pattern.bytes === bytes) {
    const shift = addresses[first]! - known[first]!;
    if (Math.floor(shift / WORD) * WORD === shift && isShifted(known, addresses, active, shift)) return true;
  }
  pattern.space = space;
  pattern.active = active;
  pattern.bytes = bytes;
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    known[lane] = addresses[lane]!;
  }
  return false;
}

function isShifted(known: Float64Array, addresses: Float64Array, active: number, shift: number): boolean {
  if (active === -1) {
    for (let lane = 0; lane < LANES; lane++) if (addresses[lane]! - known[lane]! !== shift) return false;
    return true;
  }
  for (let rest = active; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    if (addresses[lane]! - known[lane]! !== shift) return false;
  }
  return true;
}
