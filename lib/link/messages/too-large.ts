// Says that an output, or what it is made of, is larger than columns have room for (../../object/columns/cursor.ts).

import type { DiagnosticSink } from "../../diag/sink.js";
import { unsupportedReason } from "../../object/columns/cursor.js";

/** What comes of work on objects; undefined after a report of what columns have no room for. `of`: what has that. */
export function unlessTooLarge<T>(
  sink: DiagnosticSink,
  work: () => T | undefined,
  of = "the link has ",
): T | undefined {
  try {
    return work();
  } catch (error) {
    const reason = unsupportedReason(error);
    if (reason === undefined) throw error;
    sink.report("link-too-large", `${of}${reason}`, undefined, {
      remedy: "initialise large variables when the program runs, or link fewer modules at once",
    });
    return undefined;
  }
}
