// The view of an archive: its members with their kinds, and the fatbins in them. Members of a thin archive are separate files,
// which are named but not read: they may have been moved.

import type { DiagnosticSink } from "../../diag/sink.js";
import { openArchive, type OpenMember } from "../../link/inputs/archive.js";
import { readEmbedded } from "../../link/inputs/embedded.js";
import { hasHeader } from "../../ptx/header.js";
import { isEmbedding, recognise, type FileKind } from "../../link/inputs/recognise.js";
import type { Source } from "../../ptx/source-text.js";
import { createBudget, type Budget } from "../context/budget.js";
import { fatbinViews, MAX_TRIED_BYTES, type FatbinView } from "./entries.js";

export interface MemberView {
  readonly name: string;
  /** Byte offset of the member's header in the file. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
  /** The kind of its content; null for a member of a thin archive. */
  readonly kind: FileKind | null;
  /** For a thin archive: the member's file. */
  readonly file?: string;
  /** The fatbins in a fatbin or a host object. */
  readonly fatbins?: readonly FatbinView[];
}

export interface ArchiveView {
  readonly thin: boolean;
  readonly members: readonly MemberView[];
  /** Number of names in the symbol index; null without one. */
  readonly indexedSymbols: number | null;
}

export function archiveView(source: Source, budget: Budget, sink: DiagnosticSink): ArchiveView {
  const archive = openArchive(source);
  const trial = createBudget(MAX_TRIED_BYTES);
  const report = (file: string, { offset, what }: { readonly offset: number; readonly what: string }): void =>
    sink.report("malformed-file", what, { kind: "bytes", file, offset });
  if (archive.fault !== undefined) report(source.name, archive.fault);

  const embedded = (member: Source, kind: FileKind): readonly FatbinView[] => {
    if (!isEmbedding(kind)) return [];
    const fault = (error: { readonly offset: number; readonly what: string }): void => report(member.name, error);
    return fatbinViews(readEmbedded(member, kind), { budget, trial, fault });
  };
  const view = (member: OpenMember): MemberView => {
    const { memberName: name, size, headerOffset: offset, file } = member;
    const read = file === undefined ? member.read() : undefined;
    const known = read === undefined ? null : recognise(read.bytes);
    const kind = known === "ptx" && !hasHeader(read!.bytes) ? "unknown" : known;
    const fatbins = read === undefined || kind === null ? [] : embedded(read, kind);
    return {
      name,
      offset,
      size,
      kind,
      ...(file === undefined ? {} : { file }),
      ...(fatbins.length === 0 ? {} : { fatbins }),
    };
  };

  const members = archive.members.flatMap((member) =>
    budget.spend(150 + 2 * member.memberName.length) ? [view(member)] : [],
  );
  const symbols = archive.symbols();
  if (symbols?.ok === false && archive.fault === undefined) report(source.name, symbols.error);
  return { thin: archive.isThin, members, indexedSymbols: symbols?.ok === true ? symbols.value.length : null };
}
