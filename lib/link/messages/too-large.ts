// Reports that an output, or an input of it, exceeds what columns can represent (../../object/columns/cursor.ts).

import type { DiagnosticSink } from "../../diag/sink.js";
import { unsupportedReason } from "../../object/columns/cursor.js";

/** The result of `work`; undefined if columns cannot represent something, which is reported. `of`: the name for the message. */
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
      remedy: "initialise large variables at run time, or link fewer modules at once",
    });
    return undefined;
  }
}
