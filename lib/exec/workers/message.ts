// What passes between the thread that launches and those that take part: a launch there, what came of it back.

import type { ProcessHandover } from "../../load/hand-over.js";
import type { ImagesHandover } from "../../load/images.js";
import type { ProgramOptions } from "../bind.js";
import type { FoundFault } from "../describe-fault.js";
import type { AsyncMode } from "../async/pending.js";
import type { EngineName } from "../launch-state.js";
import type { NestedWork } from "../nested/work.js";
import type { LaunchConfig } from "../result.js";

/** What a worker begins with. */
export interface WorkerStart {
  readonly process: ProcessHandover;
  readonly programs: ProgramOptions;
}

/** Bytes in the arena. */
export interface Place {
  readonly offset: number;
  readonly size: number;
}

export interface Job {
  readonly kernel: string;
  readonly images: ImagesHandover;
  readonly config: Omit<LaunchConfig, "parameters">;
  readonly parameters: Place;
  readonly shares: Place;
  readonly engine: EngineName;
  readonly maxInstructions: number;
  readonly timeBase: number;
  readonly async: AsyncMode;
}

/** What a thread has done of a launch. */
export interface Part {
  readonly warpInstructions: number;
  readonly threadInstructions: number;
  readonly output: ReadonlyMap<number, string>;
  /** What its blocks asked for. */
  readonly nested: readonly NestedWork[];
  readonly found?: FoundFault;
}

/** An exception on its way between threads, which loses its class there. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly file?: string;
  readonly line?: number;
  readonly offset?: number;
}

/** "late": the launch was over before it began here. */
export type Reply = { readonly part: Part } | { readonly thrown: Thrown } | "late";
