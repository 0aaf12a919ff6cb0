// Reports findings of the sanitizer as diagnostics: the place, both parties, the remedy. A finding's kind is the diagnostic's
// code.

import type { Note, Place } from "../diag/diagnostic.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { type Finding, isWarning, type Party } from "../exec/sanitize/finding.js";

const placeOf = ({ file, line, column, ptx }: Party): Place => ({
  kind: "line",
  file,
  line,
  ...(file === ptx.file && line === ptx.line ? { column: ptx.column } : column === undefined ? {} : { column }),
});

const threadText = ({ block, thread }: Party): string => `block (${block.join(",")}), thread (${thread.join(",")})`;

const instructionText = ({ ptx }: Party): string => `${ptx.instruction} (${ptx.file}:${ptx.line}:${ptx.column})`;

/** Reports a finding once, with the number of its occurrences. */
export function reportFinding(finding: Finding, sink: DiagnosticSink): void {
  const { kind, message, kernel, other, remedy, callers = [], count } = finding;
  const times = count === 1 ? "" : `, ${count} times`;
  const notes: Note[] = [
    ...(finding.inlinedAt ?? []).map(({ file, line }) => ({
      message: "inlined here",
      place: { kind: "line", file, line } as const,
    })),
    { message: `instruction ${instructionText(finding)}` },
    ...(other === undefined
      ? []
      : [
          {
            message: `the other${other.access === undefined ? "" : `, ${other.access}`}: ${threadText(other)}, ${instructionText(other)}`,
            place: placeOf(other),
          },
        ]),
    ...callers.map((caller) => ({ message: `called from ${caller}` })),
  ];
  sink.report(kind, `${message} (kernel ${kernel}, ${threadText(finding)}${times})`, placeOf(finding), {
    notes,
    remedy,
    isError: !isWarning(finding),
  });
}
