// What passes between the program and a thread that assembles for it (assembler-worker.ts): several texts there, as many
// objects back, each in one piece of memory that is handed over, not copied. Objects travel as the bytes of object files:
// cloning one as a value takes longer than making it.

import type { CheckOptions } from "../lib/check/check.js";
import type { Diagnostic } from "../lib/diag/diagnostic.js";
import { createSink, type SinkOptions } from "../lib/diag/sink.js";
import { assembleSource } from "../lib/object/assemble.js";
import type { RelocObject } from "../lib/object/object.js";
import { writeObject } from "../lib/object/write.js";
import type { Source } from "../lib/ptx/tree.js";

/** How every text is assembled. */
export interface AssemblyOptions {
  readonly check: CheckOptions;
  readonly warnings: SinkOptions;
}

/** What came of one text. */
export interface Assembled {
  /** Undefined when `diagnostics` has errors. */
  readonly object: RelocObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Bytes one after the other: where each ends. */
interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
}

export interface Batch {
  readonly names: readonly string[];
  readonly texts: Packed;
}

export interface BatchAnswer {
  /** Object files, empty where there is none. */
  readonly objects: Packed;
  readonly diagnostics: readonly (readonly Diagnostic[])[];
}

export function assembleOne(source: Source, { check, warnings }: AssemblyOptions): Assembled {
  const sink = createSink(warnings);
  const object = assembleSource(source, sink, check);
  return { object, diagnostics: sink.all };
}

export function assembleBatch({ names, texts }: Batch, options: AssemblyOptions): BatchAnswer {
  const assembled = unpack(texts).map((bytes, i) => assembleOne({ name: names[i]!, bytes }, options));
  return {
    objects: pack(assembled.map(({ object }) => (object === undefined ? new Uint8Array() : writeObject(object)))),
    diagnostics: assembled.map(({ diagnostics }) => diagnostics),
  };
}

export function makeBatch(sources: readonly Source[]): Batch {
  return { names: sources.map(({ name }) => name), texts: pack(sources.map(({ bytes }) => bytes)) };
}

function pack(parts: readonly Uint8Array[]): Packed {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  const ends = parts.map((part) => {
    bytes.set(part, end);
    return (end += part.length);
  });
  return { bytes, ends };
}

/** Views of the parts. */
export function unpack({ bytes, ends }: Packed): readonly Uint8Array[] {
  return ends.map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
}
