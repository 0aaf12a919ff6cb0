// Names of values (VALUE_SYMTAB_BLOCK_ID): of a module's globals up to LLVM 4, and of values in a function's body.

import type { BitCursor } from "../../../formats/bitstream/index.js";
import { symbolCode } from "./codes.table.js";
import { eachRecord, field, fieldText } from "./state.js";

/** Calls `value` and `block` with each number and its name. */
export function readSymbols(
  cursor: BitCursor,
  value: (id: number, name: string, offset: number) => void,
  block: (id: number, name: string, offset: number) => void,
): void {
  eachRecord(cursor, (record) => {
    const id = field(record, 0, "number");
    switch (record.code) {
      case symbolCode.value:
        value(id, fieldText(record, 1), record.start);
        break;
      case symbolCode.function: // with the offset of its body, which is found by its block instead
        if (record.values.length > 2) value(id, fieldText(record, 2), record.start);
        break;
      case symbolCode.block:
        block(id, fieldText(record, 1), record.start);
        break;
    }
  });
}
