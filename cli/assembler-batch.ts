// What passes between the program and a thread that assembles for it (assembler-worker.ts): several texts there, as many
// objects back, each in one piece of memory that is handed over, not copied. Objects are kept as the bytes of object files:
// those take a third of the memory, the plain linker takes them as they are, and cloning an object as a value takes longer
// than making it.

import type { CheckOptions } from "../lib/check/check.js";
import type { Diagnostic } from "../lib/diag/diagnostic.js";
import { createSink, type SinkOptions } from "../lib/diag/sink.js";
import type { Target } from "../lib/isa/requirement.js";
import { isPlainObject } from "../lib/link/plain/object.js";
import { compiledFor } from "../lib/link/targets.js";
import { createAssembler } from "../lib/object/assemble.js";
import type { RelocObject } from "../lib/object/object.js";
import { createObjectWriter, writeObject } from "../lib/object/write.js";
import type { Source } from "../lib/ptx/tree.js";

/** How every text is assembled. */
export interface AssemblyOptions {
  readonly check: CheckOptions;
  readonly warnings: SinkOptions;
}

/** What came of one text. */
export interface Assembled {
  /** An object, or its file; undefined when `diagnostics` has errors. */
  readonly output: RelocObject | Uint8Array | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether nothing is wrong, and the object has nothing that a plain link cannot take. */
  readonly isPlain: boolean;
}

/** Bytes one after the other: where each ends. */
interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
}

/** A text, and the target of the link for one out of a fatbin. */
export interface Job {
  readonly source: Source;
  readonly goal?: Target | undefined;
}

export interface Batch {
  readonly names: readonly string[];
  readonly texts: Packed;
  readonly goals: readonly (Target | undefined)[];
}

export interface BatchAnswer {
  /** Object files, empty where there is none. */
  readonly objects: Packed;
  readonly diagnostics: readonly (readonly Diagnostic[])[];
  readonly isPlain: readonly boolean[];
}

/** `wantsFile`: whether the object's file is made, where it may be part of a plain link. */
export type TextAssembler = (job: Job, wantsFile: boolean) => Assembled;

export function createTextAssembler({ check, warnings }: AssemblyOptions): TextAssembler {
  const assemble = createAssembler(check);
  const write = createObjectWriter();
  return ({ source, goal }, wantsFile) => {
    const sink = createSink(warnings);
    const assembled = assemble(source, sink);
    const object = assembled && compiledFor(goal, assembled);
    const isPlain = object !== undefined && sink.errorCount === 0 && isPlainObject(object);
    return { output: isPlain && wantsFile ? write(object, { isBare: true }) : object, diagnostics: sink.all, isPlain };
  };
}

const fileOf = (output: RelocObject | Uint8Array | undefined): Uint8Array => {
  if (output === undefined) return new Uint8Array();
  return output instanceof Uint8Array ? output : writeObject(output, { isBare: true });
};

export function assembleBatch({ names, texts, goals }: Batch, assemble: TextAssembler): BatchAnswer {
  const assembled = unpack(texts).map((bytes, i) =>
    assemble({ source: { name: names[i]!, bytes }, goal: goals[i] }, true),
  );
  return {
    objects: pack(assembled.map(({ output }) => fileOf(output))),
    diagnostics: assembled.map(({ diagnostics }) => diagnostics),
    isPlain: assembled.map(({ isPlain }) => isPlain),
  };
}

/** What came of each text of a batch. */
export function readAnswer({ objects, diagnostics, isPlain }: BatchAnswer): readonly Assembled[] {
  return unpack(objects).map((bytes, i) => ({
    output: bytes.length === 0 ? undefined : bytes,
    diagnostics: diagnostics[i]!,
    isPlain: isPlain[i]!,
  }));
}

export function makeBatch(jobs: readonly Job[]): Batch {
  return {
    names: jobs.map(({ source }) => source.name),
    texts: pack(jobs.map(({ source }) => source.bytes)),
    goals: jobs.map(({ goal }) => goal),
  };
}

function pack(parts: readonly Uint8Array[]): Packed {
  const bytes = new Uint8Array(parts.reduce((sum, part) => aligned(sum + part.length), 0));
  let end = 0;
  const ends = parts.map((part) => {
    const start = aligned(end);
    bytes.set(part, start);
    return (end = start + part.length);
  });
  return { bytes, ends };
}

/** The plain linker reads files as words. */
const aligned = (offset: number): number => (offset + 3) & ~3;

/** Views of the parts. */
function unpack({ bytes, ends }: Packed): readonly Uint8Array[] {
  return ends.map((end, i) => bytes.subarray(aligned(ends[i - 1] ?? 0), end));
}
