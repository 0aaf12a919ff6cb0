// The verifier's diagnostics for IR text.

import type { Diagnostic } from "../../../lib/diag/diagnostic.js";
import { createSink } from "../../../lib/diag/sink.js";
import type { Module } from "../../../lib/nvvm/ir/module.js";
import { parseModule } from "../../../lib/nvvm/text/parse.js";
import { verifyBody, verifyModule } from "../../../lib/nvvm/verify/verify.js";

/** All diagnostics of reading and verifying a module with its bodies. */
export function diagnosticsOf(text: string | Uint8Array, name = "a.ll"): readonly Diagnostic[] {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const sink = createSink();
  const module = parseModule({ name, bytes }, sink);
  if (module !== undefined) verifyAll(module, sink);
  return sink.all;
}

export function verifyAll(module: Module, sink: ReturnType<typeof createSink>): void {
  verifyModule(module, {}, sink);
  for (const fn of module.functions) {
    const body = fn.body?.read(sink);
    if (body !== undefined) verifyBody(fn, body, { module }, sink);
  }
}

/** `nvvm-type 2:28`. */
export const spotOf = ({ code, place }: Diagnostic): string =>
  `${code} ${place?.line}:${place?.kind === "text" ? place.column : 0}`;
