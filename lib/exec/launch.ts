// One launch of a kernel. Blocks run in grid order, each until it has finished; a block that only spins (it may wait for a
// later one) lets further blocks begin, and from then on they take turns. A timing model may instead ask for one block at a
// time.

import { giveBytesBack, takeBytes } from "../load/arena.js";
import type { LoadedKernel, Process } from "../load/process.js";
import { createPrograms, type Programs } from "./bind.js";
import {
  type Cluster,
  createCluster,
  LOCAL_BYTES_LIMIT,
  releaseBlocks,
  retireCluster,
  STACK_OVERFLOW,
} from "./block.js";
import { createWorkspace } from "./cooperative.js";
import { describeFault } from "./describe-fault.js";
import { KernelFault } from "./fault.js";
import type { LaunchState } from "./launch-state.js";
import type { IssueObserver } from "./observer.js";
import { RESERVED_BYTES, reservedOffset, usesReserved } from "./reserved-shared.js";
import { clusterSize, isWholeClusters } from "./launch-limits.js";
import type { Fault, LaunchConfig, LaunchResult } from "./result.js";
import { runBlockTurn, type WarpState } from "./run-warp.js";

/** The interpreter that defines what happens, or generated code for what is hot. */
export type EngineName = "reference" | "fast";

export interface LaunchOptions {
  /** Warp instructions after which the launch stops with a fault; none unless given. */
  readonly maxInstructions?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
  /** "fast" unless given: hot code is compiled. Results are the same. Observed blocks are the reference engine's. */
  readonly engine?: EngineName;
  /** Bound functions, to share them between launches of a process. */
  readonly programs?: Programs;
}

export interface Launch {
  readonly blocks: number;
  /** Clusters; as many as blocks where a cluster is one block. */
  readonly clusters: number;
  /**
   * Runs one block to its end, unless it has run. Others run with it: those of its cluster, and where it only spins, those
   * that it may be waiting for. `observe` is asked for an observer of each block that begins.
   */
  runBlock(index: number, observe?: (block: number) => IssueObserver): void;
  /** Runs all blocks, letting the host's event loop have a turn now and then. */
  run(): Promise<LaunchResult>;
  /** Whether it has stopped with a fault; no further block runs then. */
  readonly faulted: boolean;
  /** What has come of it so far. */
  result(): LaunchResult;
}

/** Instructions that a warp issues before the next warp of its block has its turn. */
const WARP_SHARE = 32_768;
/** A block that has had this many turns without getting anywhere waits, it seems, for another block. */
const SPINNING_TURNS = 4;
/** Instructions between two looks at the abort signal, about a fifth of a second. */
const SLICE = 1_000_000;
/** Slices that a block has before others begin beside it, whatever it does. */
const SLICES_ALONE = 32;

/** Prepares a launch; throws BindError when the kernel cannot be executed. */
export function createLaunch(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  options: LaunchOptions = {},
): Launch {
  const programs = options.programs ?? createPrograms(process);
  const threadsPerBlock = config.block[0] * config.block[1] * config.block[2];
  const blocks = config.grid[0] * config.grid[1] * config.grid[2];
  const wanted = clusterSize(kernel, config);
  const cluster = isWholeClusters(config.grid, wanted) ? wanted : ([1, 1, 1] as const);
  const clusters = blocks / (cluster[0] * cluster[1] * cluster[2]);
  const { arena } = process.memory;
  const parameterBytes = takeBytes(arena, config.parameters.length);
  parameterBytes.bytes.set(config.parameters);
  const workspace = config.cooperative === true ? createWorkspace(process) : undefined;
  const sharedBytes = Math.max(kernel.info.sharedBytes, kernel.info.dynamicSharedOffset + config.sharedBytes);
  const state: LaunchState = {
    process,
    kernel,
    config,
    cluster,
    program: programs.programOf(kernel.function),
    programOf: (fn) => programs.programOf(fn),
    fast: options.engine === "reference" ? undefined : programs.fast(),
    threadsPerBlock,
    warpsPerBlock: Math.ceil(threadsPerBlock / 32),
    sharedBytes,
    allSharedBytes: usesReserved(process, kernel) ? reservedOffset(sharedBytes) + RESERVED_BYTES : sharedBytes,
    parameters: parameterBytes.view,
    parameterBytes,
    workspace: workspace?.base ?? 0,
    counters: { warpInstructions: 0, threadInstructions: 0, limit: options.maxInstructions ?? Infinity },
    access: { space: "global", bytes: 0, addresses: new Float64Array(32) },
    spare: [],
    observe: undefined,
  };
  /** What blocks printed, by index; most print nothing, and a grid may have 2^31 of them. */
  const output = new Map<number, string>();
  let fault: Fault | undefined =
    state.process.threadBytes + state.program.frameBytes > LOCAL_BYTES_LIMIT
      ? { kind: "stack-overflow", message: STACK_OVERFLOW, kernel: kernel.name }
      : undefined;
  let done = 0;

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
    if (done === blocks) releaseSpare();
    options.onProgress?.(done, blocks);
  };
  /** Nothing runs after a fault: what was printed stays, the memory of blocks goes. */
  const stop = (at: Cluster | undefined, error: KernelFault): void => {
    const others = [...unfinished.values()].filter((each) => each !== at);
    fault =
      at === undefined
        ? { kind: error.kind, message: error.message, kernel: kernel.name }
        : describeFault(state, at, others, error);
    for (const group of unfinished.values()) {
      keepOutput(group);
      releaseBlocks(group);
    }
    unfinished.clear();
    releaseSpare();
  };

  /** Runs a cluster (most often one block) for a slice of instructions, or until it only spins. */
  const advance = (number: number, group: Cluster): "done" | "ready" | "spinning" | "faulted" => {
    const end = state.counters.warpInstructions + SLICE;
    last = group;
    try {
      for (let idle = 0; idle < SPINNING_TURNS;) {
        const moved = turnOf(group);
        if (moved === "done") {
          finish(number, group);
          return "done";
        }
        idle = moved === "idle" ? idle + 1 : 0;
        if (state.counters.warpInstructions >= end) return "ready";
      }
      return "spinning";
    } catch (error) {
      if (!(error instanceof KernelFault)) throw error;
      stop(group, error);
      return "faulted";
    }
  };

  // A function, because the compiler cannot see that `advance` assigns to it.
  const isFaulted = (): boolean => fault !== undefined;

  const interrupted = (): boolean => {
    if (options.signal?.aborted !== true || fault !== undefined) return false;
    const began = [...unfinished.values()];
    const at = last !== undefined && began.includes(last) ? last : began[0];
    stop(at, new KernelFault("interrupted", "the run was interrupted"));
    return true;
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
    let next = except + 1;
    while (begun.has(next)) next++;
    if (next < clusters) beginOnce(next);
  };
  /** Number of the cluster that a block belongs to. */
  const clusterOf = (index: number): number => {
    const [gx, gy] = config.grid;
    const [x, y, z] = [index % gx, Math.floor(index / gx) % gy, Math.floor(index / (gx * gy))];
    const [across, down] = [gx / cluster[0], gy / cluster[1]];
    const at = [Math.floor(x / cluster[0]), Math.floor(y / cluster[1]), Math.floor(z / cluster[2])] as const;
    return at[0] + across * (at[1] + down * at[2]);
  };

  return {
    blocks,
    clusters,
    get faulted() {
      return fault !== undefined;
    },
    runBlock(index, observe) {
      const number = clusterOf(index);
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
      state.observe = undefined;
    },
    async run() {
      let next = 0;
      let breath = SLICE;
      // Asked first: to await what is not due costs more than a small block.
      const isDue = (): boolean => state.counters.warpInstructions >= breath;
      const breathe = async (): Promise<void> => {
        breath = state.counters.warpInstructions + SLICE;
        await new Promise((resolve) => setImmediate(resolve));
        interrupted();
      };
      if (config.cooperative === true) while (next < clusters) begin(next++);
      while (fault === undefined && (next < clusters || unfinished.size > 0)) {
        // A round: everyone who waits has a turn, then a new block begins.
        for (const [number, group] of [...unfinished]) {
          advance(number, group);
          if (isDue()) await breathe();
          if (isFaulted()) break;
        }
        if (isFaulted() || next === clusters) continue;
        const number = next++;
        const group = begin(number);
        let outcome = advance(number, group);
        for (let slice = 1; outcome === "ready" && slice < SLICES_ALONE && !isFaulted(); slice++) {
          if (isDue()) await breathe();
          if (!isFaulted()) outcome = advance(number, group);
        }
        if (isDue()) await breathe();
      }
      giveBytesBack(arena, parameterBytes);
      if (workspace !== undefined) process.memory.release(workspace.base);
      return this.result();
    },
    result: () => ({
      kernel: kernel.name,
      warpInstructions: state.counters.warpInstructions,
      threadInstructions: state.counters.threadInstructions,
      printf: [...output]
        .sort(([a], [b]) => a - b)
        .map(([, text]) => text)
        .join(""),
      ...(fault === undefined ? {} : { fault }),
    }),
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
