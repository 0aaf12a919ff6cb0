// Renders diagnostics as one JSON document with every diagnostic in the order found, keys in a fixed order. Nothing is limited or
// truncated, and only what JSON requires is escaped.

import { allNotes, type Diagnostic, type Note, type Place } from "./diagnostic.js";
import { lineStartsOf, placeOfLine, type ShownText } from "./excerpt.js";

export interface JsonOptions {
  /** Returns the text of a file, if available, to find the column of a name. */
  readonly readText?: (file: string) => ShownText | undefined;
}

/** `{"diagnostics": [...]}`, ended with a line feed. Lines and columns count from 1, offsets in bytes from 0. */
export function renderJson(diagnostics: readonly Diagnostic[], options: JsonOptions = {}): string {
  const context = { ...options, lineStarts: new Map<string, Int32Array>() };
  const all = diagnostics.map((diagnostic) => describe(diagnostic, context));
  return `${JSON.stringify({ diagnostics: all }, undefined, 2)}\n`;
}

/** The options, with a cache of each file's line starts. */
interface Context extends JsonOptions {
  readonly lineStarts: Map<string, Int32Array>;
}

function describe(diagnostic: Diagnostic, context: Context): object {
  const { code, severity, raised, message, place, remedy } = diagnostic;
  const own = place && withColumn(place, context);
  // The first reference is often the message's own place: a name in a long table is not searched twice.
  const noteOf = (note: Note) =>
    note.place === place ? { ...note, ...(own && { place: own }) } : describeNote(note, context);
  return {
    severity,
    ...(raised && { raised }),
    code,
    message,
    ...(own && { place: own }),
    notes: allNotes(diagnostic).map(noteOf),
    ...(remedy && { remedy }),
  };
}

/** The place with the line and column of its symbol, if the text is available. */
function withColumn(place: Place, { readText = () => undefined, lineStarts }: Context): Place {
  if (place.kind !== "line" || place.symbol === undefined) return place;
  const { symbol, ...line } = place;
  const bytes = readText(line.file);
  if (bytes === undefined) return line;
  const starts = lineStarts.get(line.file) ?? lineStartsOf(bytes);
  lineStarts.set(line.file, starts);
  const named = placeOfLine(bytes, starts, { ...line, symbol });
  return named === undefined ? line : { ...line, line: named.line, column: named.column };
}

function describeNote({ message, place }: Note, context: Context): object {
  return { message, ...(place && { place: withColumn(place, context) }) };
}
