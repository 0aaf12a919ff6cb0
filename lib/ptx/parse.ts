// The way in: a module's text to its syntax tree. Whatever the bytes are, the result is a tree of what was right and a
// diagnostic for each thing that was not; time and memory are linear in the text.

import type { DiagnosticSink } from "../diag/sink.js";
import { createCursor, isAbandoned } from "./cursor.js";
import { tokenize } from "./lexer.js";
import { parseItems } from "./module.js";
import { placeOf } from "./source.js";
import type { Module, Source } from "./tree.js";

/** Offsets are 32-bit, and a token table may be several times the text: larger sources are refused. */
const LARGEST_SOURCE = 1 << 29;

/** Parses one PTX module. Syntax errors go into the sink, each once; the faulty parts are absent from the tree. */
export function parseModule(source: Source, sink: DiagnosticSink): Module {
  if (source.bytes.length > LARGEST_SOURCE) {
    const message = `the module has ${source.bytes.length} bytes; at most ${LARGEST_SOURCE} can be read`;
    sink.report("syntax", message, { kind: "file", file: source.name });
    return { source, items: [], incomplete: true };
  }
  const errorsBefore = sink.errorCount;
  const output = tokenize(source.bytes);
  for (const { start, end, message, remedy } of output.faults) {
    sink.report("syntax", message, placeOf(source, { start, end }), remedy === undefined ? {} : { remedy });
  }
  const cursor = createCursor(source, sink, output);
  try {
    const items = parseItems(cursor);
    return { source, items, ...(sink.errorCount > errorsBefore ? { incomplete: true as const } : {}) };
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return { source, items: [], incomplete: true };
  }
}
