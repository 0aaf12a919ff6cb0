// What is inside a container, by name: a member of an archive, an entry of a fatbin or of a host file; and everything in it
// that is a module or machine code, for taking out.

import { isScrambled } from "../../formats/fatbin/index.js";
import type { DiagnosticSink } from "../diag/sink.js";
import { openArchive, type ReadFile } from "../link/archive.js";
import { mostExpanded, readEmbedded, readEntry, type EmbeddedEntry } from "../link/embedded.js";
import { kindText, recognise } from "../link/recognise.js";
import type { Source } from "../ptx/tree.js";

/** `lib.a(scale.o)(1.sm_90.ptx)` apart: the file, and what is selected in it, from outside to inside. */
export function splitSelectors(name: string): { readonly file: string; readonly selectors: readonly string[] } {
  const match = /^(.+?)((?:\([^()]+\))+)$/.exec(name);
  if (match === null) return { file: name, selectors: [] };
  return { file: match[1]!, selectors: match[2]!.slice(1, -1).split(")(") };
}

/**
 * The member of that name, or the entry: by its name ("1.sm_90.ptx"), its number or the end of its name where only one has that
 * ("sm_90.ptx"). Undefined after a report.
 */
export function selectInside(
  source: Source,
  selector: string,
  sink: DiagnosticSink,
  readFile?: ReadFile,
): Source | undefined {
  const place = { kind: "bytes", file: source.name, offset: 0 } as const;
  const kind = recognise(source.bytes);
  const nothing = (names: readonly string[], remedy?: string): undefined => {
    const shown = names.slice(0, MOST_NAMES).join(", ") + (names.length > MOST_NAMES ? ", ..." : "");
    const held = names.length === 0 ? "it holds nothing" : `it holds ${shown}`;
    sink.report(
      "no-such-member",
      `there is no ${selector} in ${source.name}: ${held}`,
      place,
      remedy ? { remedy } : {},
    );
  };
  if (kind === "archive") {
    const { members } = openArchive(source, readFile);
    const member = members.find(({ memberName }) => memberName === selector) ?? members[positionOf(selector)];
    return member === undefined ? nothing(members.map(({ memberName }) => memberName)) : member.read();
  }
  if (kind !== "fatbin" && kind !== "host-elf") {
    sink.report(
      "no-such-member",
      `${source.name} is ${kind === "ptx" ? "PTX text" : kindText(kind)}: nothing is inside`,
      place,
    );
    return undefined;
  }
  const entries = entriesOf(source, kind);
  const exact = entries.find(({ entryName }) => entryName === selector) ?? entries[positionOf(selector)];
  const ending = entries.filter(({ entryName }) => entryName.endsWith(`.${selector}`));
  const entry = exact ?? (ending.length === 1 ? ending[0] : undefined);
  if (entry === undefined) return nothing(entries.map(({ entryName }) => entryName));
  const read = readEntry(entry);
  if (read.ok) return read.value;
  sink.report("malformed-file", read.error.what, { ...place, offset: read.error.offset });
  return undefined;
}

/** Names that a message lists. */
const MOST_NAMES = 12;

/** Of a number from 1 on; -1 for anything else. */
const positionOf = (selector: string): number => (/^[1-9]\d{0,8}$/.test(selector) ? Number(selector) - 1 : -1);

function entriesOf(source: Source, kind: "fatbin" | "host-elf"): readonly EmbeddedEntry[] {
  return readEmbedded(source, kind).fatbins.flatMap(({ entries }) => entries);
}

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
  if (prefix !== "" && (kind === "ptx" || kind === "cubin" || kind === "ptxkit"))
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
