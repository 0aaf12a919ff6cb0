// The screening pass of a sanitized launch: the fast engine with cheap checks. They may fail for correct programs, but never pass
// where the reference engine would report something. A launch that passes has no findings. One that fails is undone and runs
// again on the reference engine, which reports. Launches that the pass does not support run there at once.
//
//   registers   decided before the launch, for all paths (screening-plan.ts)
//   addresses   inside the object that they derive from
//   memory      of shared memory, only bytes that the block has written are read; global memory is defined before the launch
//   races       of accesses of two threads to a cell of memory, one of them a write, a barrier of the block is between the two
//   barriers    all threads of a block that has lost none reach bar.sync 0; collectives are executed by whole warps

import type { LoadedFunction, LoadedKernel, Process } from "../../load/process.js";
import type { Watched } from "../operands/watched.js";
import { BindError } from "../program/bind.js";
import { CHECK_BYTES, GRID_THREAD_BITS } from "../fast/access-checks.js";
import { clusterSize, sharedBytesOf } from "../machine/launch-limits.js";
import { createPrograms, type Programs } from "../program/programs.js";
import type { LaunchConfig } from "../state/result.js";
import type { Objects } from "./objects.js";
import { planScreening, type ScreeningPlan } from "./screening-plan.js";
import { checksOf, type LaunchChecks } from "./screening-checks.js";
import { type ScreenedLaunch, screenLaunch, type ScreeningCode, watchOf } from "./screened-launch.js";
import { isGlobalUntracked, type Values } from "./values.js";

export interface Screening {
  /** Undefined if the pass does not support the launch, or has rejected or failed an earlier one of the kernel. */
  prepare(kernel: LoadedKernel, config: LaunchConfig): ScreenedLaunch | undefined;
  /** Launches that have passed, and those that failed. */
  readonly passed: number;
  readonly failed: number;
}

const MAX_BLOCKS = 2 ** (32 - GRID_THREAD_BITS) - 2;

/** The screening of one process's launches. */
interface ScreeningState {
  readonly process: Process;
  readonly objects: Objects;
  readonly values: Values;
  /** Binds functions to list their instructions in `watched`. */
  readonly analysed: Programs;
  readonly watched: ReadonlyMap<LoadedFunction, readonly Watched[]>;
  /** Code by kernel and checks; undefined if the arena had no room. */
  readonly codes: Map<string, ScreeningCode | undefined>;
  readonly refused: Set<LoadedKernel>;
  readonly counts: { passed: number; failed: number };
}

export function createScreening(process: Process, objects: Objects, values: Values): Screening {
  const watched = new Map<LoadedFunction, Watched[]>();
  const capture = (each: Watched): undefined => {
    const of = watched.get(each.places.fn);
    if (of === undefined) watched.set(each.places.fn, [each]);
    else of.push(each);
  };
  const counts = { passed: 0, failed: 0 };
  const state: ScreeningState = {
    process,
    objects,
    values,
    analysed: createPrograms(process, { instrument: capture }),
    watched,
    codes: new Map(),
    refused: new Set(),
    counts,
  };
  return {
    get passed() {
      return counts.passed;
    },
    get failed() {
      return counts.failed;
    },
    prepare: (kernel, config) => prepareScreening(state, kernel, config),
  };
}

function prepareScreening(
  state: ScreeningState,
  kernel: LoadedKernel,
  config: LaunchConfig,
): ScreenedLaunch | undefined {
  const { process, refused, counts } = state;
  if (refused.has(kernel) || !isSupported(state, kernel, config)) return undefined;
  const plan = planOf(state, kernel, config);
  if (plan === undefined) refused.add(kernel);
  const checks = plan && checksOf(plan, process.memory.find, process.space);
  const code = checks && codeOf(state, kernel, checks);
  const launch = code && screenLaunch(process, kernel, config, checks!, code);
  if (launch === undefined) return undefined;
  return {
    ...launch,
    end(hasPassed) {
      launch.end(hasPassed);
      counts[hasPassed ? "passed" : "failed"]++;
      if (!hasPassed) refused.add(kernel);
    },
  };
}

function isSupported({ process, values }: ScreeningState, kernel: LoadedKernel, config: LaunchConfig): boolean {
  const blocks = config.grid[0] * config.grid[1] * config.grid[2];
  const isAlone = clusterSize(kernel, config).every((size) => size === 1) && config.cooperative !== true;
  return isAlone && blocks <= MAX_BLOCKS && process.space.bits === 64 && isGlobalUntracked(values);
}

function planOf(
  { process, objects, analysed, watched }: ScreeningState,
  kernel: LoadedKernel,
  config: LaunchConfig,
): ScreeningPlan | undefined {
  const { function: fn } = kernel;
  const { buffer, byteOffset, length } = config.parameters;
  const parameters = new DataView(buffer, byteOffset, length);
  const launch = { kernel, sharedBytes: sharedBytesOf(kernel, config), parameters, process };
  try {
    const program = analysed.programOf(fn);
    return planScreening(watched.get(fn) ?? [], program, { launch, objects });
  } catch (error) {
    // The reference engine reports it.
    if (error instanceof BindError) return undefined;
    throw error;
  }
}

/** Code for the kernel with these checks: launches whose checks differ in addresses only share it. */
function codeOf(
  { process, codes }: ScreeningState,
  kernel: LoadedKernel,
  { checks }: LaunchChecks,
): ScreeningCode | undefined {
  const key = `${kernel.name}:${JSON.stringify([...checks])}`;
  if (codes.has(key)) return codes.get(key);
  const entries = process.memory.arena?.take(CHECK_BYTES * Math.max(1, checks.size));
  if (entries === undefined) return undefined;
  const located = new Map(
    [...checks].map(([pc, check], i) => [pc, { ...check, entry: entries.offset + CHECK_BYTES * i }]),
  );
  const current: ScreeningCode["current"] = { launch: undefined };
  const programs = createPrograms(process, {
    instrument: (each) => watchOf(each, current),
    checkAt: (fn, pc) => (fn === kernel.function ? located.get(pc) : undefined),
  });
  const context = programs.fast()?.context;
  const code = context && { programs, context, entries, checks: located, current };
  codes.set(key, code);
  return code;
}
