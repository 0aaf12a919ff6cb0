// Reads LLVM bitcode into the shared tree ("LLVM Bitcode File Format"; LLVM 3.5 to 20, typed and opaque pointers, wrapped
// or not). Function bodies are located by their blocks and read on demand. Malformed bytes are a diagnostic at
// the byte of the record.

import { decoding, malformed } from "../../../formats/bytes/malformed.js";
import {
  findBitcode,
  openCursor,
  type BitCursor,
  type BlockInfo,
  type BlockStart,
} from "../../../formats/bitstream/index.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Source } from "../../ptx/source-text.js";
import type { Module } from "../ir/module.js";
import { blockId } from "./codes.table.js";
import { readModule } from "./module.js";
import { noteAnnotations } from "./outline.js";
import { reportBitcode } from "./report.js";
import { eachRecord, field } from "./state.js";

/** The module in a bitcode file; undefined if it is malformed, which is reported to the sink. */
export function readBitcode(source: Source, sink: DiagnosticSink): Module | undefined {
  const read = decoding(() => {
    const { bytes } = source;
    const { start, end } = findBitcode(bytes);
    const stream = bytes.subarray(start, end);
    const info: BlockInfo = new Map();
    const cursor = openCursor(stream, start, info);
    const { module, strings } = findModule(cursor, end);
    return readModule({ source, stream, base: start, cursor, module, strings, info });
  });
  if (read.ok) {
    noteAnnotations(source.bytes, read.value.namedMetadata.has("nvvm.annotations"));
    return read.value;
  }
  reportBitcode(read.error, source, sink);
  return undefined;
}

interface FoundModule {
  readonly module: BlockStart;
  /** Characters of the string table, which follows the module. */
  readonly strings: Uint8Array | undefined;
}

const STRINGS_BLOB = 1;
const EPOCH = 2;

/** Trailing bytes after a module, up to this many, may have any value, as in LLVM: archivers pad files. */
const PADDING = 8;

/** Scans the blocks of the file; the first of several modules counts. */
function findModule(cursor: BitCursor, end: number): FoundModule {
  let module: BlockStart | undefined;
  let strings: Uint8Array | undefined;
  for (;;) {
    if (module !== undefined && end - cursor.offset <= PADDING) break;
    const found = cursor.next();
    if (found === "end") break;
    if (found === "record") continue;
    const { block } = cursor;
    if (block.id === blockId.identification) eachRecord(cursor, checkEpoch);
    else if (block.id === blockId.strings && strings === undefined)
      eachRecord(cursor, (record) => {
        if (record.code === STRINGS_BLOB) strings = record.blob;
      });
    else {
      if (block.id === blockId.module) {
        if (module !== undefined) malformed("unsupported", block.start, "a second module in the file");
        module = block;
      }
      cursor.skip();
    }
  }
  if (module === undefined) return malformed("malformed", cursor.offset, "the file contains no module");
  return { module, strings };
}

function checkEpoch(record: { readonly code: number } & Parameters<typeof field>[0]): void {
  if (record.code === EPOCH && field(record, 0, "epoch") !== 0)
    malformed("unsupported", record.start, `epoch ${record.values[0]}`);
}
