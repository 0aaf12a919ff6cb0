// The state that all blocks of a launch share; if several host threads run it, that of one thread's blocks.

import type { Stretch } from "../load/arena.js";
import type { LoadedFunction, LoadedKernel, Process } from "../load/process.js";
import type { AsyncMode } from "./async/pending.js";
import type { Programs } from "./bind.js";
import type { Cluster } from "./block.js";
import type { FastEngine } from "./fast/fast-engine.js";
import type { Program } from "./frame.js";
import { clusterSize, isWholeClusters, sharedBytesOf } from "./launch-limits.js";
import { createDeviceRuntime, type DeviceRuntime } from "./nested/device-runtime.js";
import type { Access, IssueObserver } from "./observer.js";
import type { Probe } from "./probe.js";
import { allSharedBytes } from "./reserved-shared.js";
import type { Sanitizer } from "./sanitize/sanitizer.js";
import type { LaunchSanitizer } from "./sanitize/watch.js";
import type { LaunchConfig } from "./result.js";
import type { SharedCounters } from "./workers/shared-counters.js";

/** The interpreter, which defines the results, or generated code for hot blocks. */
export type EngineName = "reference" | "fast";

export interface LaunchState {
  readonly process: Process;
  readonly kernel: LoadedKernel;
  readonly config: LaunchConfig;
  /** Blocks of a cluster in each dimension: the launch's, or what the kernel requires; else 1. */
  readonly cluster: readonly [number, number, number];
  /** All of the grid: blocks, and clusters, as many as blocks where a cluster is one block. */
  readonly blocks: number;
  readonly clusters: number;
  /** The kernel, bound. */
  readonly program: Program;
  /** Functions are bound when first called. */
  readonly programOf: (fn: LoadedFunction) => Program;
  /** Generated code, where it is wanted and can be had. */
  readonly fast: FastEngine | undefined;
  readonly threadsPerBlock: number;
  readonly warpsPerBlock: number;
  /** Static and dynamic shared memory of a block, bytes. */
  readonly sharedBytes: number;
  /** With what the system has, in front of it or behind it (reserved-shared.ts). */
  readonly allSharedBytes: number;
  readonly parameters: DataView;
  /** The same bytes, and where they are in the arena. */
  readonly parameterBytes: Stretch;
  /** Of a cooperative launch: the workspace's generic address; else 0. */
  readonly workspace: number;
  /** When asynchronous operations complete. */
  readonly async: AsyncMode;
  readonly counters: Counters;
  /** The value of %globaltimer when it begins: instructions of launches before it. */
  readonly timeBase: number;
  /** Filled by memory instructions of blocks that have an observer. */
  readonly access: Access;
  /** Clusters that have ended, to be used again. */
  readonly spare: Cluster[];
  /** Who watches a block that begins. */
  observe: ((block: number) => IssueObserver) | undefined;
  /** Watches all that happens, where that is wanted. */
  sanitizer: LaunchSanitizer | undefined;
  /** Looks at everything before and after each instruction, where that is wanted. */
  readonly probe: Probe | undefined;
  /** The kernels' requests to the device runtime, on this thread. */
  readonly runtime: DeviceRuntime;
  /** Takes a cluster that has not begun out of the grid: its number, or undefined where there is none to be had. */
  cancelCluster: (() => number | undefined) | undefined;
  /** Set from when on other threads take part: blocks of this launch then run at the same time. */
  sharedCounters: SharedCounters | undefined;
}

export interface Counters {
  /** Those of the run that is going on are counted when it ends. */
  warpInstructions: number;
  threadInstructions: number;
  /** The running warp's clock when its run began. */
  runClock: number;
  /** The launch stops with a fault when warpInstructions gets there, unless there is more to have. */
  limit: number;
  /** The limit of instructions for all threads together: for messages. */
  readonly allowed: number;
}

export interface LaunchStateOptions {
  readonly engine?: EngineName;
  readonly maxInstructions?: number;
  /** "late" unless given. */
  readonly async?: AsyncMode;
  /** Address of the workspace of a cooperative launch. */
  readonly workspace?: number;
  /** Watches the launch; `programs` are then those that it has made. */
  readonly sanitizer?: Sanitizer;
  /** Watches a screening pass, on the fast engine. */
  readonly screening?: LaunchSanitizer;
  readonly probe?: Probe;
  /** The clock of another thread's launch, if there is one; otherwise the work of the process counts. */
  readonly timeBase?: number;
}

/** Throws BindError when the kernel cannot be executed. */
export function createLaunchState(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  parameterBytes: Stretch,
  programs: Programs,
  options: LaunchStateOptions,
): LaunchState {
  const { engine, workspace = 0, async = "late", timeBase, sanitizer, screening, probe } = options;
  const sharedBytes = sharedBytesOf(kernel, config);
  const grid = gridShape(kernel, config);
  const own = grid.cluster.some((size) => size > 1) ? programs.inClusters() : programs;
  const state: LaunchState = {
    process,
    kernel,
    config,
    ...grid,
    program: own.programOf(kernel.function),
    programOf: (fn) => own.programOf(fn),
    fast: engine === "reference" || sanitizer !== undefined || probe !== undefined ? undefined : own.fast(),
    sharedBytes,
    allSharedBytes: allSharedBytes(process, kernel, sharedBytes),
    parameters: parameterBytes.view,
    parameterBytes,
    workspace,
    async,
    timeBase: timeBase ?? process.history.warpInstructions,
    counters: createCounters(options.maxInstructions ?? Infinity),
    access: { space: "global", bytes: 0, addresses: new Float64Array(32), barrier: -1 },
    spare: [],
    observe: probe?.observe,
    probe,
    cancelCluster: undefined,
    runtime: createDeviceRuntime(),
    sanitizer: undefined,
    sharedCounters: undefined,
  };
  state.sanitizer = screening ?? sanitizer?.begin(state);
  return state;
}

type GridShape = Pick<LaunchState, "cluster" | "blocks" | "clusters" | "threadsPerBlock" | "warpsPerBlock">;

function gridShape(kernel: LoadedKernel, config: LaunchConfig): GridShape {
  const { grid, block } = config;
  const wanted = clusterSize(kernel, config);
  const cluster = isWholeClusters(grid, wanted) ? wanted : ([1, 1, 1] as const);
  const blocks = grid[0] * grid[1] * grid[2];
  const threadsPerBlock = block[0] * block[1] * block[2];
  return {
    cluster,
    blocks,
    clusters: blocks / (cluster[0] * cluster[1] * cluster[2]),
    threadsPerBlock,
    warpsPerBlock: Math.ceil(threadsPerBlock / 32),
  };
}

const createCounters = (limit: number): Counters => ({
  warpInstructions: 0,
  threadInstructions: 0,
  runClock: 0,
  limit,
  allowed: limit,
});

/** Number of the cluster that a block belongs to. */
export function clusterOf({ config, cluster }: LaunchState, block: number): number {
  const [gx, gy] = config.grid;
  const [x, y, z] = [block % gx, Math.floor(block / gx) % gy, Math.floor(block / (gx * gy))];
  const [across, down] = [gx / cluster[0], gy / cluster[1]];
  const at = [Math.floor(x / cluster[0]), Math.floor(y / cluster[1]), Math.floor(z / cluster[2])] as const;
  return at[0] + across * (at[1] + down * at[2]);
}
