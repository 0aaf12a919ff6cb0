// Reads a ratchet for CI: a file with a rule on each line, `PROPERTY GROWTH`. GROWTH is a number ("0", "16") or a percentage of
// the old value ("2%"). `#` begins a comment. Properties are those that a diff shows, with `-` for blanks: registers, code,
// stack, constant-bank-0.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Ratchet } from "./diff.js";

/** Reads the rules; undefined after a report. `file` is the name for messages. */
export function readRatchet(file: string, text: string, sink: DiagnosticSink): Ratchet | undefined {
  const errorsBefore = sink.errorCount;
  const rules = new Map<string, { readonly by: number; readonly percent: number }>();
  text.split("\n").forEach((line, i) => {
    const words = line.replace(/#.*/, "").trim();
    if (words === "") return;
    const match = /^([a-z][a-z0-9-]*)\s+(\d+(?:\.\d+)?)\s*(%?)$/.exec(words);
    if (match === null) {
      sink.report("ratchet", `'${words}' is not a rule: a property and how much it may grow are expected`, {
        kind: "line",
        file,
        line: i + 1,
      });
      return;
    }
    const amount = Number(match[2]);
    rules.set(
      match[1]!.replaceAll("-", " "),
      match[3] === "%" ? { by: 0, percent: amount } : { by: amount, percent: 0 },
    );
  });
  return sink.errorCount > errorsBefore ? undefined : rules;
}
