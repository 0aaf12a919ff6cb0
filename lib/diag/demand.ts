// Turns a sink's errors into an exception, for programs that cannot continue after a wrong input: wrap a stage's result in one
// call. Stages themselves never throw for an input; a caller that wants all errors reads the sink.

import type { Diagnostic } from "./diagnostic.js";
import { renderText, type TextOptions } from "./render-text.js";
import type { DiagnosticSink } from "./sink.js";

/** Thrown for wrong inputs. The message is the text that the program would print. */
export class InputError extends Error {
  override readonly name = "InputError";
  /** All diagnostics including warnings, in the order in which they were found. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], options: TextOptions = {}) {
    super(renderText(diagnostics, { errorLimit: 20, ...options }).trimEnd());
    this.diagnostics = diagnostics;
  }
}

/**
 * Returns a stage's result if its sink has no errors. Throws InputError if it has some. Throws RangeError if there is no result
 * and no error: the sink is then not the one that the stage used.
 */
export function demand<T>(made: T | undefined, sink: DiagnosticSink, options: TextOptions = {}): T {
  if (sink.errorCount > 0) throw new InputError(sink.all, options);
  if (made === undefined) throw new RangeError("nothing was made, and this sink has no error that says why");
  return made;
}
