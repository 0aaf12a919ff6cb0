// Checks one document: the work of the checking thread, as a function of plain data.

import { checkSource } from "../../lib/check/check.js";
import type { Diagnostic, Place } from "../../lib/diag/diagnostic.js";
import { createSink, type SinkOptions } from "../../lib/diag/sink.js";
import type { NvvmOptions } from "../../lib/nvvm/options.js";

export interface CheckJob {
  readonly id: number;
  readonly name: string;
  readonly text: string;
  readonly options: JobOptions;
}

/** The command line's options, as data that threads exchange. */
export interface JobOptions {
  readonly sink: SinkOptions;
  readonly nvvm: NvvmOptions;
  readonly maxImageBytes?: number;
  readonly assumeVersion?: boolean;
}

export interface CheckAnswer {
  readonly id: number;
  /** Places in the document are in UTF-16 units. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Limit of diagnostics per file. */
const MAX_DIAGNOSTICS = 1000;

export function runCheck({ id, name, text, options }: CheckJob): CheckAnswer {
  const { sink: sinkOptions, ...checkOptions } = options;
  const sink = createSink(sinkOptions);
  const bytes = Buffer.from(text);
  checkSource({ name, bytes }, sink, { ...checkOptions, onCode: () => {} });
  const found = sink.all.slice(0, MAX_DIAGNOSTICS);
  return { id, diagnostics: bytes.length === text.length ? found : found.map((one) => inUnits(one, name, bytes)) };
}

/** Converts offsets from bytes to UTF-16 units. */
function inUnits(diagnostic: Diagnostic, name: string, bytes: Buffer): Diagnostic {
  const units = (offset: number): number => bytes.toString("utf8", 0, offset).length;
  const place = (one: Place): Place =>
    one.kind === "text" && one.file === name ? { ...one, start: units(one.start), end: units(one.end) } : one;
  return {
    ...diagnostic,
    ...(diagnostic.place === undefined ? {} : { place: place(diagnostic.place) }),
    notes: diagnostic.notes.map((note) => (note.place === undefined ? note : { ...note, place: place(note.place) })),
  };
}
