// Schedules the clusters of a launch that one host thread runs (most have one block). They run in grid order, each to its end.
// When a cluster only spins, it may wait for a later one: further clusters begin, and all of them take turns.

import { completeAll } from "./async/pending.js";
import { expireWaits, waitsOf } from "./async/waiting.js";
import {
  type Cluster,
  createCluster,
  LOCAL_BYTES_LIMIT,
  releaseBlocks,
  retireCluster,
  STACK_OVERFLOW,
} from "./block.js";
import { dumpCluster, type FaultDump } from "./dump.js";
import { describeFault, faultOf, type FoundFault } from "./describe-fault.js";
import { KernelFault } from "./fault.js";
import { clusterOf, type LaunchState } from "./launch-state.js";
import type { Steps } from "../base/steps.js";
import type { IssueObserver } from "./observer.js";
import type { FaultKind } from "./result.js";
import { runBlockTurn, type WarpState } from "./run-warp.js";
import { SPINNING_SHARE } from "./step.js";
import type { StopSignal } from "./stop-signal.js";
import { MOST_CLUSTERS } from "./workers/shared-counters.js";

export interface Scheduler {
  /** Why no further instruction is issued. */
  readonly found: FoundFault | undefined;
  /** What blocks printed, by index. Most print nothing, and a grid may have 2^31 blocks. */
  readonly output: ReadonlyMap<number, string>;
  /** Blocks that have ended. */
  readonly done: number;
  /** Clusters that have begun, here; the next one that would begin. */
  readonly next: number;
  /** Runs a block to its end, and other blocks that it may wait for. Yields as runAll does. */
  runBlock(index: number, observe?: (block: number) => IssueObserver): Steps<void>;
  /** Runs all clusters. Yields about every million instructions, so that the host can do other work. */
  runAll(): Steps<void>;
  /** Stops with a fault if the signal has come; whether it ever has. */
  heed(): boolean;
  /** Stops with the fault of a limit. */
  stop(message: string): void;
}

export interface SchedulerOptions {
  readonly signal?: StopSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
  /** Receives the registers and memory of the faulting cluster. */
  readonly onFault?: (dump: FaultDump) => void;
  /** Is called before a cluster begins, and where one takes long. */
  readonly onNext?: () => void;
}

/** Instructions that a warp issues before the next warp of its block has its turn. */
const WARP_SHARE = 32_768;
/** Turns without progress after which a block is assumed to wait for another block. */
const SPINNING_TURNS = 4;
/** Instructions between two looks at the abort signal: a fifth of a second at most, of the interpreter two. */
const SLICE = 1_000_000;
/** The same while an observer watches each instruction. */
const OBSERVED_SLICE = 100_000;
/**
 * Instructions that a thread claims at once, as clusters: the most while many are left, and the least. A claim costs as much as a
 * thousand instructions.
 */
const MOST_CHUNK = 2 ** 17;
const LEAST_CHUNK = 2 ** 13;
/** Slices that a block has before others begin beside it, whatever it does. */
const SLICES_ALONE = 32;

export function createScheduler(state: LaunchState, options: SchedulerOptions = {}): Scheduler {
  const { kernel, config, blocks, clusters, counters } = state;
  const { memory } = state.process;
  const output = new Map<number, string>();
  const ofLaunch = (kind: FaultKind, message: string, cluster: number): FoundFault => ({
    fault: { kind, message, kernel: kernel.name },
    cluster,
    places: [],
  });
  let found =
    state.process.threadBytes + state.program.frameBytes > LOCAL_BYTES_LIMIT
      ? ofLaunch("stack-overflow", STACK_OVERFLOW, 0)
      : undefined;
  let done = 0;
  /** Clusters that are this thread's to begin: of a launch that it runs alone, all. */
  const numbers = { next: 0, end: clusters, areShared: false };

  /** Some cluster has only spun: those of this launch may wait for each other. */
  let hasSpun = false;

  const keepOutput = ({ blocks: members }: Cluster): void => {
    for (const { index, output: printed } of members) if (printed.length > 0) output.set(index, printed.join(""));
  };
  /** Clusters that have begun and not ended, by number; the one that ran last. */
  const unfinished = new Map<number, Cluster>();
  let last: Cluster | undefined;
  const begin = (number: number): Cluster => {
    const group = createCluster(state, number);
    unfinished.set(number, group);
    return group;
  };
  const releaseSpare = (): void => {
    for (const group of state.spare.splice(0)) releaseBlocks(group);
  };
  const haveEnded = (count: number): void => {
    done += count;
    const all = state.sharedCounters?.finish(count) ?? done;
    options.onProgress?.(all, blocks);
  };
  const finish = (number: number, group: Cluster): void => {
    keepOutput(group);
    retireCluster(group);
    unfinished.delete(number);
    haveEnded(group.blocks.length);
  };
  /** Nothing runs after a fault: what was printed stays, the memory of blocks goes. */
  const stop = (number: number, at: Cluster | undefined, error: KernelFault): void => {
    const others = [...unfinished.values()].filter((each) => each !== at);
    if (at !== undefined) {
      state.sanitizer?.fault(at, error);
      options.onFault?.(dumpCluster(at));
    }
    found =
      at === undefined ? ofLaunch(error.kind, error.message, number) : describeFault(state, number, at, others, error);
    state.probe?.fault(at, faultOf([found])!);
    for (const group of unfinished.values()) {
      keepOutput(group);
      releaseBlocks(group);
    }
    unfinished.clear();
    releaseSpare();
  };

  /** End of the clusters that may follow this one without a new turn: those that this thread has claimed, while it runs alone. */
  const endOfRow = (number: number): number => {
    const isAlone = unfinished.size === 1 && numbers.next === number + 1;
    if (!isAlone || blocks !== clusters || clusters > MOST_CLUSTERS) return number + 1;
    // Doubles each time, because other threads may be called to the launch.
    return state.sharedCounters === undefined ? Math.min(numbers.end, 2 * numbers.next) : numbers.end;
  };
  /** The current number of the cluster that had that number. */
  const numberOf = (group: Cluster, number: number): number => (blocks === clusters ? group.blocks[0]!.index : number);
  /** The number of the cluster that runs now: others may have ended before it. */
  const follow = (number: number, group: Cluster): number => {
    const now = numberOf(group, number);
    if (now === number) return number;
    unfinished.delete(number);
    unfinished.set(now, group);
    numbers.next = now + 1;
    haveEnded(now - number);
    return now;
  };

  /** Runs a cluster, and those that may follow it, for a slice of instructions or until one only spins. */
  const advance = (first: number, group: Cluster): "done" | "ready" | "spinning" | "faulted" => {
    let number = first;
    const again = (): void => void (group.idleTurns = 0);
    group.sliceEnd = counters.warpInstructions + (state.observe === undefined ? SLICE : OBSERVED_SLICE);
    last = group;
    try {
      while (group.idleTurns < SPINNING_TURNS) {
        if (state.sharedCounters !== undefined) memory.refresh();
        const moved = turnOf(group, endOfRow(number), again);
        number = follow(number, group);
        if (moved === "done") {
          completeAll(group);
          state.sanitizer?.endCluster(group);
          finish(number, group);
          return "done";
        }
        group.idleTurns = moved === "idle" ? group.idleTurns + 1 : 0;
        if (counters.warpInstructions >= group.sliceEnd) return "ready";
      }
      group.idleTurns = 0;
      return "spinning";
    } catch (error) {
      if (!(error instanceof KernelFault)) throw error;
      number = follow(number, group);
      stop(number, group, error);
      state.sharedCounters?.fail(number);
      return "faulted";
    }
  };

  // A function, because the compiler cannot see that `advance` assigns to it.
  const isFaulted = (): boolean => found !== undefined;

  /** Stops with a fault that belongs to no thread. */
  const halt = (error: KernelFault): void => {
    if (found !== undefined) return;
    const began = [...unfinished];
    const [number, at] = began.find(([, group]) => group === last) ?? began[0] ?? [Infinity, undefined];
    stop(number, at, error);
  };
  const interrupt = (): void => halt(new KernelFault("interrupted", "the run was interrupted"));
  const interrupted = (): boolean => {
    if (options.signal?.aborted !== true || found !== undefined) return false;
    interrupt();
    return true;
  };

  /** Reacts to what other threads did: stops, and drops clusters behind one that faulted. */
  const pollOthers = (): void => {
    const { sharedCounters } = state;
    if (sharedCounters === undefined) return;
    if (sharedCounters.stopped) interrupt();
    // As if clusters ran one after the other: those behind a faulting one do not run.
    const { failed } = sharedCounters;
    for (const [number, group] of unfinished) {
      if (number <= failed) continue;
      unfinished.delete(number);
      releaseBlocks(group);
    }
  };
  /** Clusters worth about that many instructions: at most as many as have ended here, and one if clusters wait for each other. */
  const chunkSize = (instructions: number): number =>
    hasSpun || done === 0
      ? 1
      : Math.max(1, Math.min(done, Math.floor((instructions * done) / counters.warpInstructions)));
  const claim = (): number | undefined => {
    const { sharedCounters } = state;
    if (sharedCounters !== undefined) {
      // Other threads may claim the clusters that it has left of its own.
      if (!numbers.areShared) numbers.end = numbers.next;
      numbers.areShared = true;
      if (sharedCounters.stopped || sharedCounters.failed < numbers.next) return undefined;
      if (numbers.next === numbers.end) {
        const claimed = sharedCounters.claim(chunkSize(LEAST_CHUNK), chunkSize(MOST_CHUNK));
        if (claimed === undefined) return undefined;
        [numbers.next, numbers.end] = claimed;
      }
    }
    return numbers.next < numbers.end ? numbers.next++ : undefined;
  };

  /** Clusters that runBlock has begun. */
  const begun = new Set<number>();
  const beginOnce = (number: number): void => {
    if (begun.has(number)) return;
    begun.add(number);
    begin(number);
  };
  // Not where a timing model runs single blocks.
  state.cancelCluster = () => {
    const number = begun.size > 0 ? undefined : claim();
    if (number !== undefined) haveEnded(blocks / clusters);
    return number;
  };
  /** A turn for all that have begun, and for one more that has not. */
  const letOthersRun = (except: number): void => {
    for (const [number, group] of [...unfinished]) if (number !== except && !isFaulted()) advance(number, group);
    let following = except + 1;
    while (begun.has(following)) following++;
    if (following < clusters) beginOnce(following);
  };

  return {
    get found() {
      return found;
    },
    output,
    get done() {
      return done;
    },
    get next() {
      return numbers.next;
    },
    heed: () => interrupted() || found?.fault.kind === "interrupted",
    stop: (message) => halt(new KernelFault("instruction-limit", message)),
    *runBlock(index, observe) {
      const number = clusterOf(state, index);
      if (found !== undefined) return;
      state.observe = observe;
      if (config.cooperative === true) for (let each = 0; each < clusters; each++) beginOnce(each);
      else beginOnce(number);
      for (;;) {
        const own = unfinished.get(number);
        if (own === undefined) break;
        const outcome = advance(number, own);
        if (outcome === "done" || outcome === "faulted") break;
        yield;
        if (interrupted() || isFaulted()) break;
        if (outcome === "spinning") letOthersRun(number);
        if (isFaulted()) break;
      }
      if (done === blocks) releaseSpare();
      state.observe = undefined;
    },
    *runAll() {
      let nextYield = SLICE;
      // Checked before yielding: a yield that is not due costs more than a small block.
      const isDue = (): boolean => counters.warpInstructions >= nextYield;
      function* yieldToHost(): Steps<void> {
        nextYield = counters.warpInstructions + SLICE;
        yield;
        interrupted();
        options.onNext?.();
        pollOthers();
      }
      if (interrupted()) return;
      if (config.cooperative === true) while (numbers.next < clusters) begin(numbers.next++);
      while (!isFaulted()) {
        // A round: every waiting cluster has a turn, then a new cluster begins.
        pollOthers();
        for (const number of [...unfinished.keys()]) {
          const group = unfinished.get(number);
          if (group !== undefined) advance(number, group);
          if (isDue()) yield* yieldToHost();
          if (isFaulted()) return;
        }
        options.onNext?.();
        const number = claim();
        if (number === undefined) {
          if (unfinished.size === 0) break;
          continue;
        }
        const group = begin(number);
        for (let slice = 0, at = number; slice < SLICES_ALONE; slice++) {
          const outcome = advance(at, group);
          hasSpun ||= outcome === "spinning";
          if (outcome !== "ready") break;
          const now = numberOf(group, at);
          if (now !== at) slice = 0;
          at = now;
          if (isDue()) yield* yieldToHost();
          if (!unfinished.has(at)) break;
        }
        if (isDue()) yield* yieldToHost();
      }
      releaseSpare();
    },
  };
}

/**
 * One turn or more of each warp of a cluster. Calls `onMore` for each further turn; clusters before `end` may follow it. Throws
 * KernelFault.
 */
function turnOf(cluster: Cluster, end: number, onMore: () => void): "done" | "busy" | "idle" {
  let isDone = true;
  let isWaiting = true;
  let isIdle = true;
  const again = (): void => {
    isDone = isWaiting = isIdle = true;
    onMore();
  };
  const note = (state: WarpState, issued: number): void => {
    if (state !== "done") isDone = false;
    if (state === "ready" || issued > 0) isWaiting = false;
    if (issued > 0 && !(state === "ready" && issued < WARP_SHARE * SPINNING_SHARE)) isIdle = false;
  };
  const { sliceEnd } = cluster;
  for (const block of cluster.blocks)
    runBlockTurn(block, { share: WARP_SHARE, sliceEnd, slice: SLICE, end, note, again });
  if (isDone) return "done";
  const waits = waitsOf(cluster);
  if (waits === "over") return "busy";
  if ((waits === "stuck" || (waits === "some" && isIdle)) && expireWaits(cluster, waits === "stuck")) return "idle";
  if (isWaiting) throw new KernelFault("deadlock", "every thread waits for another");
  return isIdle ? "idle" : "busy";
}
