// Schedules the clusters of a launch that one host thread runs (most clusters have one block). They run in grid order, each to
// its end. When a cluster only spins, it may be waiting for a later one: further clusters begin, and all of them take turns.

import { completeAll } from "../async/pending.js";
import { createCluster, LOCAL_BYTES_LIMIT, releaseBlocks, retireCluster, STACK_OVERFLOW } from "../machine/block.js";
import { dumpCluster, type FaultDump } from "./dump.js";
import { describeFault, faultOf, type FoundFault } from "./describe-fault.js";
import { KernelFault } from "../state/fault.js";
import { clusterOf } from "./launch-state.js";
import type { Steps } from "../../base/steps.js";
import type { FaultKind } from "../state/result.js";
import { SLICE, turnOf } from "./cluster-turn.js";
import type { Cluster } from "../state/block.js";
import type { LaunchState } from "../state/launch.js";
import type { IssueObserver } from "../state/observer.js";
import type { StopSignal } from "./stop-signal.js";
import { MAX_CLUSTERS } from "../machine/shared-counters.js";
import { claimClusters, countBlocks, failCluster, failedCluster, isStopped } from "../machine/shared-counters.js";

export interface Scheduler {
  /** The fault that stopped this thread, if any. */
  readonly found: FoundFault | undefined;
  /** Output by block index. Most blocks print nothing and have no entry, because a grid may have 2^31 blocks. */
  readonly output: ReadonlyMap<number, string>;
  /** Number of blocks that have ended. */
  readonly done: number;
  /** Number of the next cluster to begin here; while this thread runs alone, also the number of clusters that have begun. */
  readonly next: number;
  /** Runs a block to its end, and other blocks that it may wait for. Yields as runAll does. */
  runBlock(index: number, observe?: (block: number) => IssueObserver): Steps<void>;
  /** Runs all clusters. Yields about every million instructions, so that the host can do other work. */
  runAll(): Steps<void>;
  /** Stops with a fault if the signal is aborted. Returns whether it has ever been interrupted. */
  checkAbort(): boolean;
  /** Stops with the fault of a limit. */
  stop(message: string): void;
}

export interface SchedulerOptions {
  readonly signal?: StopSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
  /** Receives the registers and memory of the faulting cluster. */
  readonly onFault?: (dump: FaultDump) => void;
  /** Called before a cluster begins, and repeatedly while one takes long. */
  readonly onNext?: () => void;
}

/** Turns without progress after which a block is assumed to wait for another block. */
const SPINNING_TURNS = 4;
/** SLICE for clusters with an observer. */
const OBSERVED_SLICE = 100_000;
/**
 * Bounds of the work that a thread claims at once, in instructions; the larger one applies while many clusters are left. A claim
 * costs as much as a thousand instructions.
 */
const MAX_CHUNK = 2 ** 17;
const MIN_CHUNK = 2 ** 13;
/** Slices that a block gets before others may run concurrently. */
const SLICES_ALONE = 32;

/** Clusters of a launch that one host thread runs, and their progress. */
interface SchedulerState {
  readonly launch: LaunchState;
  readonly options: SchedulerOptions;
  readonly output: Map<number, string>;
  /** Clusters that have begun and not ended, by number. */
  readonly unfinished: Map<number, Cluster>;
  /** Clusters that runBlock has begun. */
  readonly begun: Set<number>;
  /** Clusters that this thread may begin: all of them, if it runs the launch alone. */
  readonly numbers: { next: number; end: number; areShared: boolean };
  found: FoundFault | undefined;
  /** Number of blocks that have ended. */
  done: number;
  /** The cluster that ran last. */
  last: Cluster | undefined;
  /** Whether a cluster has only spun: clusters of this launch may wait for each other. */
  hasSpun: boolean;
  /** Instruction count at which the host has its next turn. */
  nextYield: number;
}

export function createScheduler(launch: LaunchState, options: SchedulerOptions = {}): Scheduler {
  const overflows = launch.process.threadBytes + launch.program.frameBytes > LOCAL_BYTES_LIMIT;
  const state: SchedulerState = {
    launch,
    options,
    output: new Map(),
    unfinished: new Map(),
    begun: new Set(),
    numbers: { next: 0, end: launch.clusters, areShared: false },
    found: overflows ? launchFault(launch, "stack-overflow", STACK_OVERFLOW, 0) : undefined,
    done: 0,
    last: undefined,
    hasSpun: false,
    nextYield: SLICE,
  };
  // A timing model runs single blocks, which are never cancelled.
  launch.cancelCluster = () => {
    const number = state.begun.size > 0 ? undefined : claim(state);
    if (number !== undefined) countEnded(state, launch.blocks / launch.clusters);
    return number;
  };
  return {
    get found() {
      return state.found;
    },
    output: state.output,
    get done() {
      return state.done;
    },
    get next() {
      return state.numbers.next;
    },
    checkAbort: () => wasInterrupted(state) || state.found?.fault.kind === "interrupted",
    stop: (message) => halt(state, new KernelFault("instruction-limit", message)),
    runBlock: (index, observe) => runBlock(state, index, observe),
    runAll: () => runAll(state),
  };
}

/** A fault that is not attributed to a thread. */
const launchFault = ({ kernel }: LaunchState, kind: FaultKind, message: string, cluster: number): FoundFault => ({
  fault: { kind, message, kernel: kernel.name },
  cluster,
  places: [],
});

/** A function, because the compiler cannot see that `advance` assigns to `found`. */
const isFaulted = ({ found }: SchedulerState): boolean => found !== undefined;

// -------------------------------------------------------------------------------------------------- begin and end clusters

function begin({ launch, unfinished }: SchedulerState, number: number): Cluster {
  const cluster = createCluster(launch, number);
  unfinished.set(number, cluster);
  return cluster;
}

function beginOnce(state: SchedulerState, number: number): void {
  if (state.begun.has(number)) return;
  state.begun.add(number);
  begin(state, number);
}

function keepOutput({ output }: SchedulerState, { blocks }: Cluster): void {
  for (const { index, output: printed } of blocks) if (printed.length > 0) output.set(index, printed.join(""));
}

function countEnded(state: SchedulerState, count: number): void {
  const { launch, options } = state;
  state.done += count;
  const all = (launch.sharedCounters && countBlocks(launch.sharedCounters, count)) ?? state.done;
  options.onProgress?.(all, launch.blocks);
}

function finish(state: SchedulerState, number: number, cluster: Cluster): void {
  keepOutput(state, cluster);
  retireCluster(cluster);
  state.unfinished.delete(number);
  countEnded(state, cluster.blocks.length);
}

function releaseSpare({ launch }: SchedulerState): void {
  for (const cluster of launch.spare.splice(0)) releaseBlocks(cluster);
}

// --------------------------------------------------------------------------------------------------------------- stop

/** Stops after a fault: nothing runs afterwards. Keeps what was printed, and frees the memory of blocks. */
function stop(state: SchedulerState, number: number, at: Cluster | undefined, error: KernelFault): void {
  const { launch, options, unfinished } = state;
  const others = [...unfinished.values()].filter((each) => each !== at);
  if (at !== undefined) {
    launch.sanitizer?.fault(at, error);
    options.onFault?.(dumpCluster(at));
  }
  state.found =
    at === undefined
      ? launchFault(launch, error.kind, error.message, number)
      : describeFault(launch, number, at, others, error);
  launch.probe?.fault(at, faultOf([state.found])!);
  for (const cluster of unfinished.values()) {
    keepOutput(state, cluster);
    releaseBlocks(cluster);
  }
  unfinished.clear();
  releaseSpare(state);
}

/** Stops with a fault that is not attributed to a thread. */
function halt(state: SchedulerState, error: KernelFault): void {
  if (state.found !== undefined) return;
  const unfinished = [...state.unfinished];
  const [number, at] = unfinished.find(([, cluster]) => cluster === state.last) ??
    unfinished[0] ?? [Infinity, undefined];
  stop(state, number, at, error);
}

const interrupt = (state: SchedulerState): void =>
  halt(state, new KernelFault("interrupted", "the run was interrupted"));

/** Stops if the signal is aborted. Returns whether it did. */
function wasInterrupted(state: SchedulerState): boolean {
  if (state.options.signal?.aborted !== true || state.found !== undefined) return false;
  interrupt(state);
  return true;
}

/** Reacts to other threads: stops, and drops clusters after one that faulted. */
function pollOthers(state: SchedulerState): void {
  const { sharedCounters } = state.launch;
  if (sharedCounters === undefined) return;
  if (isStopped(sharedCounters)) interrupt(state);
  // As if clusters ran one after the other: those after a faulting one do not run.
  const failed = failedCluster(sharedCounters);
  for (const [number, cluster] of state.unfinished) {
    if (number <= failed) continue;
    state.unfinished.delete(number);
    releaseBlocks(cluster);
  }
}

// ------------------------------------------------------------------------------------------------------- claim clusters

/**
 * Number of clusters with about that many instructions: at most as many as have ended here, and one if clusters wait for each
 * other.
 */
function chunkSize({ hasSpun, done, launch }: SchedulerState, instructions: number): number {
  if (hasSpun || done === 0) return 1;
  return Math.max(1, Math.min(done, Math.floor((instructions * done) / launch.counters.warpInstructions)));
}

/** The next cluster to begin; undefined if none is left for this thread. */
function claim(state: SchedulerState): number | undefined {
  const { numbers, launch } = state;
  const { sharedCounters } = launch;
  if (sharedCounters !== undefined) {
    // Other threads may claim the clusters that this thread has left.
    if (!numbers.areShared) numbers.end = numbers.next;
    numbers.areShared = true;
    if (isStopped(sharedCounters) || failedCluster(sharedCounters) < numbers.next) return undefined;
    if (numbers.next === numbers.end) {
      const claimed = claimClusters(sharedCounters, chunkSize(state, MIN_CHUNK), chunkSize(state, MAX_CHUNK));
      if (claimed === undefined) return undefined;
      [numbers.next, numbers.end] = claimed;
    }
  }
  return numbers.next < numbers.end ? numbers.next++ : undefined;
}

/** End of the clusters that may follow this one without a new turn: those that this thread has claimed, while it runs alone. */
function endOfRow({ unfinished, numbers, launch }: SchedulerState, number: number): number {
  const { blocks, clusters, sharedCounters } = launch;
  const isAlone = unfinished.size === 1 && numbers.next === number + 1;
  if (!isAlone || blocks !== clusters || clusters > MAX_CLUSTERS) return number + 1;
  // Doubles each time, because other threads may join the launch.
  return sharedCounters === undefined ? Math.min(numbers.end, 2 * numbers.next) : numbers.end;
}

/** The current number of the cluster that had that number. */
const numberOf = ({ launch }: SchedulerState, cluster: Cluster, number: number): number =>
  launch.blocks === launch.clusters ? cluster.blocks[0]!.index : number;

/** Number of the cluster that runs now; counts the clusters that have ended before it. */
function follow(state: SchedulerState, number: number, cluster: Cluster): number {
  const now = numberOf(state, cluster, number);
  if (now === number) return number;
  state.unfinished.delete(number);
  state.unfinished.set(now, cluster);
  state.numbers.next = now + 1;
  countEnded(state, now - number);
  return now;
}

// ------------------------------------------------------------------------------------------------------------------ run

/** Runs a cluster, and those that may follow it, for a slice of instructions or until one only spins. */
function advance(
  state: SchedulerState,
  first: number,
  cluster: Cluster,
): "done" | "ready" | "spinning" | "paused" | "faulted" {
  const { launch } = state;
  const { counters, sharedCounters } = launch;
  let number = first;
  const again = (): void => void (cluster.idleTurns = 0);
  cluster.sliceEnd = counters.warpInstructions + (launch.observe === undefined ? SLICE : OBSERVED_SLICE);
  state.last = cluster;
  try {
    while (cluster.idleTurns < SPINNING_TURNS) {
      if (sharedCounters !== undefined) launch.process.memory.refresh();
      const moved = turnOf(cluster, endOfRow(state, number), again);
      number = follow(state, number, cluster);
      if (moved === "done") {
        completeAll(cluster);
        launch.sanitizer?.endCluster(cluster);
        finish(state, number, cluster);
        return "done";
      }
      if (moved === "paused") return "paused";
      cluster.idleTurns = moved === "idle" ? cluster.idleTurns + 1 : 0;
      if (counters.warpInstructions >= cluster.sliceEnd) return "ready";
    }
    cluster.idleTurns = 0;
    return "spinning";
  } catch (error) {
    if (!(error instanceof KernelFault)) throw error;
    number = follow(state, number, cluster);
    stop(state, number, cluster, error);
    if (sharedCounters !== undefined) failCluster(sharedCounters, number);
    return "faulted";
  }
}

/** Gives all other clusters that have begun a turn, and begins one more. */
function letOthersRun(state: SchedulerState, except: number): void {
  for (const [number, cluster] of [...state.unfinished])
    if (number !== except && !isFaulted(state)) advance(state, number, cluster);
  let following = except + 1;
  while (state.begun.has(following)) following++;
  if (following < state.launch.clusters) beginOnce(state, following);
}

function* runBlock(state: SchedulerState, index: number, observe?: (block: number) => IssueObserver): Steps<void> {
  const { launch } = state;
  const number = clusterOf(launch, index);
  if (state.found !== undefined) return;
  launch.observe = observe;
  if (launch.config.cooperative === true) for (let each = 0; each < launch.clusters; each++) beginOnce(state, each);
  else beginOnce(state, number);
  for (;;) {
    const own = state.unfinished.get(number);
    if (own === undefined) break;
    // Runs of other blocks may have replaced the observer since.
    launch.observe = observe;
    const outcome = advance(state, number, own);
    if (outcome === "done" || outcome === "faulted") break;
    yield;
    if (wasInterrupted(state) || isFaulted(state)) break;
    if (outcome === "spinning") letOthersRun(state, number);
    if (isFaulted(state)) break;
  }
  if (state.done === launch.blocks) releaseSpare(state);
  launch.observe = undefined;
}

/** Checked before yielding, because a yield that is not due costs more than a small block. */
const isDue = ({ launch, nextYield }: SchedulerState): boolean => launch.counters.warpInstructions >= nextYield;

function* yieldToHost(state: SchedulerState): Steps<void> {
  state.nextYield = state.launch.counters.warpInstructions + SLICE;
  yield;
  wasInterrupted(state);
  state.options.onNext?.();
  pollOthers(state);
}

/** Runs in rounds: every unfinished cluster has a turn, then a new cluster begins. */
function* runAll(state: SchedulerState): Steps<void> {
  const { launch, numbers, unfinished } = state;
  if (wasInterrupted(state)) return;
  if (launch.config.cooperative === true) while (numbers.next < launch.clusters) begin(state, numbers.next++);
  while (!isFaulted(state)) {
    pollOthers(state);
    for (const number of [...unfinished.keys()]) {
      const cluster = unfinished.get(number);
      if (cluster !== undefined) advance(state, number, cluster);
      if (isDue(state)) yield* yieldToHost(state);
      if (isFaulted(state)) return;
    }
    state.options.onNext?.();
    const number = claim(state);
    if (number !== undefined) yield* runAlone(state, number);
    else if (unfinished.size === 0) break;
  }
  releaseSpare(state);
}

/** Begins a cluster and runs it alone for some slices; clusters that follow it in the same row get as many each. */
function* runAlone(state: SchedulerState, number: number): Steps<void> {
  const cluster = begin(state, number);
  for (let slice = 0, at = number; slice < SLICES_ALONE; slice++) {
    const outcome = advance(state, at, cluster);
    state.hasSpun ||= outcome === "spinning";
    if (outcome !== "ready") break;
    const now = numberOf(state, cluster, at);
    if (now !== at) slice = 0;
    at = now;
    if (isDue(state)) yield* yieldToHost(state);
    if (!state.unfinished.has(at)) break;
  }
  if (isDue(state)) yield* yieldToHost(state);
}
