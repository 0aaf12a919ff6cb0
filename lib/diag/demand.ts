// Turns a sink's errors into an exception, for programs that cannot continue after a wrong input: one call around a stage's
// result. Stages themselves never throw for an input; a caller that wants several faults at once reads the sink.

import type { Diagnostic } from "./diagnostic.js";
import { renderText, type TextOptions } from "./render-text.js";
import type { DiagnosticSink } from "./sink.js";

/** Inputs are wrong. The message is what the program would print of them. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** Warnings too, in the order in which they were found. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options: TextOptions = {}) {
    super(renderText(diagnostics, { errorLimit: 20, ...options }).trimEnd());
    this.diagnostics = diagnostics;
  }
}

/**
 * What a stage has made, when its sink has no errors. Throws InputError when it has some, and RangeError when nothing was made
 * and the sink does not say why: then it is not the one that the stage was given.
 */
export function demand<T>(made: T | undefined, sink: DiagnosticSink, options: TextOptions = {}): T {
  if (sink.errorCount > 0) throw new InputError(sink.all, options);
  if (made === undefined) throw new RangeError("nothing was made, and this sink has no error that says why");
  return made;
}
