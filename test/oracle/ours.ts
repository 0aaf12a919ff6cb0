// What the checker says of a text, asked as the program asks it; for the comparisons with ptxas.

import { checkSource } from "../../lib/check/check.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { createSink } from "../../lib/diag/sink.js";

/** The errors, in their order. Throws what the checker threw: a defect. */
export function errorsOf(text: string): readonly Diagnostic[] {
  const sink = createSink();
  checkSource({ name: "m.ptx", bytes: Buffer.from(text, "latin1") }, sink, { onCode: () => {} });
  return sink.all.filter(({ severity }) => severity === "error");
}

/** A message without what differs from file to file. */
export const grouped = (message: string): string =>
  message
    .replaceAll(/'[^']*'/g, "'…'")
    .replaceAll(/%?\b[\w$.]*\d[\w$.:]*/g, "N")
    .slice(0, 100);
