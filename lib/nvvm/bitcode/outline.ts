// What a bitcode file says in its module block alone, found without making the tree: reading all of libdevice only to see
// its triple, or that it has no annotations, takes longer than compiling what a link needs of it.

import { decoding } from "../../../formats/bytes/malformed.js";
import { findBitcode, openCursor, type BitCursor } from "../../../formats/bitstream/index.js";
import { blockId, moduleCode } from "./codes.table.js";
import { metadataCode } from "./metadata.table.js";
import { eachRecord, fieldText } from "./state.js";

export interface Outline {
  readonly triple: string | undefined;
  /** Whether there is a list `!nvvm.annotations`. */
  readonly hasAnnotations: boolean;
}

/** Undefined of malformed bytes, which the reader reports. */
export function outlineOf(bytes: Uint8Array): Outline | undefined {
  return decoding(() => {
    const { start, end } = findBitcode(bytes);
    const cursor = openCursor(bytes.subarray(start, end), start);
    const found = { triple: undefined as string | undefined, hasAnnotations: false };
    while (cursor.next() !== "end") {
      if (cursor.block.id === blockId.module) {
        scanModule(cursor, found);
        break;
      }
      cursor.skip();
    }
    return found;
  }).value;
}

function scanModule(cursor: BitCursor, found: { -readonly [Name in keyof Outline]: Outline[Name] }): void {
  cursor.enter(cursor.block);
  for (;;) {
    const next = cursor.next();
    if (next === "end") return;
    if (next === "record") {
      const { record } = cursor;
      if (record.code === moduleCode.triple) found.triple = fieldText(record);
    } else if (cursor.block.id === blockId.metadata)
      eachRecord(cursor, (record) => {
        if (record.code === metadataCode.name && fieldText(record) === "nvvm.annotations") found.hasAnnotations = true;
      });
    else cursor.skip();
  }
}
