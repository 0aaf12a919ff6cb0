// Facts from the module block of a bitcode file, found without building the tree. Reading all of libdevice only for its triple,
// or to see that it has no annotations, takes longer than compiling the functions that a link needs.

import { decoding } from "../../../formats/bytes/malformed.js";
import { findBitcode, openCursor, type BitCursor } from "../../../formats/bitstream/index.js";
import { blockId, moduleCode } from "./codes.table.js";
import { metadataCode } from "./metadata.table.js";
import { eachRecord, fieldText } from "./state.js";

/** The target triple; undefined if there is none, and for malformed bytes, which the reader reports. */
export const tripleOf = (bytes: Uint8Array): string | undefined =>
  scanModule(bytes, (cursor, next) => {
    if (next === "record") return cursor.record.code === moduleCode.triple ? fieldText(cursor.record) : undefined;
    cursor.skip();
    return undefined;
  });

/** By the bytes of a file, whether it has a list `!nvvm.annotations`; of files that were read as a whole. */
const annotated = new WeakMap<Uint8Array, boolean>();

export const noteAnnotations = (bytes: Uint8Array, has: boolean): void => void annotated.set(bytes, has);

/** Whether there is a list `!nvvm.annotations`. A link asks this of libraries, too, which it has read to detect them. */
export const hasAnnotations = (bytes: Uint8Array): boolean => annotated.get(bytes) ?? findAnnotations(bytes);

const findAnnotations = (bytes: Uint8Array): boolean =>
  scanModule(bytes, (cursor, next) => {
    if (next === "record") return undefined;
    if (cursor.block.id !== blockId.metadata) cursor.skip();
    else if (hasList(cursor)) return true;
    return undefined;
  }) ?? false;

function hasList(cursor: BitCursor): boolean {
  let found = false;
  eachRecord(cursor, (record) => {
    found ||= record.code === metadataCode.name && fieldText(record) === "nvvm.annotations";
  });
  return found;
}

/** Scans the module's block until `visit`, which skips nested blocks, returns an answer. */
function scanModule<T>(
  bytes: Uint8Array,
  visit: (cursor: BitCursor, next: "record" | "block") => T | undefined,
): T | undefined {
  return decoding(() => {
    const { start, end } = findBitcode(bytes);
    const cursor = openCursor(bytes.subarray(start, end), start);
    for (let outer = cursor.next(); outer !== "end"; outer = cursor.next()) {
      // A record outside all blocks is damage, not a block to skip.
      if (outer === "record") return undefined;
      if (cursor.block.id !== blockId.module) {
        cursor.skip();
        continue;
      }
      cursor.enter(cursor.block);
      for (let next = cursor.next(); next !== "end"; next = cursor.next()) {
        const answer = visit(cursor, next);
        if (answer !== undefined) return answer;
      }
      return undefined;
    }
    return undefined;
  }).value;
}
