// The parser's entry points: from a module's text to its syntax tree. For any bytes, the result is a tree of the valid parts and
// a diagnostic for each error; time and memory are linear in the text.

import type { DiagnosticSink } from "../diag/sink.js";
import { createCursor, isAbandoned } from "./cursor.js";
import { tokenize } from "./lexer.js";
import { parseItems } from "./module.js";
import { createReadingMemory, type OutlineReader, readOutline, type ReadingMemory } from "./outline.js";
import type { Source } from "./source-text.js";
import { placeOf } from "./source.js";
import type { Module, ModuleItem, UnreadBody } from "./tree.js";

/** Size limit of a source in bytes: offsets have 32 bits, and a token table may be several times as large as the text. */
const LARGEST_SOURCE = 1 << 29;

/** Parses one PTX module. Syntax errors are reported to the sink, each once; the tree lacks the wrong parts. */
export function parseModule(source: Source, sink: DiagnosticSink): Module {
  const reader = openModule(source);
  const items = reader === undefined ? undefined : readBodies(reader);
  return items === undefined ? parseWhole(source, sink) : { source, items };
}

/**
 * Parses declarations and skips function bodies, which other modules cannot see. Reports syntax errors outside bodies; inside
 * them, only errors that hide the end of the body. `memory`: reused by the caller between modules, to read many of them faster.
 */
export function parseDeclarations(source: Source, sink: DiagnosticSink, memory?: ReadingMemory): Module<UnreadBody> {
  const reader = openModule(source, memory);
  if (reader !== undefined) return reader.outline;
  const module = parseWhole(source, sink);
  return { ...module, items: module.items.map(withoutBody) };
}

/**
 * The declarations of a module, and access to its bodies one by one. Undefined if there is a syntax error outside bodies, which
 * parseModule then reports; an error in a body is found when it is read.
 */
export function openModule(source: Source, memory: ReadingMemory = createReadingMemory()): OutlineReader | undefined {
  return source.bytes.length > LARGEST_SOURCE ? undefined : readOutline(source, memory);
}

function readBodies({ outline, readBody }: OutlineReader): readonly ModuleItem[] | undefined {
  const items: ModuleItem[] = [];
  for (const item of outline.items) {
    if (item.kind !== "function" || item.body === undefined) {
      items.push(item as ModuleItem);
      continue;
    }
    const body = readBody(item.body);
    if (body === undefined) return undefined;
    items.push({ ...item, body });
  }
  return items;
}

function withoutBody(item: ModuleItem): ModuleItem<UnreadBody> {
  if (item.kind !== "function" || item.body === undefined) return item as ModuleItem<UnreadBody>;
  const { start, end } = item.body;
  return { ...item, body: { kind: "unread", start, end } };
}

/** Parses a module as one sequence of tokens, which error recovery needs; parseModule calls it if necessary. */
export function parseWhole(source: Source, sink: DiagnosticSink): Module {
  if (source.bytes.length > LARGEST_SOURCE) {
    const message = `the module has ${source.bytes.length} bytes; at most ${LARGEST_SOURCE} can be read`;
    sink.report("syntax", message, { kind: "file", file: source.name });
    return { source, items: [], incomplete: true };
  }
  const errorsBefore = sink.errorCount;
  const lexer = tokenize(source.bytes);
  for (const { start, end, message, remedy } of lexer.faults) {
    sink.report("syntax", message, placeOf(source, { start, end }), remedy === undefined ? {} : { remedy });
  }
  const cursor = createCursor(source, sink, lexer);
  try {
    const items = parseItems(cursor) as readonly ModuleItem[];
    return { source, items, ...(sink.errorCount > errorsBefore ? { incomplete: true as const } : {}) };
  } catch (error) {
    if (!isAbandoned(error)) throw error;
    return { source, items: [], incomplete: true };
  }
}
