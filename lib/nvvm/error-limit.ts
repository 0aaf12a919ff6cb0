// How many errors are reported of NVVM IR. A large file may have one in every line, each with a place and a text, and nobody reads
// thousands.

import type { DiagnosticSink } from "../diag/sink.js";

const MOST_ERRORS = 10_000;

/** Whether no more errors are reported; bodies are not read any more then. */
export const isFull = ({ errorCount }: DiagnosticSink): boolean => errorCount >= MOST_ERRORS;
