// Diagnostics for code scanning services: SARIF 2.1.0 (OASIS). One run; a rule for each code that occurs, in the order of
// first occurrence; notes are related locations. The remedy is a sentence and not an edit, so it ends the message
// instead of being a `fix`, which SARIF wants as replacements.

import { codes, type CodeName } from "./codes.table.js";
import type { Diagnostic, Note, Place } from "./diagnostic.js";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

export interface SarifOptions {
  /** The program's version, for `tool.driver.version`. */
  readonly version?: string;
}

/** One SARIF log with one run, ended with a line feed. */
export function renderSarif(diagnostics: readonly Diagnostic[], options: SarifOptions = {}): string {
  const used = [...new Set(diagnostics.map(({ code }) => code))];
  const driver = {
    name: "ptxkit",
    ...(options.version === undefined ? {} : { version: options.version }),
    rules: used.map(describeRule),
  };
  const run = {
    tool: { driver },
    columnKind: "utf16CodeUnits",
    results: diagnostics.map((diagnostic) => describeResult(diagnostic, used.indexOf(diagnostic.code))),
  };
  return `${JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, undefined, 2)}\n`;
}

function describeRule(code: CodeName): object {
  const { severity, title, explanation } = codes[code];
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: explanation },
    defaultConfiguration: { level: severity },
  };
}

function describeResult(
  { code, severity, message, place, notes, repeats = [], remedy }: Diagnostic,
  ruleIndex: number,
): object {
  const related = [...notes, ...repeats];
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: remedy === undefined ? message : `${message} (help: ${remedy})` },
    locations: place === undefined ? [] : [{ physicalLocation: describePlace(place) }],
    ...(related.length === 0 ? {} : { relatedLocations: related.map(describeNote) }),
  };
}

function describeNote({ message, place }: Note, id: number): object {
  return { id, ...(place && { physicalLocation: describePlace(place) }), message: { text: message } };
}

function describePlace(place: Place): object {
  const artifactLocation = { uri: uriOf(place.file) };
  switch (place.kind) {
    case "text": {
      const byteLength = Math.max(0, place.end - place.start);
      const region = { startLine: place.line, startColumn: place.column, byteOffset: place.start, byteLength };
      return { artifactLocation, region };
    }
    case "line":
      return { artifactLocation, region: { startLine: place.line } };
    case "bytes":
      return { artifactLocation, region: { byteOffset: place.offset, byteLength: 0 } };
    case "file":
      return { artifactLocation };
  }
}

/** A file's name as a URI reference: `%`-escaped, with nothing before a colon that could be taken for a scheme. */
function uriOf(file: string): string {
  // Through UTF-8, because encodeURIComponent throws on half a surrogate pair.
  const path = Buffer.from(file).toString().split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? `file://${path}` : path;
}
