// Records the arrivals and copies that the engine had counted at an mbarrier when a wait passed. The engine's order is possible
// on hardware, so a replay that waits for the same number cannot deadlock. Failed waits are omitted: the number of polls
// depends on time, which the engine does not model.

export interface MbarrierRecord {
  /** A warp arrives, or starts a copy that signals. */
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
