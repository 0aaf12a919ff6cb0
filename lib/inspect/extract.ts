// Everything in a container that is a module or machine code, for taking out.

import { isScrambled } from "../../formats/fatbin/index.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { openArchive, type ReadFile } from "../link/inputs/archive.js";
import { mostExpanded, readEmbedded, readEntry } from "../link/inputs/embedded.js";
import { isModule, recognise } from "../link/inputs/recognise.js";
import type { Source } from "../ptx/tree.js";

export interface ExtractedFile {
  /** Letters, digits, and `._+-`; unlike all others. */
  readonly name: string;
  /** Undefined for what only NVIDIA's tools read (compressed LTO-IR). */
  readonly bytes: Uint8Array | undefined;
}

/**
 * The PTX and machine code in a container, each with a name for its file: "1.sm_90.ptx"; of a member of an archive
 * "scale.o.1.sm_90.ptx", or the member's own name. What cannot be read is reported. One at a time: together they may not fit
 * into memory.
 */
export function* extractInside(source: Source, sink: DiagnosticSink, readFile?: ReadFile): Generator<ExtractedFile> {
  const taken = new Set<string>();
  const nameFile = (name: string): string => {
    const safe = safeName(name);
    let unique = safe;
    for (let i = 2; taken.has(unique); i++) unique = `${i}-${safe}`;
    taken.add(unique);
    return unique;
  };
  yield* extract(source, "", { sink, nameFile, readFile, expansion: { left: mostExpanded(source.bytes.length) } });
}

interface Extraction {
  readonly sink: DiagnosticSink;
  readonly nameFile: (name: string) => string;
  readonly readFile: ReadFile | undefined;
  /** Bytes that may still be decompressed. */
  readonly expansion: { left: number };
}

function* extract(source: Source, prefix: string, extraction: Extraction): Generator<ExtractedFile> {
  const { sink, nameFile, readFile, expansion } = extraction;
  const report = (offset: number, what: string): void =>
    sink.report("malformed-file", what, { kind: "bytes", file: source.name, offset });
  const kind = recognise(source.bytes);
  if (kind === "archive" && prefix === "") {
    const { members, fault } = openArchive(source, readFile);
    if (fault !== undefined) report(fault.offset, fault.what);
    for (const member of members) {
      const inner = member.read();
      if (inner !== undefined) yield* extract(inner, member.memberName, extraction);
    }
    return;
  }
  if (prefix !== "" && (isModule(kind) || kind === "cubin" || kind === "ptxkit"))
    yield { name: nameFile(prefix), bytes: source.bytes };
  if (kind !== "fatbin" && kind !== "host-elf") return;
  const { fatbins, faults } = readEmbedded(source, kind);
  for (const { offset, what } of faults) report(offset, what);
  for (const entry of fatbins.flatMap(({ entries }) => entries)) {
    const name = prefix === "" ? entry.entryName : `${prefix}.${entry.entryName}`;
    if (isScrambled(entry)) {
      yield { name: nameFile(name), bytes: undefined };
      continue;
    }
    expansion.left -= entry.size;
    if (expansion.left < 0)
      return report(entry.offset, `${entry.size} bytes make more in all than a file of this size may hold`);
    const read = readEntry(entry);
    if (read.ok) yield { name: nameFile(name), bytes: read.value.bytes };
    else report(read.error.offset, `${entry.entryName}: ${read.error.what}`);
  }
}

/** A name that stays in its folder on every system, whatever the container says. */
function safeName(name: string): string {
  const plain = name.replaceAll(/[^\w.+-]+/g, "_").replace(/^[.-]+/, "_");
  return plain.slice(-120) || "_";
}
