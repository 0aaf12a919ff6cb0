// What a wait at an mbarrier waited for, found while a block runs: the arrivals and copies that the engine had seen there when the
// wait went by. The engine's order is one that can happen, so a replay that waits for as many cannot stand still. Waits that
// failed are left out: how often a program asks again depends on the time, which the engine does not know.

export interface MbarrierRecord {
  /** A warp arrives, or begins a copy that signals. */
  readonly arrive: (offset: number) => void;
  readonly copy: (offset: number) => void;
  readonly arrivals: (offset: number) => number;
  readonly copies: (offset: number) => number;
}

export function createMbarrierRecord(): MbarrierRecord {
  const arrived = new Map<number, number>();
  const copied = new Map<number, number>();
  const count = (counts: Map<number, number>, offset: number): void => {
    counts.set(offset, (counts.get(offset) ?? 0) + 1);
  };
  return {
    arrive: (offset) => count(arrived, offset),
    copy: (offset) => count(copied, offset),
    arrivals: (offset) => arrived.get(offset) ?? 0,
    copies: (offset) => copied.get(offset) ?? 0,
  };
}
