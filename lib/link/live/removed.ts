// What --gc-sections leaves out, symbol by symbol in link order, with the reason: for --print-gc-sections, and for maps.
// Only definitions are told; a declaration has nothing to remove.

import type { LinePlace } from "../../diag/diagnostic.js";

/** A symbol that garbage collection left out. */
export interface RemovedSymbol {
  readonly name: string;
  /** "a function", "a .global variable". */
  readonly what: string;
  /** Of data, or of encoded code; 0 for an alias, and for what has none. */
  readonly bytes: number;
  readonly place: LinePlace;
  /** The definition that was taken instead; absent where no root reaches the symbol. */
  readonly lostTo?: LinePlace;
}
