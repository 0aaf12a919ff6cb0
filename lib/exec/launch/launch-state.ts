// Creates the state of a launch (state/launch.ts): its grid, memory, programs and counters.

import type { ArenaBlock } from "../../load/arena.js";
import type { LoadedKernel, Process } from "../../load/process.js";
import { clusterSize, isWholeClusters, sharedBytesOf } from "../machine/launch-limits.js";
import type { Programs } from "../program/programs.js";
import { createDeviceRuntime } from "../system/device-runtime.js";
import { allSharedBytes } from "../machine/reserved-shared.js";
import type { Sanitizer } from "../sanitize/sanitizer.js";
import type { LaunchConfig } from "../state/result.js";
import type { LaunchState, Counters, EngineName } from "../state/launch.js";
import type { Probe } from "../state/observer.js";
import type { AsyncMode } from "../state/pending.js";
import type { LaunchSanitizer } from "../state/sanitizer.js";

export interface LaunchStateOptions {
  readonly engine?: EngineName;
  readonly maxInstructions?: number;
  /** "late" by default. */
  readonly async?: AsyncMode;
  /** Address of the workspace of a cooperative launch. */
  readonly workspace?: number;
  /** Checks the launch. `programs` must be those made for it. */
  readonly sanitizer?: Sanitizer;
  /** Checks a screening pass, on the fast engine. */
  readonly screening?: LaunchSanitizer;
  readonly probe?: Probe;
  /** Set if its blocks will have observers. */
  readonly isObserved?: boolean;
  /** The clock of another thread's launch, if there is one; otherwise the number of instructions that the process has issued. */
  readonly timeBase?: number;
}

/** Creates the state of a launch. Throws BindError if the kernel cannot be executed. */
export function createLaunchState(
  process: Process,
  kernel: LoadedKernel,
  config: LaunchConfig,
  parameterBytes: ArenaBlock,
  programs: Programs,
  options: LaunchStateOptions,
): LaunchState {
  const { engine, workspace = 0, async = "late", timeBase, sanitizer, screening, probe, isObserved = false } = options;
  const sharedBytes = sharedBytesOf(kernel, config);
  const grid = gridShape(kernel, config);
  const ofGrid = grid.cluster.some((size) => size > 1) ? programs.inClusters() : programs;
  const isReference = engine === "reference" || sanitizer !== undefined || probe !== undefined;
  const own = isObserved && !isReference ? ofGrid.observed() : ofGrid;
  const state: LaunchState = {
    process,
    kernel,
    config,
    ...grid,
    program: own.programOf(kernel.function),
    programOf: (fn) => own.programOf(fn),
    fast: isReference ? undefined : own.fast(),
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
