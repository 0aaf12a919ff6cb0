// Any module's text as PTX: PTX unchanged, NVVM IR compiled. All NVVM IR reaches the checker through this file.

import type { DiagnosticSink } from "../diag/sink.js";
import type { Source } from "../ptx/source-text.js";
import { compileSource } from "./compile-source.js";
import type { NvvmOptions } from "./options.js";
import { isNvvm } from "./recognise.js";

/** The PTX of a source: itself, or its compiled form. After errors, an empty module. */
export const ptxOf = (
  source: Source,
  options: NvvmOptions | (() => NvvmOptions) | undefined,
  sink: DiagnosticSink,
): Source => (isNvvm(source.bytes) ? compileSource(source, options, sink) : source);
