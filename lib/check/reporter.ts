// How the passes of the checker speak to the sink: with offsets into one source.

import type { CodeName } from "../diag/codes.table.js";
import type { TextPlace } from "../diag/diagnostic.js";
import type { Details, DiagnosticSink } from "../diag/sink.js";
import { createPlaces } from "../ptx/source.js";
import type { Ranged, Source } from "../ptx/tree.js";

export interface Reporter {
  /**
   * Reports at a place of the source; whether it is an error or a warning is the codes table's word. What the module is too
   * old for is said once, however often it stands there.
   */
  report(code: CodeName, at: Ranged, message: string, details?: Details): void;
  /** How many reports there were, those that were not said again among them. */
  count(): number;
  place(at: Ranged): TextPlace;
  /** Errors that the sink has had so far. */
  errorCount(): number;
  /** Line of a range's first byte, from 1. */
  line(at: Ranged): number;
}

export function createReporter(source: Source, sink: DiagnosticSink): Reporter {
  const requirements = new Set<string>();
  const { lineOf, placeOf: place } = createPlaces(source);
  let count = 0;
  return {
    place,
    count: () => count,
    line: ({ start }) => lineOf(start),
    errorCount: () => sink.errorCount,
    report(code, at, message, details) {
      count++;
      if (code === "requires" && requirements.size === requirements.add(message).size) return;
      sink.report(code, message, place(at), details);
    },
  };
}
