// Records of accesses: one for each warp, instruction and step of its threads, however often it runs, so that
// a byte's history is a number. An entry is a record and a lane of it.

import { type Clock, warpClockAt } from "./clock.js";
import type { AsyncOperation } from "./operations.js";
import { isOrderedBefore, type Order, type Scope, type WarpOrder } from "./order.js";

/** 0: weak; else the scope of a strong operation, and 1. */
export type Strength = 0 | 1 | 2 | 3;

export const strengthOf = (scope: Scope): Strength => (scope + 1) as Strength;

export interface AccessRecord {
  /** Number of the warp's first thread; index of its block, and of the first block of its cluster. */
  readonly key: number;
  readonly block: number;
  readonly cluster: number;
  readonly site: number;
  readonly step: number;
  readonly strength: Strength;
  /** Set where an asynchronous operation makes the access. */
  readonly operation: AsyncOperation | undefined;
}

export interface Records {
  /** Number of the record; equal records have one number. */
  number(warp: WarpOrder, lane: number, site: number, strength: Strength, operation?: AsyncOperation): number;
  at(number: number): AccessRecord;
  /** Whether it is one of the warp's own accesses. */
  isSameWarp(number: number, warp: WarpOrder): boolean;
  /** Whether the access by lane `ofLane` of the record is over before the next step of `lane`. */
  isBefore(number: number, ofLane: number, warp: WarpOrder, lane: number): boolean;
  /** Whether `clock` includes that step of all lanes of its warp; false if that must be decided for each lane. */
  isWarpBefore(number: number, clock: Clock): boolean;
  /** Whether every access that races with the other also races with this one. */
  covers(number: number, other: number): boolean;
  /** Whether the two are atomic to each other. */
  areAtomic(one: number, other: number): boolean;
}

const MAX_SITES = 2 ** 20;

export function createRecords(order: Order): Records {
  // Number 0 means that there is no record.
  const records: AccessRecord[] = [
    { key: -1, block: -1, cluster: -1, site: -1, step: 0, strength: 0, operation: undefined },
  ];
  const known = new Map<WarpOrder, Map<number, number>>();
  const areAtomic = (one: number, other: number): boolean => {
    const [a, b] = [records[one]!, records[other]!];
    if (a.strength === 0 || b.strength === 0) return false;
    const least = Math.min(a.strength, b.strength);
    return a.block === b.block || (a.cluster === b.cluster && least >= 2) || least >= 3;
  };
  return {
    at: (number) => records[number]!,
    isSameWarp: (number, warp) => records[number]!.key === warp.key && records[number]!.operation === undefined,
    areAtomic,
    covers: (number, other) => records[number]!.strength <= records[other]!.strength,
    isWarpBefore(number, clock) {
      const { operation, key, step } = records[number]!;
      return operation === undefined && warpClockAt(clock, order.levels, key) >= step;
    },
    number(warp, lane, site, strength, operation) {
      const step = warp.step[lane]!;
      const add = (): number =>
        records.push({ key: warp.key, block: warp.block, cluster: warp.cluster, site, step, strength, operation }) - 1;
      if (operation !== undefined) return add();
      let ofWarp = known.get(warp);
      if (ofWarp === undefined) known.set(warp, (ofWarp = new Map<number, number>()));
      const key = (step * MAX_SITES + site) * 4 + strength;
      let number = ofWarp.get(key);
      if (number === undefined) ofWarp.set(key, (number = add()));
      return number;
    },
    isBefore(number, ofLane, warp, lane) {
      const record = records[number]!;
      return record.operation === undefined
        ? isOrderedBefore(order, warp, lane, record.key + ofLane, record.step)
        : record.operation.isOver(ofLane, warp, lane);
    },
  };
}
