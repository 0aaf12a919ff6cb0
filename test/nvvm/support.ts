// Compiles NVVM IR to PTX for tests, with the diagnostics.

import { createSink } from "../../lib/diag/sink.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { ptxOf } from "../../lib/nvvm/front.js";
import type { NvvmOptions } from "../../lib/nvvm/options.js";
import type { Source } from "../../lib/ptx/source-text.js";

export interface Compiled {
  readonly source: Source;
  readonly text: string;
  /** The PTX's lines, without empty ones. */
  readonly lines: readonly string[];
  readonly found: readonly Diagnostic[];
}

export function compile(ir: string, options: NvvmOptions = {}, name = "a.ll"): Compiled {
  const sink = createSink();
  const source = ptxOf({ name, bytes: Buffer.from(ir) }, options, sink);
  const text = Buffer.from(source.bytes).toString();
  return { source, text, lines: text.split("\n").filter((line) => line !== ""), found: sink.all };
}

/** Code, line and column of each diagnostic: "nvvm-annotation 3:1". */
export const placesOf = (found: readonly Diagnostic[]): readonly string[] =>
  found.map(({ code, place }) => `${code} ${place?.line ?? "-"}:${place?.column ?? "-"}`);
