// Prints the text of --emit ptx (emit-ptx.ts) as a stream: each part is printed on demand, so that the text of thousands of
// modules is never in memory as a whole.

import type { FormatError, Result } from "../../../formats/bytes/result.js";
import { printed, type DroppedDebug } from "../../object/print/disassemble.js";
import type { PrintedObject } from "../../object/print/printed.js";
import { encoded } from "../inputs/text-parts.js";

export interface PrintedModule {
  /** UTF-8, to be iterated once; each part is valid until the next is requested. */
  readonly parts: Iterable<Uint8Array>;
  /** Whether the iteration has ended after all parts. */
  isWhole(): boolean;
  /** Errors in functions' code, after the iteration. */
  fault(): FormatError | undefined;
  /** Debug sections that the text lacks. */
  readonly dropped: readonly DroppedDebug[];
}

/** `settled`: names whose declarations are omitted if nothing refers to them. */
export function printModule(object: PrintedObject, settled: ReadonlySet<string>): PrintedModule {
  let end: Result<void> | undefined;
  const dropped: DroppedDebug[] = [];
  function* partsOf(): Generator<Uint8Array, void, undefined> {
    const printing = encoded(printed(object, { settled, onDebugDropped: (each) => void dropped.push(each) }));
    end = yield* printing;
  }
  return {
    parts: partsOf(),
    isWhole: () => end?.ok === true,
    fault: () => (end?.ok === false ? end.error : undefined),
    dropped,
  };
}
