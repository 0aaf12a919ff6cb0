// How a launch is executed.

import type { Programs } from "../program/programs.js";
import type { FaultDump } from "./dump.js";
import type { Sanitizer } from "../sanitize/sanitizer.js";
import type { EngineName } from "../state/launch.js";
import type { Probe } from "../state/observer.js";
import type { AsyncMode } from "../state/pending.js";
import type { StopSignal } from "./stop-signal.js";
import type { Workers } from "./workers/workers.js";

/** How a launch is executed. */
export interface LaunchOptions {
  /** Warp instructions after which the launch stops with a fault; none unless given. */
  readonly maxInstructions?: number;
  readonly signal?: StopSignal;
  readonly onProgress?: (blocksDone: number, blocks: number) => void;
  /** "fast" unless given: hot code is compiled. Results are the same. Observed blocks are the reference engine's. */
  readonly engine?: EngineName;
  /**
   * When asynchronous operations complete: at the last moment that a correct program allows ("late", unless given), or as they
   * are issued. Correct programs give the same results.
   */
  readonly async?: AsyncMode;
  /** Bound functions, to share them between launches of a process. */
  readonly programs?: Programs;
  /** Is given what a cluster that this thread runs has in registers and memory when it is at fault. */
  readonly onFault?: (dump: FaultDump) => void;
  /** Watches the launch, on the reference engine and one thread; `programs` are then those made for it. */
  readonly sanitizer?: Sanitizer;
  /** Looks at everything while it runs, on the reference engine and one thread. */
  readonly probe?: Probe;
  /** Threads that may take part in `run`; none unless given. */
  readonly workers?: Workers;
}
