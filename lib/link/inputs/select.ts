// Selects the contents of a container by name: a member of an archive, an entry of a fatbin or of a host file.

import type { DiagnosticSink } from "../../diag/sink.js";
import type { Source } from "../../ptx/source-text.js";
import { openArchive, type ReadFile } from "./archive.js";
import { readEmbedded, readEntry, type EmbeddedEntry } from "./embedded.js";
import { isEmbedding, kindOf, kindText, type EmbeddingKind } from "./recognise.js";

/**
 * The member of that name, or the entry: by name ("1.sm_90.ptx"), by number, or by the end of a name if that is unique
 * ("sm_90.ptx"). Undefined if there is none, which is reported.
 */
export function selectInside(
  source: Source,
  selector: string,
  sink: DiagnosticSink,
  readFile?: ReadFile,
): Source | undefined {
  const place = { kind: "bytes", file: source.name, offset: 0 } as const;
  const kind = kindOf(source);
  const nothing = (names: readonly string[]): undefined => {
    const shown = names.slice(0, MAX_NAMES).join(", ") + (names.length > MAX_NAMES ? ", ..." : "");
    const held = names.length === 0 ? "it holds nothing" : `it holds ${shown}`;
    sink.report(
      "no-such-member",
      `there is no ${selector} in ${source.name}: ${held}`,
      place,
      names.length === 0 ? {} : { remedy: REMEDY },
    );
  };
  if (kind === "archive") {
    const { members } = openArchive(source, readFile);
    const member = members.find(({ memberName }) => memberName === selector) ?? members[positionOf(selector)];
    return member === undefined ? nothing(members.map(({ memberName }) => memberName)) : member.read();
  }
  if (!isEmbedding(kind)) {
    sink.report(
      "no-such-member",
      `${source.name} is ${kind === "ptx" ? "PTX text" : kindText(kind)}: nothing is inside`,
      place,
      { remedy: `give it by its own name: ${source.name}` },
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

const REMEDY = "give one of these names, or a number that counts them from 1; ptxkit inspect lists all";

/** Limit of the names that a message lists. */
const MAX_NAMES = 12;

/** The index for a number from 1 on; -1 for anything else. */
const positionOf = (selector: string): number => (/^[1-9]\d{0,8}$/.test(selector) ? Number(selector) - 1 : -1);

function entriesOf(source: Source, kind: EmbeddingKind): readonly EmbeddedEntry[] {
  return readEmbedded(source, kind).fatbins.flatMap(({ entries }) => entries);
}
