// Congruence classes: registers of phis and tied operands that share one register, because no two are live at once. A class keeps
// its live intervals by block, and the smaller of two classes is compared with the larger and merged into it, so that time and
// memory grow with the intervals and not with pairs of registers.

import type { Interval, Liveness } from "./liveness.js";
import type { MachineBlock, Operand, Register } from "./machine.js";

export interface Classes {
  /** The register that replaces this one. */
  leader(register: Register): Register;
  /** Merges the classes of a result and a value if they are not live at the same time. */
  unite(result: Register, value: Operand): void;
  /** Whether a register of this one's class is live at the head of a block. */
  isLiveInto(register: Register, block: MachineBlock): boolean;
}

interface Class {
  leader: Register;
  /** By block, in the order of their starts. */
  readonly intervals: Map<number, Interval[]>;
  count: number;
  readonly members: Register[];
}

export function createClasses(liveness: Liveness): Classes {
  const classes = new Map<Register, Class>();
  const classOf = (register: Register): Class | undefined => {
    const known = classes.get(register);
    if (known !== undefined) return known;
    const own = liveness.intervalsOf(register);
    if (own === undefined) return undefined;
    const intervals = new Map([...own].map(([block, interval]) => [block, [interval]]));
    const made: Class = { leader: register, intervals, count: intervals.size, members: [register] };
    classes.set(register, made);
    return made;
  };
  return {
    leader: (register) => classes.get(register)?.leader ?? register,
    unite(result, value) {
      if (value.kind !== "register" || value.mutable || value.class !== result.class) return;
      const [ofResult, ofValue] = [classOf(result), classOf(value)];
      if (ofResult === undefined || ofValue === undefined || ofResult === ofValue) return;
      const [small, large] = ofResult.count < ofValue.count ? [ofResult, ofValue] : [ofValue, ofResult];
      if (interfere(small, large)) return;
      large.leader = ofResult.leader;
      merge(small, large);
      for (const one of small.members) classes.set(one, large);
    },
    isLiveInto(register, block) {
      const found = classOf(register);
      return found === undefined || found.intervals.get(block.id)?.[0]?.start === -Infinity;
    },
  };
}

function interfere(small: Class, large: Class): boolean {
  for (const [block, intervals] of small.intervals) {
    const others = large.intervals.get(block);
    if (others === undefined) continue;
    for (const interval of intervals) {
      const next = indexAfter(others, interval.start);
      const [before, after] = [others[next - 1], others[next]];
      // Intervals of a class do not overlap, so that only the neighbours can.
      if (before !== undefined && (before.start === interval.start || before.end > interval.start)) return true;
      if (after !== undefined && interval.end > after.start) return true;
    }
  }
  return false;
}

function merge(small: Class, large: Class): void {
  for (const [block, intervals] of small.intervals) {
    const others = large.intervals.get(block);
    if (others === undefined) large.intervals.set(block, intervals);
    else for (const interval of intervals) others.splice(indexAfter(others, interval.start), 0, interval);
  }
  large.count += small.count;
  for (const one of small.members) large.members.push(one);
}

/** The index of the first interval that starts later. */
function indexAfter(intervals: readonly Interval[], start: number): number {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (intervals[middle]!.start > start) high = middle;
    else low = middle + 1;
  }
  return low;
}
