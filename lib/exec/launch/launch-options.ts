// Options of a launch.

import type { OptionKinds } from "../../base/known-options.js";
import type { Programs } from "../program/programs.js";
import type { FaultDump } from "./dump.js";
import type { Sanitizer } from "../sanitize/sanitizer.js";
import type { EngineName } from "../state/launch.js";
import type { Probe } from "../state/observer.js";
import type { AsyncMode } from "../state/pending.js";
import type { StopSignal } from "./stop-signal.js";
import type { Workers } from "./workers/workers.js";

/** Kinds of the options that callers of the library and specifications have in common. */
export const executionOptions: OptionKinds<
  Pick<LaunchOptions, "maxInstructions" | "signal" | "engine" | "async" | "onProgress" | "onFault" | "probe">
> = {
  maxInstructions: "count",
  signal: "object",
  engine: ["fast", "reference"],
  async: ["late", "early"],
  onProgress: "function",
  onFault: "function",
  probe: "object",
};

/** How a launch is executed. */
export interface LaunchOptions {
  /** Warp instructions after which the launch stops with a fault; unlimited by default. */
  readonly maxInstructions?: number;
  readonly signal?: StopSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
  /**
   * "fast" by default: hot code is compiled. Results are the same. Observed blocks run on the reference engine unless `isObserved`
   * says that there will be some.
   */
  readonly engine?: EngineName;
  /**
   * When asynchronous operations complete: at the last moment that a correct program allows ("late", the default), or when they
   * are issued. Correct programs give the same results.
   */
  readonly async?: AsyncMode;
  /** Bound functions, shared between launches of a process. */
  readonly programs?: Programs;
  /** Receives the registers and memory of a faulting cluster that this thread runs. */
  readonly onFault?: (dump: FaultDump) => void;
  /** Checks the launch, on the reference engine and one thread. `programs` must be those made for it. */
  readonly sanitizer?: Sanitizer;
  /** Follows every instruction, on the reference engine and one thread. */
  readonly probe?: Probe;
  /** Set if `runBlock` will be called with observers. */
  readonly isObserved?: boolean;
  /** Threads that may take part in `run`; none by default. */
  readonly workers?: Workers;
}
