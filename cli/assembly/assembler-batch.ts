// Messages between the program and a thread that assembles for it (assembler-worker.ts): a batch of texts out, their objects
// back. Memory is transferred, not copied.
// Objects are packed (lib/object/columns/packed/packed-object.ts): they take a fraction of the memory, and the linker reads them
// as they are. Cloning an unpacked object takes longer than making it.

import type { CheckOptions } from "../../lib/check/check.js";
import type { Diagnostic } from "../../lib/diag/diagnostic.js";
import { InternalError } from "../../lib/base/assert.js";
import { createSink, type SinkOptions } from "../../lib/diag/sink.js";
import type { Target } from "../../lib/isa/requirement.js";
import type { NvvmOptions } from "../../lib/nvvm/options.js";
import { ifSupported } from "../../lib/object/columns/cursor.js";
import { createPacker } from "../../lib/object/columns/packed/pack.js";
import { isPacked, type PackedObject, type Dictionary } from "../../lib/object/columns/packed/packed-object.js";
import { createTypes, type TypeTable } from "../../lib/object/columns/types.js";
import { createStrings } from "../../lib/object/columns/strings.js";
import { frozen, memoryOfDictionary } from "../../lib/object/columns/packed/dictionary.js";
import { compiledFor } from "../../lib/link/model/targets.js";
import { createAssembler } from "../../lib/object/assemble.js";
import type { RelocObject } from "../../lib/object/object.js";
import { decodeObject } from "../../lib/object/file/read.js";
import { writeObject } from "../../lib/object/file/write.js";
import type { Source } from "../../lib/ptx/source-text.js";

/** The options with which every text is assembled. */
export interface AssemblyOptions {
  readonly check: CheckOptions;
  readonly warnings: SinkOptions;
}

/** The result for one source. */
export interface Assembled {
  /** An object, packed or not; undefined when `diagnostics` has errors. */
  readonly output: RelocObject | PackedObject | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether `output` is packed: the text has no errors, and the fast path supports the object. */
  readonly isPacked: boolean;
}

/** Byte strings stored one after the other; `ends` are their end offsets. */
interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
}

/** A text to assemble, and the target of the link if the text comes from a fatbin. */
export interface Job {
  readonly source: Source;
  readonly linkTarget?: Target | undefined;
  /** For NVVM IR: its compile options, which another thread cannot compute. */
  readonly nvvm?: NvvmOptions | undefined;
  /** Called when the text has been read and is no longer needed, so that it can be freed before the object occupies memory. */
  readonly onRead?: () => void;
}

export interface Batch {
  readonly names: readonly string[];
  readonly texts: Packed;
  readonly linkTargets: readonly (Target | undefined)[];
  readonly nvvm: readonly (NvvmOptions | undefined)[];
}

/** The result for each text. An object that cannot be packed is sent as an object file. */
export type BatchResult = readonly (Omit<Assembled, "output"> & {
  readonly output: PackedObject | Uint8Array | undefined;
})[];

/** `dictionary`: the type table of packed objects; without one the object is not packed. */
export type TextAssembler = (job: Job, dictionary: TypeTable | undefined) => Assembled;

export const createDictionary = (): TypeTable => createTypes(createStrings());

export function createTextAssembler({ check, warnings }: AssemblyOptions): TextAssembler {
  const assemble = createAssembler(check);
  const pack = createPacker();
  return ({ source, linkTarget, nvvm, onRead }, dictionary) => {
    const sink = createSink(warnings);
    const assembled = assemble(source, sink, nvvm);
    onRead?.();
    const object = assembled && compiledFor(linkTarget, assembled);
    const isRight = object !== undefined && sink.errorCount === 0;
    // Modules that are too large are reported when they are linked.
    const packed = isRight && dictionary !== undefined ? ifSupported(() => pack(object, dictionary)) : undefined;
    return { output: packed ?? object, diagnostics: sink.all, isPacked: packed !== undefined };
  };
}

export function assembleBatch({ names, texts, linkTargets, nvvm }: Batch, assemble: TextAssembler): BatchResult {
  const dictionary = createDictionary();
  const assembled = unpack(texts).map((bytes, i) =>
    assemble({ source: { name: names[i]!, bytes }, linkTarget: linkTargets[i], nvvm: nvvm[i] }, dictionary),
  );
  const shared = frozen(dictionary);
  return assembled.map(({ output, ...rest }) => ({ output: output && transferable(output, shared), ...rest }));
}

const transferable = (output: RelocObject | PackedObject, dictionary: Dictionary): PackedObject | Uint8Array =>
  isPacked(output) ? { ...output, dictionary } : new Uint8Array(writeObject(output));

/** The buffers of an answer, which are transferred with it. */
export function memoryOf(answer: BatchResult): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBufferLike>();
  for (const { output } of answer) {
    if (output === undefined) continue;
    if (output instanceof Uint8Array) buffers.add(output.buffer);
    else for (const memory of [output.rows.buffer, ...memoryOfDictionary(output.dictionary)]) buffers.add(memory);
  }
  // None of the buffers is shared memory.
  return [...buffers] as ArrayBuffer[];
}

/** The results for the sources of a batch. */
export const readAnswer = (answer: BatchResult, { names }: Pick<Batch, "names">): readonly Assembled[] =>
  answer.map(({ output, ...rest }, i) => ({
    output: output instanceof Uint8Array ? readAgain(output, names[i]!) : output,
    ...rest,
  }));

/** Reads an object file that another thread wrote. */
function readAgain(file: Uint8Array, name: string): RelocObject {
  const object = decodeObject(file, name);
  if (!object.ok || object.value.type === "executable") throw new InternalError(`${name} cannot be read again`);
  return object.value as RelocObject;
}

export function makeBatch(jobs: readonly Job[]): Batch {
  return {
    names: jobs.map(({ source }) => source.name),
    texts: pack(jobs.map(({ source }) => source.bytes)),
    linkTargets: jobs.map(({ linkTarget }) => linkTarget),
    nvvm: jobs.map(({ nvvm }) => nvvm),
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

/** Offsets are multiples of 4, because the linker reads files as 32-bit words. */
const aligned = (offset: number): number => (offset + 3) & ~3;

/** A view of each byte string. */
function unpack({ bytes, ends }: Packed): readonly Uint8Array[] {
  return ends.map((end, i) => bytes.subarray(aligned(ends[i - 1] ?? 0), end));
}
