// Reports malformed bitcode.

import type { FormatError } from "../../../formats/bytes/result.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import type { Source } from "../../ptx/source-text.js";

/** Reports a fault in the bytes of a bitcode file. */
export function reportBitcode({ code, offset, what }: FormatError, source: Source, sink: DiagnosticSink): void {
  const place = { kind: "bytes", file: source.name, offset } as const;
  if (code === "unsupported") sink.report("not-supported", `bitcode of another LLVM: ${what}`, place);
  else if (code === "bad-magic") sink.report("unknown-format", what, place);
  else sink.report("malformed-file", `LLVM bitcode: ${what}`, place);
}
