// Options of --gc-sections, and the report if it keeps nothing.

import type { LinePlace } from "../../diag/diagnostic.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { RootOptions } from "./roots.js";
import type { WhyLive } from "./why-live.js";

export interface CollectOptions {
  /** Whether to discard symbols that no root reaches. */
  readonly gcSections?: boolean;
  /** The roots of --gc-sections. */
  readonly roots?: RootOptions;
  /** Called with the symbols that `gcSections` discarded, in link order. */
  readonly onRemoved?: (removed: readonly RemovedSymbol[]) => void;
  /** Names and patterns of symbols about which `onWhyLive` is called. */
  readonly whyLive?: readonly string[];
  readonly onWhyLive?: (answers: readonly WhyLive[]) => void;
}

export const reportNothingLive = (sink: DiagnosticSink): void =>
  sink.report("nothing-live", "--gc-sections leaves nothing: no input has a kernel or another root", undefined, {
    remedy: "name what the host looks up with -u, or leave out --no-keep-exports",
  });

/** A symbol that garbage collection discarded. */
export interface RemovedSymbol {
  readonly name: string;
  /** The kind of symbol: "a function", "a .global variable". */
  readonly what: string;
  /** Bytes of data, or of encoded code; 0 for an alias, and for symbols without bytes. */
  readonly bytes: number;
  readonly place: LinePlace;
  /** The chosen definition, if the symbol lost to it; absent if no root reaches the symbol. */
  readonly lostTo?: LinePlace;
}
