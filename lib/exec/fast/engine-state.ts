// State of a process's fast engine, for one host thread: the context of generated code, the compiled code, and what runs now.

import { type WasmTable, webAssembly } from "../../base/web-assembly.js";
import type { Arena, ArenaBlock } from "../../load/arena.js";
import type { Process } from "../../load/process.js";
import type { Frame } from "../state/frame.js";
import { createIssueLog, type IssueLog } from "./issue-log.js";
import type { Linkage, GroupResult, Scheduled, TurnResult } from "../state/generated-code.js";
import type { LaunchState } from "../state/launch.js";
import type { TensorUnit } from "../state/step.js";
import type { Group, Warp } from "../state/warp.js";
import type { CheckAt } from "./access-checks.js";
import type { SegmentRange } from "./compile.js";
import { CONTEXT, CONTEXT_BYTES } from "./context.table.js";
import { type Driver, FIRST_FREE } from "./driver.js";
import { createEntry, type Entry } from "./entry.js";
import { createFrameAt, type FrameAt } from "./frames.js";
import { hasExactMultiplyAdd } from "./probe.js";
import type { Running } from "./running.js";
import { createSites, type Sites } from "./sites.js";
import { createTensorUnit } from "./tensor/unit.js";
import type { Unit } from "./unit.js";
import { createWarpRecords } from "./warp-records.js";

export interface EngineState {
  readonly process: Process;
  readonly arena: Arena;
  readonly frames: ReadonlyMap<number, Frame>;
  /** Visits until a block is compiled, instead of the default. */
  readonly hotAfter: number | undefined;
  /** The checks of the sanitizer's screening pass, if the code is for it. */
  readonly checkAt: CheckAt | undefined;
  /** The context's address, and its words (context.table.ts). */
  readonly context: number;
  readonly words: Int32Array;
  /** Where blocks write what they issue, if the code is for observed launches. */
  readonly log: IssueLog | undefined;
  /** Address of the special function unit's tables. */
  readonly mufu: number;
  /** Results of the last run, overwritten each time. */
  readonly answer: GroupResult;
  readonly turnResult: TurnResult;
  readonly scheduled: Scheduled;
  /** Undefined if the arena has no room: then warps run one by one. */
  readonly warpRecords: Int32Array | undefined;
  readonly sites: Sites;
  readonly entry: Entry;
  readonly frameAt: FrameAt;
  /** Functions and calls by the addresses of their records. */
  readonly units: Map<number, Unit>;
  readonly linkages: Map<number, Linkage>;
  /** Code of compiled segments, by their numbers. */
  readonly segments: SegmentRange[];
  /** Functions that generated code calls by number. */
  readonly table: WasmTable;
  /** Clocks of a block's warps before its turn. */
  readonly clocks: number[];
  driver: Driver | undefined;
  running: Running | undefined;
  isFused: boolean | undefined;
  tensor: { readonly unit: TensorUnit | undefined } | undefined;
}

export interface EngineOptions {
  readonly process: Process;
  readonly arena: Arena;
  /** The context's memory. */
  readonly storage: ArenaBlock;
  readonly mufu: number;
  readonly frames: ReadonlyMap<number, Frame>;
  readonly hotAfter: number | undefined;
  readonly checkAt: CheckAt | undefined;
  readonly log: ArenaBlock | undefined;
}

export function createEngineState(options: EngineOptions): EngineState {
  const { process, arena, storage, mufu, frames, hotAfter, checkAt, log } = options;
  const words = new Int32Array(storage.bytes.buffer, storage.offset, CONTEXT_BYTES / 4);
  for (let lanes = 0; lanes < 16; lanes++)
    for (let lane = 0; lane < 4; lane++) words[(CONTEXT.masks >> 2) + 4 * lanes + lane] = -((lanes >>> lane) & 1);
  const linkages = new Map<number, Linkage>();
  const sites = createSites(process, storage);
  const warpRecords = createWarpRecords(arena);
  return {
    ...{ process, arena, frames, hotAfter, checkAt, words, mufu, linkages, sites, warpRecords },
    log: log && createIssueLog(log),
    context: storage.offset,
    entry: createEntry(process, arena, words, sites),
    frameAt: createFrameAt(frames, (record) => linkages.get(record)!),
    units: new Map(),
    segments: [],
    table: new webAssembly!.Table({ element: "anyfunc", initial: FIRST_FREE }),
    clocks: [],
    answer: { reason: 0, pc: 0, left: 0, issued: 0, threads: 0, taken: 0 },
    turnResult: {
      records: warpRecords ?? new Int32Array(0),
      ...{ isLater: false, stopped: 0, left: 0, warpLeft: 0, undone: 0 },
    },
    scheduled: { warpLeft: 0, group: undefined, left: 0, undone: 0 },
    ...{ driver: undefined, running: undefined, isFused: undefined, tensor: undefined },
  };
}

/** A word of the context. */
export const contextWord = ({ words }: EngineState, field: number): number => words[field >> 2]!;

export function setContext({ words }: EngineState, field: number, value: number): void {
  words[field >> 2] = value;
}

/** Whether the host's multiply-add is exact; probed once. */
export const isExact = (engine: EngineState): boolean => (engine.isFused ??= hasExactMultiplyAdd());

/** The tensor unit; undefined where the host has none. */
export function tensorUnit(engine: EngineState): TensorUnit | undefined {
  if (engine.tensor === undefined) {
    // The probe of the multiply-add makes the host enable relaxed SIMD.
    isExact(engine);
    engine.tensor = { unit: createTensorUnit(engine.arena) };
  }
  return engine.tensor.unit;
}

/** The warp's group that generated code ran last. */
export const currentGroup = (engine: EngineState, warp: Warp): Group =>
  (warp.current = warp.groups[contextWord(engine, CONTEXT.group)]!);

/** Sets the warp's pc to the instruction whose fault ended its turn. */
export function setPcToFault(engine: EngineState, warp: Warp): void {
  warp.block.cluster.running = warp;
  currentGroup(engine, warp).pc = engine.answer.pc;
  warp.clock += engine.answer.issued;
}

/**
 * Adds up the instructions of runs that ended since the launch's count was `before`, and of one that a fault ended (`issued`,
 * `threads`).
 */
export function countIssued(
  engine: EngineState,
  { counters }: LaunchState,
  before: number,
  issued: number,
  threads: number,
): void {
  counters.warpInstructions = before + contextWord(engine, CONTEXT.total) + issued;
  counters.threadInstructions += contextWord(engine, CONTEXT.totalThreads) + threads;
}
