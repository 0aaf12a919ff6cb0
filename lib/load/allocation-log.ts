// A log of allocations in the arena, through which host threads that share one device memory inform each other. Entries are in
// the order of allocations and releases; each thread keeps its own list and reads new entries when the count has changed. When
// the log is full, the writer replaces its entries by the live allocations.
//
// (Rejected: one thread that allocates for all. Callers would wait tens of milliseconds until that thread responds.)

import { withLock } from "../base/lock.js";
import type { Arena, ArenaBlock } from "./arena.js";

export interface AllocationEntry {
  readonly base: number;
  readonly size: number;
  /** Offset in the arena; -1 for memory outside it, which only one thread can access. */
  readonly offset: number;
  readonly isHeap: boolean;
  readonly isRelease: boolean;
}

/** Totals over all threads. */
export interface AllocationTotals {
  /** First address that the next allocation may use. */
  readonly next: number;
  readonly allocatedBytes: number;
  readonly peakBytes: number;
  readonly releases: number;
}

/** One thread's view of the log. */
export interface AllocationLog {
  readonly arena: Arena;
  /** Offset of the log's head in the arena; other threads join the log by it. */
  readonly offset: number;
  readonly head: Int32Array;
  readonly totals: Float64Array;
  /** The head's version and generation at the last read, and the entries read so far. */
  version: number;
  generation: number;
  position: number;
  /** The entries' memory, if this thread allocated it: a thread frees only its own. */
  own: ArenaBlock | undefined;
}

/** Words of the head. */
const HEAD = { lock: 0, version: 1, generation: 2, count: 3, capacity: 4, log: 5 } as const;
/** Byte offset of the totals, which are four doubles. */
const TOTALS = 32;
const HEAD_BYTES = 64;
const ENTRY_WORDS = 4;
const ENTRY_BYTES = 8 * ENTRY_WORDS;
const FIRST_CAPACITY = 256;

/** Creates a log with these allocations; undefined if the arena has no room. */
export function createAllocationLog(
  arena: Arena,
  entries: readonly AllocationEntry[],
  totals: AllocationTotals,
): AllocationLog | undefined {
  const head = arena.take(HEAD_BYTES);
  if (head === undefined) return undefined;
  const log = joinAllocationLog(arena, head.offset);
  return withLog(log, () => rewriteLog(log, entries, totals)) ? log : undefined;
}

export function joinAllocationLog(arena: Arena, offset: number): AllocationLog {
  const { buffer } = arena.at(offset, HEAD_BYTES).bytes;
  return {
    arena,
    offset,
    head: new Int32Array(buffer, offset, HEAD_BYTES / 4),
    totals: new Float64Array(buffer, offset + TOTALS, 4),
    version: 0,
    generation: 0,
    position: 0,
    own: undefined,
  };
}

/** Whether others have written since the last read. */
export const hasUnreadEntries = ({ head, version }: AllocationLog): boolean =>
  Atomics.load(head, HEAD.version) !== version;

/** Runs `work` while no other thread reads or writes. */
export const withLog = <T>({ head }: AllocationLog, work: () => T): T => withLock(head, HEAD.lock, work);

/** The words of the entries. */
function entryWords({ arena, head }: AllocationLog): Float64Array {
  const storage = arena.at(head[HEAD.log]! >>> 0, head[HEAD.capacity]! * ENTRY_BYTES);
  return new Float64Array(storage.bytes.buffer, storage.offset, head[HEAD.capacity]! * ENTRY_WORDS);
}

const putEntry = (
  into: Float64Array,
  index: number,
  { base, size, offset, isHeap, isRelease }: AllocationEntry,
): void => into.set([base, size, offset, (isHeap ? 1 : 0) + (isRelease ? 2 : 0)], ENTRY_WORDS * index);

function entryAt(words: Float64Array, index: number): AllocationEntry {
  const [base, size, offset, flags] = words.subarray(ENTRY_WORDS * index, ENTRY_WORDS * (index + 1));
  return {
    base: base!,
    size: size!,
    offset: offset!,
    isHeap: (flags! & 1) !== 0,
    isRelease: (flags! & 2) !== 0,
  };
}

/** Updates the totals, and publishes what this thread has written. */
export function publishLog(log: AllocationLog, { next, allocatedBytes, peakBytes, releases }: AllocationTotals): void {
  const { head } = log;
  log.totals.set([next, allocatedBytes, peakBytes, releases]);
  log.position = head[HEAD.count]!;
  log.generation = head[HEAD.generation]!;
  log.version = Atomics.add(head, HEAD.version, 1) + 1;
}

/** Entries since the last read. If `all`, they are all live allocations and replace the earlier ones. */
export function readLog(log: AllocationLog): {
  readonly entries: readonly AllocationEntry[];
  readonly all: boolean;
  readonly totals: AllocationTotals;
} {
  const { head } = log;
  const all = head[HEAD.generation] !== log.generation;
  if (all) log.position = 0;
  const words = entryWords(log);
  const entries: AllocationEntry[] = [];
  for (; log.position < head[HEAD.count]!; log.position++) entries.push(entryAt(words, log.position));
  log.generation = head[HEAD.generation]!;
  log.version = Atomics.load(head, HEAD.version);
  const [next, allocatedBytes, peakBytes, releases] = log.totals;
  const totals = { next: next!, allocatedBytes: allocatedBytes!, peakBytes: peakBytes!, releases: releases! };
  return { entries, all, totals };
}

/** Appends an entry. `left` lists all allocations that are live after it. */
export function writeLog(
  log: AllocationLog,
  entry: AllocationEntry,
  totals: AllocationTotals,
  left: () => readonly AllocationEntry[],
): void {
  const { head } = log;
  const count = head[HEAD.count]!;
  if (count === head[HEAD.capacity]!) {
    if (!rewriteLog(log, left(), totals)) throw new RangeError("device memory: no room for the list of allocations");
    return;
  }
  putEntry(entryWords(log), count, entry);
  head[HEAD.count] = count + 1;
  publishLog(log, totals);
}

/** Replaces the entries by these and makes room for more; false if the arena has no room. */
function rewriteLog(log: AllocationLog, entries: readonly AllocationEntry[], totals: AllocationTotals): boolean {
  const { arena, head, own } = log;
  let capacity = Math.max(FIRST_CAPACITY, head[HEAD.capacity]!);
  while (capacity < 2 * entries.length) capacity *= 2;
  if (capacity !== head[HEAD.capacity]!) {
    const grown = arena.take(capacity * ENTRY_BYTES);
    if (grown === undefined) return false;
    if (own !== undefined && own.offset === head[HEAD.log]! >>> 0) arena.giveBack(own);
    log.own = grown;
    head[HEAD.log] = grown.offset;
    head[HEAD.capacity] = capacity;
  }
  const words = entryWords(log);
  entries.forEach((entry, i) => putEntry(words, i, entry));
  head[HEAD.count] = entries.length;
  head[HEAD.generation]!++;
  publishLog(log, totals);
  return true;
}
