// The text of --emit ptx of a plain link (emit.ts) as it is written: each part is printed when it is asked for, so that the text of
// thousands of modules is nowhere as a whole.

import { printed, type DroppedDebug } from "../../../object/print/disassemble.js";
import type { PrintedObject } from "../../../object/print/printed.js";
import { encoded } from "../../inputs/text-parts.js";
import { unlessNotPlain } from "../tables/cursor.js";

export interface PlainText {
  /** In UTF-8, to be gone through once; each is there until the next is asked for. */
  readonly parts: Iterable<Uint8Array>;
  /** Whether they are gone through, and were all; otherwise the ordinary linker is to be asked. */
  isWhole(): boolean;
  /** Debug sections that did not go into the text. */
  readonly dropped: readonly DroppedDebug[];
}

/** `settled`: names of which a declaration that nothing refers to is left out. */
export function printPlain(object: PrintedObject, settled: ReadonlySet<string>): PlainText {
  let isWhole = false;
  const dropped: DroppedDebug[] = [];
  function* partsOf(): Generator<Uint8Array, void, undefined> {
    const printing = encoded(printed(object, { settled, onDebugDropped: (each) => void dropped.push(each) }));
    for (;;) {
      const next = unlessNotPlain(() => printing.next());
      if (next === undefined) return;
      if (next.done === true) {
        isWhole = next.value.ok;
        return;
      }
      yield next.value;
    }
  }
  return { parts: partsOf(), isWhole: () => isWhole, dropped };
}
