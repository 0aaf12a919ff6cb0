// Options of --gc-sections, and the report if it keeps nothing.

import type { LinePlace } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { RootOptions } from "./roots.js";
import type { WhyLive } from "./why-live.js";

export interface CollectOptions {
  /** Whether what no root reaches is left out. */
  readonly gcSections?: boolean;
  /** What --gc-sections begins from. */
  readonly roots?: RootOptions;
  /** Called with what `gcSections` left out, in link order. */
  readonly onRemoved?: (removed: readonly RemovedSymbol[]) => void;
  /** Names and patterns of symbols about which `onWhyLive` is called. */
  readonly whyLive?: readonly string[];
  readonly onWhyLive?: (answers: readonly WhyLive[]) => void;
}

export const reportNothingLive = (sink: DiagnosticSink): void =>
  sink.report("nothing-live", "--gc-sections leaves nothing: no input has a kernel or another root", undefined, {
    remedy: "name what the host looks up with -u, or leave out --no-keep-exports",
  });

/** A symbol that garbage collection left out. */
export interface RemovedSymbol {
  readonly name: string;
  /** "a function", "a .global variable". */
  readonly what: string;
  /** Bytes of data, or of encoded code; 0 for an alias, and for symbols without bytes. */
  readonly bytes: number;
  readonly place: LinePlace;
  /** The definition that was taken instead; absent where no root reaches the symbol. */
  readonly lostTo?: LinePlace;
}
