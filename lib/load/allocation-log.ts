// A log of allocations in the arena, through which host threads that share one device memory inform each other. Entries are in
// the order of allocations and releases; each thread keeps its own list and reads on when the count has changed. When the log is
// full, the writer replaces its entries by the live allocations.
//
// (Rejected: one thread that allocates for all. Callers would wait tens of milliseconds until that thread responds.)

import { withLock } from "../base/lock.js";
import type { Arena, Stretch } from "./arena.js";

export interface AllocationEntry {
  readonly base: number;
  readonly size: number;
  /** Offset in the arena; -1 for memory elsewhere, which only one thread reaches. */
  readonly offset: number;
  readonly isHeap: boolean;
  readonly isRelease: boolean;
}

/** Totals over all threads. */
export interface AllocationTotals {
  /** The address where the next allocation may begin. */
  readonly next: number;
  readonly allocatedBytes: number;
  readonly peakBytes: number;
  readonly releases: number;
}

export interface AllocationLog {
  /** Offset of its head in the arena, by which others join it. */
  readonly offset: number;
  /** Whether others have written since the last read. */
  readonly isBehind: boolean;
  /** Runs `work` while no other thread reads or writes. */
  exclusively<T>(work: () => T): T;
  /** Entries since the last read. If `all`, they are all live allocations, and earlier knowledge is void. */
  read(): { readonly entries: readonly AllocationEntry[]; readonly all: boolean; readonly totals: AllocationTotals };
  /** `left`: all allocations after this entry. */
  write(entry: AllocationEntry, totals: AllocationTotals, left: () => readonly AllocationEntry[]): void;
  /** Updates the totals only. */
  count(totals: AllocationTotals): void;
}

/** Words of the head. */
const HEAD = { lock: 0, version: 1, generation: 2, count: 3, capacity: 4, log: 5 } as const;
/** Byte offset of the totals: four doubles. */
const TOTALS = 32;
const HEAD_BYTES = 64;
const ENTRY_WORDS = 4;
const ENTRY_BYTES = 8 * ENTRY_WORDS;
const FIRST_CAPACITY = 256;

/** A log with these allocations; undefined if the arena has no room. */
export function createAllocationLog(
  arena: Arena,
  entries: readonly AllocationEntry[],
  totals: AllocationTotals,
): AllocationLog | undefined {
  const head = arena.take(HEAD_BYTES);
  if (head === undefined) return undefined;
  const allocationLog = joinAllocationLog(arena, head.offset);
  const isThere = allocationLog.exclusively(() => allocationLog.rewrite(entries, totals));
  return isThere ? allocationLog : undefined;
}

interface WritableAllocationLog extends AllocationLog {
  /** False if there is no room. */
  rewrite(entries: readonly AllocationEntry[], totals: AllocationTotals): boolean;
}

export function joinAllocationLog(arena: Arena, offset: number): WritableAllocationLog {
  const { bytes } = arena.at(offset, HEAD_BYTES);
  const head = new Int32Array(bytes.buffer, offset, HEAD_BYTES / 4);
  const sums = new Float64Array(bytes.buffer, offset + TOTALS, 4);
  let version = 0;
  let generation = 0;
  let position = 0;
  /** The log, if this thread allocated it: a thread frees only its own. */
  let own: Stretch | undefined;

  const putTotals = ({ next, allocatedBytes, peakBytes, releases }: AllocationTotals): void =>
    sums.set([next, allocatedBytes, peakBytes, releases]);
  const log = (): Float64Array => {
    const stretch = arena.at(head[HEAD.log]! >>> 0, head[HEAD.capacity]! * ENTRY_BYTES);
    return new Float64Array(stretch.bytes.buffer, stretch.offset, head[HEAD.capacity]! * ENTRY_WORDS);
  };
  const put = (
    into: Float64Array,
    index: number,
    { base, size, offset: at, isHeap, isRelease }: AllocationEntry,
  ): void => into.set([base, size, at, (isHeap ? 1 : 0) + (isRelease ? 2 : 0)], ENTRY_WORDS * index);
  const seen = (): void => {
    position = head[HEAD.count]!;
    generation = head[HEAD.generation]!;
    version = Atomics.add(head, HEAD.version, 1) + 1;
  };

  const allocationLog: WritableAllocationLog = {
    offset,
    get isBehind() {
      return Atomics.load(head, HEAD.version) !== version;
    },
    exclusively: (work) => withLock(head, HEAD.lock, work),
    read() {
      const all = head[HEAD.generation] !== generation;
      if (all) position = 0;
      const words = log();
      const entries: AllocationEntry[] = [];
      for (; position < head[HEAD.count]!; position++) {
        const [base, size, at, flags] = words.subarray(ENTRY_WORDS * position, ENTRY_WORDS * (position + 1));
        entries.push({
          base: base!,
          size: size!,
          offset: at!,
          isHeap: (flags! & 1) !== 0,
          isRelease: (flags! & 2) !== 0,
        });
      }
      generation = head[HEAD.generation]!;
      version = Atomics.load(head, HEAD.version);
      const [next, allocatedBytes, peakBytes, releases] = sums;
      return {
        entries,
        all,
        totals: { next: next!, allocatedBytes: allocatedBytes!, peakBytes: peakBytes!, releases: releases! },
      };
    },
    write(entry, totals, left) {
      const count = head[HEAD.count]!;
      if (count === head[HEAD.capacity]!) {
        if (!allocationLog.rewrite(left(), totals))
          throw new RangeError("device memory: no room for the list of allocations");
        return;
      }
      put(log(), count, entry);
      head[HEAD.count] = count + 1;
      putTotals(totals);
      seen();
    },
    count(totals) {
      putTotals(totals);
      seen();
    },
    rewrite(entries, totals) {
      let capacity = Math.max(FIRST_CAPACITY, head[HEAD.capacity]!);
      while (capacity < 2 * entries.length) capacity *= 2;
      if (capacity !== head[HEAD.capacity]!) {
        const grown = arena.take(capacity * ENTRY_BYTES);
        if (grown === undefined) return false;
        if (own !== undefined && own.offset === head[HEAD.log]! >>> 0) arena.giveBack(own);
        own = grown;
        head[HEAD.log] = grown.offset;
        head[HEAD.capacity] = capacity;
      }
      const words = log();
      entries.forEach((entry, i) => put(words, i, entry));
      head[HEAD.count] = entries.length;
      head[HEAD.generation]!++;
      putTotals(totals);
      seen();
      return true;
    },
  };
  return allocationLog;
}
