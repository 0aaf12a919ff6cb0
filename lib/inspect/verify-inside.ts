// inspect --verify of what a file contains: members of an archive, and what fatbins in a fatbin file or a host file embed. Each
// ELF file among them is held against the rules of its own kind; offsets in messages count from its start.

import { isScrambled } from "../../formats/fatbin/index.js";
import { readElf, type ElfFile } from "../../formats/elf/index.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { openArchive, type ReadFile } from "../link/inputs/archive.js";
import { mostExpanded, readEmbedded, readEntry } from "../link/inputs/embedded.js";
import { recognise, type FileKind } from "../link/inputs/recognise.js";
import type { Source } from "../ptx/tree.js";
import { createDemangler } from "./demangler.js";
import { createElfContext } from "./elf-context.js";
import { verify, type Verification } from "./verify.js";

export interface VerifiedElement {
  /** As messages name it: "lib.a(scale.o)(1.sm_90.cubin)". */
  readonly name: string;
  /** Null for what cannot be read. */
  readonly kind: FileKind | null;
  /** Null for what has no rules: PTX text, which `ptxkit check` verifies, LTO-IR, and what is damaged. */
  readonly verification: Verification | null;
  /** Points on which the elfy package reads it otherwise; where that was asked. */
  readonly crossCheck?: readonly string[];
}

export interface VerifyOptions {
  /** Reads the members of a thin archive. */
  readonly readFile?: ReadFile | undefined;
  readonly witness?: ((bytes: Uint8Array, file: ElfFile) => readonly string[]) | undefined;
}

/** Everything inside an archive, a fatbin or a host file, each element verified. */
export function verifyInside(
  source: Source,
  sink: DiagnosticSink,
  options: VerifyOptions = {},
): readonly VerifiedElement[] {
  const expansion = { left: mostExpanded(source.bytes.length) };
  return [...elementsOf(source, { sink, expansion, ...options })].map(({ name, bytes, kind }) => {
    const isElf = bytes !== undefined && (kind === "ptxkit" || kind === "cubin" || kind === "host-elf");
    if (!isElf) return { name, kind, verification: null };
    const read = readElf(bytes);
    if (!read.ok) {
      sink.report("malformed-file", read.error.what, { kind: "bytes", file: name, offset: read.error.offset });
      return { name, kind, verification: null };
    }
    const context = createElfContext(read.value, name, sink, createDemangler(undefined));
    const verification = verify({ ...context, bytes }, sink);
    return {
      name,
      kind,
      verification,
      ...(options.witness === undefined ? {} : { crossCheck: options.witness(bytes, read.value) }),
    };
  });
}

interface Element {
  readonly name: string;
  readonly kind: FileKind | null;
  readonly bytes?: Uint8Array;
}

interface Walk extends VerifyOptions {
  readonly sink: DiagnosticSink;
  /** Bytes that may still be decompressed. */
  readonly expansion: { left: number };
}

/** What is in a file, depth first; an archive in an archive stays closed, as for the linker. */
function* elementsOf(source: Source, walk: Walk, isMember = false): Generator<Element> {
  const { sink, readFile, expansion } = walk;
  const report = (offset: number, what: string): void =>
    sink.report("malformed-file", what, { kind: "bytes", file: source.name, offset });
  const kind = recognise(source.bytes);
  if (kind === "archive" && !isMember) {
    const { members, fault } = openArchive(source, readFile);
    if (fault !== undefined) report(fault.offset, fault.what);
    for (const member of members) {
      const inner = member.read();
      if (inner === undefined) {
        yield { name: member.name, kind: null };
        continue;
      }
      yield { ...inner, kind: recognise(inner.bytes) };
      yield* elementsOf(inner, walk, true);
    }
    return;
  }
  if (kind !== "fatbin" && kind !== "host-elf") return;
  const { fatbins, faults } = readEmbedded(source, kind);
  for (const { offset, what } of faults) report(offset, what);
  for (const entry of fatbins.flatMap(({ entries }) => entries)) {
    if (isScrambled(entry)) {
      yield { name: entry.name, kind: "lto-ir" };
      continue;
    }
    expansion.left -= entry.size;
    if (expansion.left < 0)
      return report(entry.offset, `${entry.size} bytes make more in all than a file of this size may hold`);
    const read = readEntry(entry);
    if (!read.ok) {
      report(read.error.offset, `${entry.entryName}: ${read.error.what}`);
      yield { name: entry.name, kind: null };
    } else yield { name: entry.name, kind: recognise(read.value.bytes), bytes: read.value.bytes };
  }
}
