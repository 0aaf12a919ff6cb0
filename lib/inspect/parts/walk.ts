// Walks everything inside a container, depth first: members of an archive, entries of fatbins, the fatbins of host files.
// Elements are yielded one at a time and decompressed then, because together they may not fit into memory. An archive inside an
// archive is not opened; the linker does not open it either.

import { ENTRY_KIND, isScrambled } from "../../../formats/fatbin/index.js";
import type { DiagnosticSink } from "../../diag/sink.js";
import { openArchive, type ReadFile } from "../../link/inputs/archive.js";
import { mostExpanded, readEmbedded, readEntry, type EmbeddedEntry } from "../../link/inputs/embedded.js";
import { isEmbedding, recognise, type EmbeddingKind, type FileKind } from "../../link/inputs/recognise.js";
import type { Source } from "../../ptx/source-text.js";

export interface Element {
  /** The name in messages: "lib.a(scale.o)(1.sm_90.cubin)". */
  readonly name: string;
  /** The names in the parentheses, outermost first. */
  readonly path: readonly string[];
  /** Byte offset in the direct container: of a member's data, or of a fatbin's entry with its header. */
  readonly offset: number;
  /** Null if it cannot be read. */
  readonly kind: FileKind | null;
  /** Undefined if it cannot be read, and for compressed LTO-IR, which only NVIDIA's tools can read. */
  readonly bytes?: Uint8Array;
  /** For an entry of a fatbin: its header. */
  readonly entry?: EmbeddedEntry;
  /** For an entry of a fatbin: the fatbin's number in its container, from 1. */
  readonly fatbin?: number;
}

interface Walk {
  readonly sink: DiagnosticSink;
  readonly readFile: ReadFile | undefined;
  readonly isClosed: boolean;
  /** Remaining limit of decompressed bytes. */
  readonly expansion: { left: number };
}

/**
 * The elements inside `source`; none if it is no container. Damage is reported after the elements before it. `isClosed`: entries
 * of fatbins are not decompressed; their kind is taken from their headers.
 */
export function elementsOf(
  source: Source,
  sink: DiagnosticSink,
  readFile?: ReadFile,
  isClosed = false,
): Generator<Element> {
  return walk(source, [], { sink, readFile, isClosed, expansion: { left: mostExpanded(source.bytes.length) } });
}

function* walk(source: Source, path: readonly string[], context: Walk): Generator<Element> {
  const kind = recognise(source.bytes);
  if (kind === "archive" && path.length === 0) yield* members(source, context);
  else if (isEmbedding(kind)) yield* entries(source, kind, path, context);
}

function* members(source: Source, context: Walk): Generator<Element> {
  const { members, fault } = openArchive(source, context.readFile);
  if (fault !== undefined) report(context, source, fault.offset, fault.what);
  for (const { name, memberName, headerOffset, read } of members) {
    const inner = read();
    const path = [memberName];
    const known = { name, path, offset: headerOffset };
    if (inner === undefined) {
      yield { ...known, kind: null };
      continue;
    }
    yield { ...known, kind: recognise(inner.bytes), bytes: inner.bytes };
    yield* walk(inner, path, context);
  }
}

function* entries(source: Source, kind: EmbeddingKind, path: readonly string[], context: Walk): Generator<Element> {
  const { fatbins, faults } = readEmbedded(source, kind);
  for (const { offset, what } of faults) report(context, source, offset, what);
  const all = fatbins.flatMap(({ entries }, i) => entries.map((entry) => ({ entry, fatbin: i + 1 })));
  for (const { entry, fatbin } of all) {
    const known = { name: entry.name, path: [...path, entry.entryName], offset: entry.offset, entry, fatbin };
    if (isScrambled(entry) || context.isClosed) {
      yield { ...known, kind: isScrambled(entry) ? "lto-ir" : (kindOfEntry[entry.kind] ?? "unknown") };
      continue;
    }
    context.expansion.left -= entry.size;
    if (context.expansion.left < 0)
      return report(
        context,
        source,
        entry.offset,
        `${entry.size} bytes make more in all than a file of this size may hold`,
      );
    const read = readEntry(entry);
    if (read.ok) yield { ...known, kind: recognise(read.value.bytes), bytes: read.value.bytes };
    else {
      report(context, source, read.error.offset, `${entry.entryName}: ${read.error.what}`);
      yield { ...known, kind: null };
    }
  }
}

/** Kinds of entries by the header's number. Objects of ptxkit are packed like cubins. */
const kindOfEntry: Readonly<Record<number, FileKind>> = {
  [ENTRY_KIND.ptx]: "ptx",
  [ENTRY_KIND.cubin]: "cubin",
  [ENTRY_KIND["lto-ir"]]: "lto-ir",
};

function report({ sink }: Walk, { name }: Source, offset: number, what: string): void {
  sink.report("malformed-file", what, { kind: "bytes", file: name, offset });
}
