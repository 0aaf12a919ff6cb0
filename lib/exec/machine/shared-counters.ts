// Counters that all host threads of one launch share in memory: the next cluster, the first that faulted, the instructions that
// may still be issued. Each thread claims clusters in grid order until none are left.

import { withLock } from "../../base/lock.js";
import type { Arena, ArenaBlock } from "../../load/arena.js";
import type { Counters, SharedCounters } from "../state/launch.js";

/** Maximum number of clusters in a launch that threads can share. */
export const MAX_CLUSTERS = 2 ** 31 - 1;

const WORD = {
  next: 0,
  failed: 1,
  stop: 2,
  active: 3,
  waiting: 4,
  done: 5,
  entered: 6,
  exhausted: 7,
  lock: 8,
  clusters: 9,
} as const;
/** Index of the number of remaining instructions among 64-bit words. */
const BUDGET = 6;
const BYTES = 64;
const CLOSED = 2 ** 30;
/** Bounds of the number of instructions that a thread takes at once. */
const MAX_AT_ONCE = 2 ** 22;
const MIN_AT_ONCE = 2 ** 10;

export interface SharedCountersStart {
  readonly clusters: number;
  /** The first unclaimed cluster, and the number of blocks that have ended. */
  readonly next: number;
  readonly done: number;
}

/** Counters for a launch that this thread runs alone so far; undefined if the arena has no room. */
export function createSharedCounters(
  arena: Arena,
  start: SharedCountersStart,
  counters: Counters,
): SharedCounters | undefined {
  const storage = arena.take(BYTES);
  if (storage === undefined) return undefined;
  const words = new Int32Array(storage.bytes.buffer, storage.offset, BYTES / 4);
  words[WORD.clusters] = start.clusters;
  words[WORD.next] = start.next;
  words[WORD.failed] = MAX_CLUSTERS;
  words[WORD.active] = 1;
  words[WORD.done] = Math.min(start.done, MAX_CLUSTERS);
  if (counters.limit !== Infinity) {
    const budgets = new BigInt64Array(storage.bytes.buffer, storage.offset, BYTES / 8);
    budgets[BUDGET] = BigInt(Math.max(0, counters.limit - counters.warpInstructions));
    counters.limit = counters.warpInstructions;
  }
  return joinSharedCounters(storage);
}

/** Joins the counters that another thread created. */
export function joinSharedCounters(storage: ArenaBlock): SharedCounters {
  const { buffer } = storage.bytes;
  const words = new Int32Array(buffer, storage.offset, BYTES / 4);
  return {
    storage,
    words,
    longs: new BigInt64Array(buffer, storage.offset, BYTES / 8),
    clusters: words[WORD.clusters]!,
  };
}

const load = ({ words }: SharedCounters, word: number): number => Atomics.load(words, word);

// ------------------------------------------------------------------------------------------------------------- clusters

/**
 * Claims the next clusters: up to `most`, fewer near the end, but at least `least`. Returns the first and the one after the last;
 * undefined if none is left or an earlier one faulted.
 */
export function claimClusters(
  shared: SharedCounters,
  least: number,
  most: number,
): readonly [first: number, end: number] | undefined {
  const { words, clusters } = shared;
  for (;;) {
    const first = load(shared, WORD.next);
    const end = Math.min(clusters, load(shared, WORD.failed));
    if (first >= end || isStopped(shared)) return undefined;
    const fair = Math.floor((clusters - first) / (4 * load(shared, WORD.active)));
    const behind = Math.min(end, first + Math.max(least, Math.min(most, fair)));
    if (Atomics.compareExchange(words, WORD.next, first, behind) === first) return [first, behind];
  }
}

/** Adds blocks that have ended, and returns the new sum. */
export const countBlocks = ({ words }: SharedCounters, blocks: number): number =>
  Atomics.add(words, WORD.done, blocks) + blocks;

/** Records that a cluster has faulted: later ones do not count. */
export function failCluster(shared: SharedCounters, cluster: number): void {
  for (;;) {
    const before = load(shared, WORD.failed);
    if (cluster >= before || Atomics.compareExchange(shared.words, WORD.failed, before, cluster) === before) return;
  }
}

/** The first cluster that has faulted so far; Infinity if none has. */
export function failedCluster(shared: SharedCounters): number {
  const cluster = load(shared, WORD.failed);
  return cluster === MAX_CLUSTERS ? Infinity : cluster;
}

/** Asks all threads to end the launch. */
export const stopAll = ({ words }: SharedCounters): void => void Atomics.store(words, WORD.stop, 1);

export const isStopped = (shared: SharedCounters): boolean => load(shared, WORD.stop) === 1;

// -------------------------------------------------------------------------------------------------------------- threads

/** Enters this thread into the launch; false if the launch is already closed. */
export function enterLaunch({ words }: SharedCounters): boolean {
  Atomics.add(words, WORD.active, 1);
  if ((Atomics.add(words, WORD.entered, 1) & CLOSED) === 0) return true;
  Atomics.sub(words, WORD.active, 1);
  return false;
}

/** Leaves the launch, and returns this thread's unused instructions to the others. */
export function leaveLaunch({ words, longs }: SharedCounters, counters: Counters): void {
  if (counters.limit !== Infinity && counters.limit > counters.warpInstructions) {
    Atomics.add(longs, BUDGET, BigInt(counters.limit - counters.warpInstructions));
    counters.limit = counters.warpInstructions;
  }
  Atomics.sub(words, WORD.active, 1);
  Atomics.notify(words, WORD.waiting);
}

/** Closes the launch to further threads; returns how many have entered. */
export const closeLaunch = ({ words }: SharedCounters): number => Atomics.or(words, WORD.entered, CLOSED);

/** Runs `work` while no other thread runs work under this lock. */
export const exclusiveWork = <T>({ words }: SharedCounters, work: () => T): T => withLock(words, WORD.lock, work);

// --------------------------------------------------------------------------------------------------------- instructions

/** Takes instructions from the budget; 0 if it is used up. */
function takeBudget(shared: SharedCounters): number {
  const { longs } = shared;
  for (;;) {
    const rest = Atomics.load(longs, BUDGET);
    if (rest <= 0n) return 0;
    // The grant shrinks with the budget, so that all threads use it up at about the same time.
    const share = Math.max(MIN_AT_ONCE, Math.min(MAX_AT_ONCE, Number(rest) / (4 * load(shared, WORD.active))));
    const granted = Math.min(Number(rest), Math.floor(share));
    if (Atomics.compareExchange(longs, BUDGET, rest, rest - BigInt(granted)) === rest) return granted;
  }
}

/** Grants a thread more instructions; false when all threads have used up the limit. */
export function refillBudget(shared: SharedCounters, counters: Counters): boolean {
  const { words, longs } = shared;
  for (;;) {
    const more = takeBudget(shared);
    // A thread polls the stop only occasionally: it may run until then.
    if (more > 0 || isStopped(shared)) {
      counters.limit += more > 0 ? more : MIN_AT_ONCE;
      return true;
    }
    const waiting = Atomics.add(words, WORD.waiting, 1) + 1;
    // A thread that leaves returns its budget first, so this sees it.
    const isEnd = waiting >= load(shared, WORD.active) && Atomics.load(longs, BUDGET) <= 0n;
    if (isEnd) Atomics.store(words, WORD.exhausted, 1);
    else if (load(shared, WORD.exhausted) === 0) Atomics.wait(words, WORD.waiting, waiting, 5);
    Atomics.sub(words, WORD.waiting, 1);
    if (load(shared, WORD.exhausted) === 1) {
      Atomics.notify(words, WORD.waiting);
      return false;
    }
  }
}
