// One launch of a kernel. Blocks run in grid order, each until it has finished; a block that only spins (it may wait for a
// later one) lets further blocks begin, and from then on they take turns. A timing model may instead ask for one block at a
// time.

import { giveBytesBack, takeBytes } from "../load/arena.js";
import type { LoadedKernel, Process } from "../load/process.js";
import { createPrograms, type Programs, sourcePlace } from "./bind.js";
import { type Block, type Cluster, createCluster, LOCAL_BYTES_LIMIT, releaseBlocks, STACK_OVERFLOW } from "./block.js";
import { KernelFault } from "./fault.js";
import type { LaunchState } from "./launch-state.js";
import type { IssueObserver } from "./observer.js";
import { RESERVED_BYTES, reservedOffset, usesReserved } from "./reserved-shared.js";
import type { Fault, LaunchConfig, LaunchResult } from "./result.js";
import { runWarp, type WarpState } from "./run-warp.js";
import { firstLane, type Warp } from "./warp.js";

export interface LaunchOptions {
  /** Warp instructions after which the launch stops with a fault; none unless given. */
  readonly maxInstructions?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
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
  const sharedBytes = Math.max(kernel.info.sharedBytes, kernel.info.dynamicSharedOffset + config.sharedBytes);
  const state: LaunchState = {
    process,
    kernel,
    config,
    cluster,
    program: programs.programOf(kernel.function),
    programOf: (fn) => programs.programOf(fn),
    threadsPerBlock,
    warpsPerBlock: Math.ceil(threadsPerBlock / 32),
    sharedBytes,
    allSharedBytes: usesReserved(process, kernel) ? reservedOffset(sharedBytes) + RESERVED_BYTES : sharedBytes,
    parameters: parameterBytes.view,
    parameterBytes,
    counters: { warpInstructions: 0, threadInstructions: 0, limit: options.maxInstructions ?? Infinity },
    access: { space: "global", bytes: 0, addresses: new Float64Array(32) },
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
  const finish = (cluster: Cluster): void => {
    keepOutput(cluster);
    releaseBlocks(cluster);
    done += cluster.blocks.length;
    options.onProgress?.(done, blocks);
  };

  /** Runs a cluster (most often one block) for a slice of instructions, or until it only spins. */
  const advance = (group: Cluster): "done" | "ready" | "spinning" | "faulted" => {
    const end = state.counters.warpInstructions + SLICE;
    try {
      for (let idle = 0; idle < SPINNING_TURNS;) {
        const moved = turnOf(group);
        if (moved === "done") {
          finish(group);
          return "done";
        }
        idle = moved === "idle" ? idle + 1 : 0;
        if (state.counters.warpInstructions >= end) return "ready";
      }
      return "spinning";
    } catch (error) {
      if (!(error instanceof KernelFault)) throw error;
      keepOutput(group);
      fault = describe(state, group, error);
      return "faulted";
    }
  };

  // A function, because the compiler cannot see that `advance` assigns to it.
  const isFaulted = (): boolean => fault !== undefined;

  const interrupted = (): boolean => {
    if (options.signal?.aborted !== true || fault !== undefined) return false;
    fault = { kind: "interrupted", message: "the run was interrupted", kernel: kernel.name };
    return true;
  };

  /** Clusters that runBlock has begun, and of these the ones that have not finished. */
  const begun = new Set<number>();
  const unfinished = new Map<number, Cluster>();
  const begin = (number: number): Cluster => {
    begun.add(number);
    const group = createCluster(state, number);
    unfinished.set(number, group);
    return group;
  };
  /** A turn for all that have begun, and for one more that has not. */
  const letOthersRun = (except: number): void => {
    for (const [number, group] of [...unfinished]) {
      if (number !== except && advance(group) === "done") unfinished.delete(number);
    }
    let next = except + 1;
    while (begun.has(next)) next++;
    if (next < clusters) begin(next);
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
      if (fault !== undefined || (begun.has(number) && !unfinished.has(number))) return;
      state.observe = observe;
      const own = unfinished.get(number) ?? begin(number);
      for (;;) {
        const outcome = advance(own);
        if (outcome === "done") unfinished.delete(number);
        if (outcome === "done" || outcome === "faulted" || interrupted()) break;
        if (outcome === "spinning") letOthersRun(number);
        if (isFaulted()) break;
      }
      state.observe = undefined;
    },
    async run() {
      const waiting: Cluster[] = [];
      let next = 0;
      let breath = SLICE;
      const breathe = async (): Promise<void> => {
        if (state.counters.warpInstructions < breath) return;
        breath = state.counters.warpInstructions + SLICE;
        await new Promise((resolve) => setImmediate(resolve));
        interrupted();
      };
      while (fault === undefined && (next < clusters || waiting.length > 0)) {
        // A round: everyone who waits has a turn, then a new block begins.
        for (const block of [...waiting]) {
          if (advance(block) === "done") waiting.splice(waiting.indexOf(block), 1);
          await breathe();
          if (isFaulted()) break;
        }
        if (isFaulted() || next === clusters) continue;
        const block = createCluster(state, next++);
        let outcome = advance(block);
        for (let slice = 1; outcome === "ready" && slice < SLICES_ALONE && !isFaulted(); slice++) {
          await breathe();
          if (!isFaulted()) outcome = advance(block);
        }
        if (outcome !== "done") waiting.push(block);
        await breathe();
      }
      giveBytesBack(arena, parameterBytes);
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

/** Blocks of a cluster: what the kernel requires (.reqnctapercluster), or what the launch asks for. */
export function clusterSize(
  kernel: LoadedKernel,
  { cluster = [1, 1, 1] }: Pick<LaunchConfig, "cluster">,
): readonly [number, number, number] {
  const { directives } = kernel.function.symbol;
  const required = directives.find(({ name }) => name === "reqnctapercluster")?.values ?? [];
  return required.length === 0 ? cluster : [required[0] ?? 1, required[1] ?? 1, required[2] ?? 1];
}

/** Whether a grid is whole clusters; launches of others run their blocks singly, and `run` refuses them. */
export function isWholeClusters(grid: LaunchConfig["grid"], cluster: readonly [number, number, number]): boolean {
  return cluster.every((size, i) => size >= 1 && grid[i]! % size === 0);
}

/** One turn of each warp of a cluster. Throws KernelFault. */
function turnOf(cluster: Cluster): "done" | "busy" | "idle" {
  let isDone = true;
  let isWaiting = true;
  let isIdle = true;
  for (const block of cluster.blocks) {
    for (const warp of block.warps) {
      if (warp.groups.length === 0) continue;
      const before = warp.clock;
      cluster.running = warp;
      const state: WarpState = runWarp(warp, WARP_SHARE);
      const issued = warp.clock - before;
      if (state !== "done") isDone = false;
      if (state === "ready" || issued > 0) isWaiting = false;
      // A warp that has used its share up with few instructions spent it on what spin loops are made of.
      if (issued > 0 && !(state === "ready" && issued < WARP_SHARE / 8)) isIdle = false;
    }
  }
  if (isDone) return "done";
  if (isWaiting) throw new KernelFault("deadlock", "every thread waits for another", { details: standing(cluster) });
  return isIdle ? "idle" : "busy";
}

/** Where each warp stands, for a message. */
function standing(cluster: Cluster): readonly string[] {
  const warps = cluster.blocks.flatMap((block) => block.warps);
  return warps.flatMap((warp) =>
    warp.groups.map((group) => {
      const { fn } = group.frame.program;
      const pc = group.wait?.kind === "collective" ? group.pc : group.pc - 1;
      const instruction = fn.code.instructions[pc];
      const place = instruction === undefined ? undefined : sourcePlace(fn, instruction);
      const what = instruction === undefined ? "" : ` ${instruction.opcode.spelling}`;
      const lanes = `0x${(group.mask >>> 0).toString(16).padStart(8, "0")}`;
      const block = cluster.blocks.length > 1 ? `block ${warp.block.index}, ` : "";
      return `${block}warp ${warp.index}, lanes ${lanes}:${what} in ${fn.name}${place === undefined ? "" : ` (${place.file}:${place.line})`}`;
    }),
  );
}

function describe(state: LaunchState, cluster: Cluster, fault: KernelFault): Fault {
  const warp: Warp | undefined = cluster.running;
  const block: Block | undefined = warp?.block ?? cluster.blocks[0];
  const undefinedName = fault.address === undefined ? undefined : state.process.unresolvedAt(fault.address);
  const common = {
    kind: fault.kind,
    message:
      undefinedName === undefined
        ? fault.message
        : `${fault.message}: '${undefinedName}', which no linked module defines`,
    kernel: state.kernel.name,
    ...(block === undefined ? {} : { block: block.coordinates }),
    ...(fault.details.length === 0 ? {} : { details: fault.details }),
  };
  const group = warp?.current;
  if (fault.kind === "deadlock" || warp === undefined || group === undefined) return common;
  const { fn } = group.frame.program;
  const instruction = fn.code.instructions[group.pc];
  const thread = warp.index * 32 + (fault.lane ?? firstLane(group.mask));
  const [x, y] = state.config.block;
  return {
    ...common,
    thread: [thread % x, Math.floor(thread / x) % y, Math.floor(thread / (x * y))],
    ...(instruction === undefined ? {} : sourcePlace(fn, instruction)),
    ...(fault.address === undefined ? {} : { address: fault.address }),
  };
}
