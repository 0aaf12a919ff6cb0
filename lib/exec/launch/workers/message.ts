// Messages between the launching thread and its workers: a launch, and its result.

import type { ProcessTransfer } from "../../../load/process-transfer.js";
import type { ImagesTransfer } from "../../../load/images.js";
import type { ProgramOptions } from "../../program/programs.js";
import type { FoundFault } from "../describe-fault.js";
import type { LaunchConfig } from "../../state/result.js";
import type { NestedWork, EngineName } from "../../state/launch.js";
import type { AsyncMode } from "../../state/pending.js";

/** The data that a worker starts with. */
export interface WorkerStart {
  readonly process: ProcessTransfer;
  readonly programs: ProgramOptions;
}

/** A range of bytes in the arena. */
export interface ArenaRange {
  readonly offset: number;
  readonly size: number;
}

export interface Job {
  readonly kernel: string;
  readonly images: ImagesTransfer;
  readonly config: Omit<LaunchConfig, "parameters">;
  readonly parameters: ArenaRange;
  readonly sharedCounters: ArenaRange;
  readonly engine: EngineName;
  readonly maxInstructions: number;
  readonly timeBase: number;
  readonly async: AsyncMode;
}

/** The part of a launch that one thread ran. */
export interface PartialResult {
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  readonly output: ReadonlyMap<number, string>;
  /** The launches that its blocks requested. */
  readonly nested: readonly NestedWork[];
  readonly found?: FoundFault;
}

/** An exception as it passes between threads: structured cloning drops its class. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly file?: string;
  readonly line?: number;
  readonly offset?: number;
}

/** "late": the launch was over before it began here. */
export type Reply = { readonly part: PartialResult } | { readonly thrown: Thrown } | "late";
