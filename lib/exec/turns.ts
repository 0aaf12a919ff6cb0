// The clusters of a launch that one thread runs (most often of one block each). They run in grid order, each until it has
// finished; one that only spins (it may wait for a later one) lets further ones begin, and from then on they take turns.

import {
  type Cluster,
  createCluster,
  LOCAL_BYTES_LIMIT,
  releaseBlocks,
  retireCluster,
  STACK_OVERFLOW,
} from "./block.js";
import { describeFault } from "./describe-fault.js";
import { KernelFault } from "./fault.js";
import { clusterOf, type LaunchState } from "./launch-state.js";
import type { IssueObserver } from "./observer.js";
import type { Fault } from "./result.js";
import { runBlockTurn, type WarpState } from "./run-warp.js";

export interface Turns {
  /** Why no further instruction is issued, and the cluster at fault. */
  readonly fault: Fault | undefined;
  readonly faultCluster: number;
  /** What blocks printed, by index; most print nothing, and a grid may have 2^31 of them. */
  readonly output: ReadonlyMap<number, string>;
  /** Blocks that have ended. */
  readonly done: number;
  /** Clusters that have begun, here; the next one that would begin. */
  readonly next: number;
  /** Runs a block to its end, unless it has run, and others with it that it may be waiting for. */
  runBlock(index: number, observe?: (block: number) => IssueObserver): void;
  /** Runs clusters until there are no more. Yields about every million instructions: the host may look elsewhere. */
  rounds(): Generator<undefined, void>;
  /** Stops with a fault. */
  interrupt(): void;
}

export interface TurnsOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
  /** Is called before a cluster begins, and where one takes long. */
  readonly onNext?: () => void;
}

/** Instructions that a warp issues before the next warp of its block has its turn. */
const WARP_SHARE = 32_768;
/** A block that has had this many turns without getting anywhere waits, it seems, for another block. */
const SPINNING_TURNS = 4;
/** Instructions between two looks at the abort signal, about a fifth of a second. */
const SLICE = 1_000_000;
/** Slices that a block has before others begin beside it, whatever it does. */
const SLICES_ALONE = 32;

export function createTurns(state: LaunchState, options: TurnsOptions = {}): Turns {
  const { kernel, config, blocks, clusters, counters } = state;
  const { memory } = state.process;
  const output = new Map<number, string>();
  let fault: Fault | undefined =
    state.process.threadBytes + state.program.frameBytes > LOCAL_BYTES_LIMIT
      ? { kind: "stack-overflow", message: STACK_OVERFLOW, kernel: kernel.name }
      : undefined;
  let faultCluster = 0;
  let done = 0;
  let next = 0;

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
  const finish = (number: number, group: Cluster): void => {
    keepOutput(group);
    retireCluster(group);
    unfinished.delete(number);
    done += group.blocks.length;
    const all = state.shares?.finish(group.blocks.length) ?? done;
    options.onProgress?.(all, blocks);
  };
  /** Nothing runs after a fault: what was printed stays, the memory of blocks goes. */
  const stop = (number: number, at: Cluster | undefined, error: KernelFault): void => {
    const others = [...unfinished.values()].filter((each) => each !== at);
    fault =
      at === undefined
        ? { kind: error.kind, message: error.message, kernel: kernel.name }
        : describeFault(state, at, others, error);
    faultCluster = number;
    for (const group of unfinished.values()) {
      keepOutput(group);
      releaseBlocks(group);
    }
    unfinished.clear();
    releaseSpare();
  };

  /** Runs a cluster for a slice of instructions, or until it only spins. */
  const advance = (number: number, group: Cluster): "done" | "ready" | "spinning" | "faulted" => {
    const end = counters.warpInstructions + SLICE;
    last = group;
    try {
      for (let idle = 0; idle < SPINNING_TURNS;) {
        if (state.shares !== undefined) memory.refresh();
        const moved = turnOf(group);
        if (moved === "done") {
          finish(number, group);
          return "done";
        }
        idle = moved === "idle" ? idle + 1 : 0;
        if (counters.warpInstructions >= end) return "ready";
      }
      return "spinning";
    } catch (error) {
      if (!(error instanceof KernelFault)) throw error;
      stop(number, group, error);
      state.shares?.fail(number);
      return "faulted";
    }
  };

  // A function, because the compiler cannot see that `advance` assigns to it.
  const isFaulted = (): boolean => fault !== undefined;

  const interrupt = (): void => {
    if (fault !== undefined) return;
    const began = [...unfinished];
    const [number, at] = began.find(([, group]) => group === last) ?? began[0] ?? [Infinity, undefined];
    stop(number, at, new KernelFault("interrupted", "the run was interrupted"));
  };
  const interrupted = (): boolean => {
    if (options.signal?.aborted !== true || fault !== undefined) return false;
    interrupt();
    return true;
  };

  /** Looks what other threads have come to. */
  const look = (): void => {
    const { shares } = state;
    if (shares === undefined) return;
    if (shares.stopped) interrupt();
    // As if clusters had run one after the other: behind one that faults there are none.
    const { failed } = shares;
    for (const [number, group] of unfinished) {
      if (number <= failed) continue;
      unfinished.delete(number);
      releaseBlocks(group);
    }
  };
  const take = (): number | undefined => {
    if (state.shares !== undefined) return state.shares.take();
    return next < clusters ? next++ : undefined;
  };

  /** Clusters that runBlock has begun. */
  const begun = new Set<number>();
  const beginOnce = (number: number): void => {
    if (begun.has(number)) return;
    begun.add(number);
    begin(number);
  };
  /** A turn for all that have begun, and for one more that has not. */
  const letOthersRun = (except: number): void => {
    for (const [number, group] of [...unfinished]) if (number !== except && !isFaulted()) advance(number, group);
    let following = except + 1;
    while (begun.has(following)) following++;
    if (following < clusters) beginOnce(following);
  };

  return {
    get fault() {
      return fault;
    },
    get faultCluster() {
      return faultCluster;
    },
    output,
    get done() {
      return done;
    },
    get next() {
      return next;
    },
    interrupt,
    runBlock(index, observe) {
      const number = clusterOf(state, index);
      if (fault !== undefined) return;
      state.observe = observe;
      if (config.cooperative === true) for (let each = 0; each < clusters; each++) beginOnce(each);
      else beginOnce(number);
      for (;;) {
        const own = unfinished.get(number);
        if (own === undefined) break;
        const outcome = advance(number, own);
        if (outcome === "done" || outcome === "faulted" || interrupted()) break;
        if (outcome === "spinning") letOthersRun(number);
        if (isFaulted()) break;
      }
      if (done === blocks) releaseSpare();
      state.observe = undefined;
    },
    *rounds() {
      let breath = SLICE;
      // Asked first: to yield what is not due costs more than a small block.
      const isDue = (): boolean => counters.warpInstructions >= breath;
      function* breathe(): Generator<undefined, void> {
        breath = counters.warpInstructions + SLICE;
        yield;
        interrupted();
        options.onNext?.();
        look();
      }
      if (interrupted()) return;
      if (config.cooperative === true) while (next < clusters) begin(next++);
      while (!isFaulted()) {
        // A round: everyone who waits has a turn, then a new cluster begins.
        look();
        for (const number of [...unfinished.keys()]) {
          const group = unfinished.get(number);
          if (group !== undefined) advance(number, group);
          if (isDue()) yield* breathe();
          if (isFaulted()) return;
        }
        options.onNext?.();
        const number = take();
        if (number === undefined) {
          if (unfinished.size === 0) break;
          continue;
        }
        const group = begin(number);
        let outcome = advance(number, group);
        for (let slice = 1; outcome === "ready" && slice < SLICES_ALONE; slice++) {
          if (isDue()) yield* breathe();
          if (!unfinished.has(number)) break;
          outcome = advance(number, group);
        }
        if (isDue()) yield* breathe();
      }
      releaseSpare();
    },
  };
}

/** One turn of each warp of a cluster. Throws KernelFault. */
function turnOf(cluster: Cluster): "done" | "busy" | "idle" {
  let isDone = true;
  let isWaiting = true;
  let isIdle = true;
  const note = (state: WarpState, issued: number): void => {
    if (state !== "done") isDone = false;
    if (state === "ready" || issued > 0) isWaiting = false;
    // A warp that has used its share up with few instructions spent it on what spin loops are made of.
    if (issued > 0 && !(state === "ready" && issued < WARP_SHARE / 8)) isIdle = false;
  };
  for (const block of cluster.blocks) runBlockTurn(block, WARP_SHARE, note);
  if (isDone) return "done";
  if (isWaiting) throw new KernelFault("deadlock", "every thread waits for another");
  return isIdle ? "idle" : "busy";
}
