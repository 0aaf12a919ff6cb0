// Renders diagnostics for code scanning services: SARIF 2.1.0 (OASIS). There is one run, with a rule for each code in the order
// of first occurrence; notes are related locations. The remedy is a sentence and not an edit. It therefore ends the message
// instead of being a `fix`, which SARIF requires to have replacements.

import { codes, type CodeName } from "./codes.table.js";
import { allNotes, noteText, type Diagnostic, type Note, type Place, type TextPlace } from "./diagnostic.js";
import { lineStartsOf, placeOfLine, type ShownText } from "./excerpt.js";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

/** The contents of a SARIF log other than the diagnostics. */
export interface SarifOptions {
  /** The program's version, for `tool.driver.version`. */
  readonly version?: string;
  /**
   * Returns the text of a file, if available. Columns are then SARIF's, and a place with only a line is resolved to the line's
   * contents.
   */
  readonly readText?: (file: string) => ShownText | undefined;
}

/** The texts, with a cache of each file's line starts. */
interface Texts {
  readonly read: (file: string) => ShownText | undefined;
  readonly lineStarts: Map<string, Int32Array>;
}

/** Columns beyond this many bytes are omitted: counting characters for every place of an endless line would be quadratic. */
const FURTHEST_COLUMN = 65_536;
const LINE_FEED = 10;

/** One SARIF log with one run, ended with a line feed. */
export function renderSarif(diagnostics: readonly Diagnostic[], options: SarifOptions = {}): string {
  const texts: Texts = { read: options.readText ?? (() => undefined), lineStarts: new Map() };
  const used = [...new Set(diagnostics.map(({ code }) => code))];
  const driver = {
    name: "ptxkit",
    ...(options.version === undefined ? {} : { version: options.version }),
    rules: used.map(describeRule),
  };
  const run = {
    tool: { driver },
    columnKind: "utf16CodeUnits",
    results: diagnostics.map((diagnostic) => describeResult(diagnostic, used.indexOf(diagnostic.code), texts)),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
}

function describeRule(code: CodeName): object {
  const { severity, title, explanation } = codes[code];
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    help: { text: `ptxkit explain ${code}` },
    defaultConfiguration: { level: severity },
  };
}

function describeResult(diagnostic: Diagnostic, ruleIndex: number, texts: Texts): object {
  const { code, severity, message, place, remedy } = diagnostic;
  const related = allNotes(diagnostic);
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: remedy === undefined ? message : `${message} (help: ${remedy})` },
    locations: place === undefined ? [] : [{ physicalLocation: describePlace(place, texts) }],
    ...(related.length === 0 ? {} : { relatedLocations: related.map((note, id) => describeNote(note, id, texts)) }),
  };
}

function describeNote(note: Note, id: number, texts: Texts): object {
  const { place } = note;
  return { id, ...(place && { physicalLocation: describePlace(place, texts) }), message: { text: noteText(note) } };
}

function describePlace(place: Place, texts: Texts): object {
  const artifactLocation = { uri: uriOf(place.file) };
  switch (place.kind) {
    case "text":
      return { artifactLocation, region: textRegion(place, texts.read(place.file)) };
    case "line": {
      const bytes = texts.read(place.file);
      if (bytes === undefined) return { artifactLocation, region: { startLine: Math.max(1, place.line) } };
      const starts = texts.lineStarts.get(place.file) ?? lineStartsOf(bytes);
      texts.lineStarts.set(place.file, starts);
      const onLine = placeOfLine(bytes, starts, place);
      const region = onLine === undefined ? { startLine: Math.max(1, place.line) } : textRegion(onLine, bytes);
      return { artifactLocation, region };
    }
    case "bytes":
      return { artifactLocation, region: { byteOffset: place.offset, byteLength: 0 } };
    case "file":
      return { artifactLocation };
  }
}

/** The region of a place. ptxkit's columns count bytes, SARIF's count UTF-16 units; without the text, ASCII is assumed. */
function textRegion({ line, column, start, end }: TextPlace, text: ShownText | undefined): object {
  const byteLength = Math.max(0, end - start);
  const offsets = { byteOffset: start, byteLength };
  if (text === undefined) return { startLine: line, startColumn: column, ...offsets };
  if (column + byteLength > FURTHEST_COLUMN) return { startLine: line, ...offsets };
  const before = column - 1;
  const bytes = text.subarray(start - before, start + byteLength);
  const marked = bytes.subarray(before);
  const startColumn = unitsOf(bytes.subarray(0, before)) + 1;
  const lineFeeds = marked.filter((byte) => byte === LINE_FEED).length;
  const lastLine = lineFeeds === 0 ? bytes : marked.subarray(marked.lastIndexOf(LINE_FEED) + 1);
  const endColumn = unitsOf(lastLine) + 1;
  return { startLine: line, startColumn, endLine: line + lineFeeds, endColumn, ...offsets };
}

function unitsOf(bytes: Uint8Array): number {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes).length;
}

/** A file's name as a URI reference: percent-encoded, and without a colon that could end a scheme. */
function uriOf(file: string): string {
  // Through UTF-8, because encodeURIComponent throws on half a surrogate pair.
  const path = Buffer.from(file).toString().split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${path}` : path;
}
