// The limit of errors reported for a module of NVVM IR: a large file may have one in every line, and each takes memory.

import type { DiagnosticSink } from "../diag/sink.js";

export const MAX_ERRORS = 10_000;

/** Whether the limit is reached; bodies are not read after that. */
export const isFull = ({ errorCount }: DiagnosticSink): boolean => errorCount >= MAX_ERRORS;
