// Reports diagnostics of the checker's passes to the sink, at offsets in one source.

import type { CodeName } from "../diag/codes.table.js";
import type { TextPlace } from "../diag/diagnostic.js";
import type { Details, DiagnosticSink } from "../diag/sink.js";
import type { Ranged, Source } from "../ptx/source-text.js";
import { createPlaces } from "../ptx/source.js";

export interface Reporter {
  /**
   * Reports at a place of the source; the codes table decides between error and warning. Each feature that is too new for the
   * module is reported once.
   */
  report(code: CodeName, at: Ranged, message: string, details?: Details): void;
  /** Number of reports, including those dropped as repeats. */
  count(): number;
  place(at: Ranged): TextPlace;
  /** Number of errors in the sink so far. */
  errorCount(): number;
  /** The first label of that name in the text. Searches the text; the number of searches is limited. */
  labelAt(name: string): Ranged | undefined;
  /** Line of the byte at that offset, from 1. */
  line(offset: number): number;
}

/** Limit of searches: texts may be long and have many errors. */
const mostSearches = 20;

export function createReporter(source: Source, sink: DiagnosticSink): Reporter {
  const requirements = new Set<string>();
  const { lineOf, placeOf: place } = createPlaces(source);
  let count = 0;
  let searches = 0;
  return {
    labelAt: (name) => (searches++ < mostSearches ? findLabel(source.bytes, name) : undefined),
    place,
    count: () => count,
    line: lineOf,
    errorCount: () => sink.errorCount,
    report(code, at, message, details) {
      count++;
      if (code === "requires" && requirements.size === requirements.add(message).size) return;
      sink.report(code, message, place(at), details);
    },
  };
}

/** Line feed, { } ; and : */
const breaks: ReadonlySet<number> = new Set([0x0a, 0x7b, 0x7d, 0x3b, 0x3a]);
const COLON = 0x3a;
const SPACE = 0x20;
const LINE_FEED = 0x0a;

/** Finds `NAME:` at the beginning of a line, or after the end of a statement. */
function findLabel(bytes: Uint8Array, name: string): Ranged | undefined {
  for (let colon = bytes.indexOf(COLON); colon >= 0; colon = bytes.indexOf(COLON, colon + 1)) {
    let end = colon;
    while (end > 0 && bytes[end - 1] === SPACE) end--;
    const start = end - name.length;
    if (start < 0 || bytes[colon + 1] === COLON || !spells(bytes, start, name)) continue;
    if (start === 0 || isBreak(bytes, start - 1)) return { start, end };
  }
  return undefined;
}

function spells(bytes: Uint8Array, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name.charCodeAt(i)) return false;
  return true;
}

/** Whether only blanks separate the offset from a line's beginning, a brace or a semicolon. */
function isBreak(bytes: Uint8Array, last: number): boolean {
  let at = last;
  while (at >= 0 && bytes[at]! <= SPACE && bytes[at] !== LINE_FEED) at--;
  return at < 0 || breaks.has(bytes[at]!);
}
