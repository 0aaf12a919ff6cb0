// An archive as the linker sees it: members by name, each read on demand, and the symbol index. A thin archive's members are
// separate files, which the caller reads. `ar` flattens an archive in a thin archive: its members are identified by their offset
// in that file. An archive inside an ordinary archive is not opened, as in GNU ld.

import { readArchive, readSymbolIndex, type Archive, type IndexedSymbol } from "../../../formats/ar/index.js";
import type { FormatError, Result } from "../../../formats/bytes/result.js";
import { rereadableSource } from "../../ptx/rereadable-source.js";
import type { Source, RereadableText } from "../../ptx/source-text.js";

/**
 * Reads a file that a thin archive names, relative to the current folder; undefined if that fails, which is reported. A large
 * source may be freed when it is assembled.
 */
export type ReadFile = (name: string, archive: string) => Uint8Array | RereadableText | undefined;

/** A member of an archive, read on demand. */
export interface OpenMember {
  /** The name in messages: "lib.a(member.o)". */
  readonly name: string;
  /** The name inside the archive: "member.o". */
  readonly memberName: string;
  /** Size in bytes. */
  readonly size: number;
  /** Offset of its header in the archive. */
  readonly headerOffset: number;
  /** For a thin archive: the file that contains the member. */
  readonly file?: string;
  /** Its bytes, under its name; undefined if `ReadFile` has failed or there is none. */
  readonly read: () => Source | undefined;
}

/** An archive with its members by name. */
export interface OpenArchive {
  readonly isThin: boolean;
  /** In the order of the file. Names may repeat. */
  readonly members: readonly OpenMember[];
  /** The first damage; members before it are available. */
  readonly fault?: FormatError;
  /**
   * The symbol index: defined names with positions in `members`; undefined without an index. nvcc's objects are indexed by host
   * symbols only.
   */
  readonly symbols: () => Result<readonly IndexedSymbol[]> | undefined;
}

/** Opens an archive: reads its headers, but no member. `readFile` is needed for thin archives. */
export function openArchive(source: Source, readFile: ReadFile = () => undefined): OpenArchive {
  const archive = readArchive(source.bytes);
  const folder = source.name.slice(0, source.name.lastIndexOf("/") + 1);
  const nested = new Map<string, Archive | undefined>();
  const nestedArchive = (file: string): Archive | undefined => {
    if (!nested.has(file)) {
      const found = named(file, readFile(file, source.name));
      nested.set(file, found && readArchive(found.bytes));
    }
    return nested.get(file);
  };
  const members = archive.items.map(({ name, size, headerOffset, offset, data, nestedOffset }): OpenMember => {
    const place = { size, headerOffset };
    const again = source.deferredTexts?.get(offset);
    if (again !== undefined) return openMember(source.name, name, place, (full) => rereadableSource(full, again));
    if (data !== undefined) return openMember(source.name, name, place, (full) => ({ name: full, bytes: data }));
    const file = name.startsWith("/") ? name : folder + name;
    if (nestedOffset === undefined)
      return { ...openMember(source.name, name, place, (full) => named(full, readFile(file, source.name))), file };
    const inner = nestedArchive(file)?.items.find((member) => member.headerOffset === nestedOffset);
    const innerName = inner?.name ?? `${name}:${nestedOffset}`;
    return { ...openMember(source.name, innerName, place, (full) => named(full, inner?.data)), file };
  });
  return {
    isThin: archive.isThin,
    members,
    ...(archive.fault === undefined ? {} : { fault: archive.fault }),
    symbols: () => readSymbolIndex(archive),
  };
}

function openMember(
  archive: string,
  memberName: string,
  place: Pick<OpenMember, "size" | "headerOffset">,
  read: (name: string) => Source | undefined,
): OpenMember {
  const name = `${archive}(${memberName})`;
  return { name, memberName, ...place, read: () => read(name) };
}

function named(name: string, found: Uint8Array | RereadableText | undefined): Source | undefined {
  return found instanceof Uint8Array ? { name, bytes: found } : found && rereadableSource(name, found);
}
