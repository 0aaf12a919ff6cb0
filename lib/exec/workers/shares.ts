// What threads of the host that run one launch together agree on, in words that all of them see: which cluster is next, which
// has faulted, how many instructions may still be issued. Whoever takes part takes clusters in grid order until there are
// no more.

import { withLock } from "../../base/lock.js";
import type { Arena, Stretch } from "../../load/arena.js";
import type { Counters } from "../launch-state.js";

export interface Shares {
  readonly stretch: Stretch;
  /**
   * The next clusters that nobody has taken, up to `most` of them, near the end fewer, down to `least`: the first, and the one
   * behind the last. Undefined when there is none, or one before has faulted.
   */
  take(least: number, most: number): readonly [first: number, end: number] | undefined;
  /** Adds blocks that have ended; all that have. */
  finish(blocks: number): number;
  /** A cluster has faulted: what comes behind it does not count. */
  fail(cluster: number): void;
  /** The first cluster that has faulted so far; Infinity. */
  readonly failed: number;
  /** Somebody wants the launch to end. */
  stop(): void;
  readonly stopped: boolean;
  /** A thread begins to take part; false when it is too late. */
  enter(): boolean;
  /** A thread has nothing left to do: others may issue what it may not need. */
  leave(counters: Counters): void;
  /** Nobody enters from now on; how many have. */
  close(): number;
  /** Lets a thread that has used its instructions up issue more; false when all have used up all. */
  refill(counters: Counters): boolean;
  /** Does the work while no other thread does any by this. */
  exclusively<T>(work: () => T): T;
}

/** Clusters of a launch that can be shared, at most. */
export const MOST_CLUSTERS = 2 ** 31 - 1;

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
/** Index of what is left of the instructions that may be issued, among 64-bit words. */
const BUDGET = 6;
const BYTES = 64;
const CLOSED = 2 ** 30;
/** Instructions that a thread takes at once. */
const MOST_AT_ONCE = 2 ** 22;
const LEAST_AT_ONCE = 2 ** 10;

export interface SharesStart {
  readonly clusters: number;
  /** The first that nobody has begun; blocks that have ended. */
  readonly next: number;
  readonly done: number;
}

/** Shares of a launch that this thread runs alone so far; undefined when the arena has no room. */
export function createShares(arena: Arena, start: SharesStart, counters: Counters): Shares | undefined {
  const stretch = arena.take(BYTES);
  if (stretch === undefined) return undefined;
  const words = new Int32Array(stretch.bytes.buffer, stretch.offset, BYTES / 4);
  words[WORD.clusters] = start.clusters;
  words[WORD.next] = start.next;
  words[WORD.failed] = MOST_CLUSTERS;
  words[WORD.active] = 1;
  words[WORD.done] = Math.min(start.done, MOST_CLUSTERS);
  if (counters.limit !== Infinity) {
    const budgets = new BigInt64Array(stretch.bytes.buffer, stretch.offset, BYTES / 8);
    budgets[BUDGET] = BigInt(Math.max(0, counters.limit - counters.warpInstructions));
    counters.limit = counters.warpInstructions;
  }
  return joinShares(stretch);
}

/** Those that another thread has made. */
export function joinShares(stretch: Stretch): Shares {
  const { buffer } = stretch.bytes;
  const words = new Int32Array(buffer, stretch.offset, BYTES / 4);
  const budgets = new BigInt64Array(buffer, stretch.offset, BYTES / 8);
  const load = (word: number): number => Atomics.load(words, word);
  const clusters = words[WORD.clusters]!;

  const grant = (): number => {
    for (;;) {
      const rest = Atomics.load(budgets, BUDGET);
      if (rest <= 0n) return 0;
      // Less the less there is, so that all come to the end of it at about the same time.
      const share = Math.max(LEAST_AT_ONCE, Math.min(MOST_AT_ONCE, Number(rest) / (4 * load(WORD.active))));
      const taken = Math.min(Number(rest), Math.floor(share));
      if (Atomics.compareExchange(budgets, BUDGET, rest, rest - BigInt(taken)) === rest) return taken;
    }
  };

  const shares: Shares = {
    stretch,
    take(least, most) {
      for (;;) {
        const first = load(WORD.next);
        const end = Math.min(clusters, load(WORD.failed));
        if (first >= end || shares.stopped) return undefined;
        const fair = Math.floor((clusters - first) / (4 * load(WORD.active)));
        const behind = Math.min(end, first + Math.max(least, Math.min(most, fair)));
        if (Atomics.compareExchange(words, WORD.next, first, behind) === first) return [first, behind];
      }
    },
    finish: (blocks) => Atomics.add(words, WORD.done, blocks) + blocks,
    fail(cluster) {
      for (;;) {
        const before = load(WORD.failed);
        if (cluster >= before || Atomics.compareExchange(words, WORD.failed, before, cluster) === before) return;
      }
    },
    get failed() {
      const cluster = load(WORD.failed);
      return cluster === MOST_CLUSTERS ? Infinity : cluster;
    },
    stop: () => void Atomics.store(words, WORD.stop, 1),
    get stopped() {
      return load(WORD.stop) === 1;
    },
    enter() {
      Atomics.add(words, WORD.active, 1);
      if ((Atomics.add(words, WORD.entered, 1) & CLOSED) === 0) return true;
      Atomics.sub(words, WORD.active, 1);
      return false;
    },
    leave(counters) {
      if (counters.limit !== Infinity && counters.limit > counters.warpInstructions) {
        Atomics.add(budgets, BUDGET, BigInt(counters.limit - counters.warpInstructions));
        counters.limit = counters.warpInstructions;
      }
      Atomics.sub(words, WORD.active, 1);
      Atomics.notify(words, WORD.waiting);
    },
    close: () => Atomics.or(words, WORD.entered, CLOSED),
    refill(counters) {
      for (;;) {
        const more = grant();
        // Whoever is to stop looks for that only now and then: it may have some.
        if (more > 0 || shares.stopped) {
          counters.limit += more > 0 ? more : LEAST_AT_ONCE;
          return true;
        }
        const waiting = Atomics.add(words, WORD.waiting, 1) + 1;
        // Somebody who leaves gives back before.
        const isEnd = waiting >= load(WORD.active) && Atomics.load(budgets, BUDGET) <= 0n;
        if (isEnd) Atomics.store(words, WORD.exhausted, 1);
        else if (load(WORD.exhausted) === 0) Atomics.wait(words, WORD.waiting, waiting, 5);
        Atomics.sub(words, WORD.waiting, 1);
        if (load(WORD.exhausted) === 1) {
          Atomics.notify(words, WORD.waiting);
          return false;
        }
      }
    },
    exclusively: (work) => withLock(words, WORD.lock, work),
  };
  return shares;
}
