// The bound functions of a process: each is bound when it is first called.

import type { LoadedFunction, Process } from "../../load/process.js";
import type { CheckAt } from "../fast/access-checks.js";
import { createFastEngine } from "../fast/engine.js";
import type { Instrument } from "../operands/watched.js";
import type { Program } from "../state/frame.js";
import type { FastEngine } from "../state/generated-code.js";
import { bindFunction, createLoopCache } from "./bind.js";

export interface Programs {
  programOf(fn: LoadedFunction): Program;
  /** Programs for launches with clusters, where the address of a shared variable includes the block's rank. */
  inClusters(): Programs;
  /** Those for launches whose blocks have observers. */
  observed(): Programs;
  /** Generated code for them; undefined if the host does not support it. */
  fast(): FastEngine | undefined;
}

/** How functions are prepared for execution. */
export interface ProgramOptions {
  /** How often a block is interpreted before it is compiled: 24 times by default; 0 compiles at once. */
  readonly hotAfter?: number;
  /** For sanitized launches: makes the watch of each instruction (sanitize/). */
  readonly instrument?: Instrument;
  /** For the sanitizer's screening pass: the checks that generated code makes before an access. */
  readonly checkAt?: CheckAt;
}

/** The launches that functions are bound for. */
interface ProgramsFor {
  readonly isClustered: boolean;
  /** Their blocks have observers, which generated code tells what it runs. */
  readonly isObserved: boolean;
}

/** Bound functions of one process. */
export const createPrograms = (process: Process, options: ProgramOptions = {}): Programs =>
  programsOf(process, options, { isClustered: false, isObserved: false });

function programsOf(process: Process, options: ProgramOptions, launches: ProgramsFor): Programs {
  const { isClustered, isObserved } = launches;
  const programs = new Map<LoadedFunction, Program>();
  const frames: Program["frames"] = new Map();
  const loops = createLoopCache();
  let fast: { readonly engine: FastEngine | undefined } | undefined;
  let clustered: Programs | undefined;
  let observed: Programs | undefined;
  return {
    inClusters() {
      return isClustered ? this : (clustered ??= programsOf(process, options, { isClustered: true, isObserved }));
    },
    observed() {
      return isObserved ? this : (observed ??= programsOf(process, options, { isClustered, isObserved: true }));
    },
    fast: () =>
      (fast ??= { engine: createFastEngine(process, frames, options.hotAfter, options.checkAt, isObserved) }).engine,
    programOf(fn) {
      let program = programs.get(fn);
      if (program === undefined) {
        program = bindFunction(process, fn, loops, frames, isClustered, options.instrument);
        programs.set(fn, program);
      }
      return program;
    },
  };
}
