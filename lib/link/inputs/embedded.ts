// GPU code that nvcc has put into a fatbin, in a file of its own or in a host object: the entries, and the selection of one for a
// target. A fatbin contains one module for several architectures, so exactly one entry is selected: the latest PTX that runs on
// the target (as nvlink does, which then compiles it), or else a ptxkit object, which fatbinary packs as it packs cubins. Machine
// code and LTO-IR are never selected.

import {
  ENTRY_KIND,
  entryKindName,
  readFatbins,
  readHostFatbins,
  readMachOFatbins,
  readPayload,
  readPeFatbins,
} from "../../../formats/fatbin/index.js";
import type { Fatbin, FatbinEntry } from "../../../formats/fatbin/index.js";
import type { FormatError, Result } from "../../../formats/bytes/result.js";
import { ET, readElf, type ElfFile } from "../../../formats/elf/index.js";
import { MH, readMachO } from "../../../formats/macho/index.js";
import { readPe } from "../../../formats/pe/index.js";
import { parseTarget, type Target } from "../../isa/requirement.js";
import { cudaFileKind } from "../../object/file/container.js";
import type { Source } from "../../ptx/source-text.js";
import type { EntryCache } from "./entry-cache.js";
import type { EmbeddingKind } from "./recognise.js";
import { compilesFor, linksInto } from "../model/targets.js";

export interface EmbeddedEntry extends FatbinEntry {
  /** Number from 1 on, over all fatbins of the file. */
  readonly number: number;
  /** "1.sm_90.ptx": unique in the file, and a valid file name. */
  readonly entryName: string;
  /** The name in messages: "a.o(1.sm_90.ptx)". */
  readonly name: string;
}

export interface EmbeddedFatbin {
  /** Offset in the file. */
  readonly offset: number;
  /** Section of a host file that contains it. */
  readonly section?: string;
  /** Whether nvlink made it from the other fatbins of the file; then those are the inputs, and it is not. */
  readonly isDeviceLinked: boolean;
  readonly entries: readonly EmbeddedEntry[];
}

export interface EmbeddedCode {
  /**
   * Whether the file is a program or a shared library: it contains all modules that it was linked with, and none can be omitted.
   */
  readonly isLinked: boolean;
  readonly fatbins: readonly EmbeddedFatbin[];
  readonly faults: readonly FormatError[];
}

/** The fatbins of a fatbin file or of a host file. */
export function readEmbedded({ name, bytes }: Source, kind: EmbeddingKind): EmbeddedCode {
  return readers[kind](name, bytes);
}

const readers: Readonly<Record<EmbeddingKind, (name: string, bytes: Uint8Array) => EmbeddedCode>> = {
  fatbin(name, bytes) {
    const { items, fault } = readFatbins(bytes);
    return { isLinked: false, fatbins: numbered(name, items), faults: fault === undefined ? [] : [fault] };
  },
  "host-elf"(name, bytes) {
    const file = readElf(bytes);
    return file.ok ? embeddedIn(name, file.value) : unreadable(file.error);
  },
  pe(name, bytes) {
    const file = readPe(bytes);
    if (!file.ok) return unreadable(file.error);
    const { fatbins, faults } = readPeFatbins(file.value);
    return { isLinked: file.value.kind !== "object", fatbins: numbered(name, fatbins), faults };
  },
  "mach-o"(name, bytes) {
    const file = readMachO(bytes);
    if (!file.ok) return unreadable(file.error);
    const { fatbins, faults } = readMachOFatbins(file.value);
    const isLinked = file.value.slices.some(({ header }) => header.fileType !== MH.OBJECT);
    return { isLinked, fatbins: numbered(name, fatbins), faults };
  },
};

const unreadable = (error: FormatError): EmbeddedCode => ({ isLinked: false, fatbins: [], faults: [error] });

/** The fatbins of a host file that has been read. */
export function embeddedIn(name: string, file: ElfFile): EmbeddedCode {
  const { fatbins, faults } = readHostFatbins(file);
  return { isLinked: file.header.type !== ET.REL, fatbins: numbered(name, fatbins), faults };
}

interface FoundFatbin extends Fatbin {
  readonly section?: string;
  readonly isDeviceLinked?: boolean;
}

function numbered(file: string, fatbins: readonly FoundFatbin[]): readonly EmbeddedFatbin[] {
  let number = 0;
  return fatbins.map(({ offset, section, isDeviceLinked = false, entries }) => ({
    offset,
    ...(section === undefined ? {} : { section }),
    isDeviceLinked,
    entries: entries.map((entry) => {
      number++;
      const entryName = `${number}.${entry.target}.${kindName(entry)}`;
      return { ...entry, number, entryName, name: `${file}(${entryName})` };
    }),
  }));
}

/** Decompressed bytes of all texts in a fatbin file or a host file. */
export function ptxBytes(file: Source, kind: EmbeddingKind): number {
  return readEmbedded(file, kind)
    .fatbins.flatMap(({ entries }) => entries)
    .reduce((sum, entry) => sum + (entry.kind === ENTRY_KIND.ptx ? entry.size : 0), 0);
}

/** "ptx", "cubin", "lto-ir"; "kind16" for an unknown number. */
export function kindName({ kind }: FatbinEntry): string {
  return entryKindName(kind) ?? `kind${kind}`;
}

/** The fatbins from which a link extracts modules. nvlink's output is excluded: it is machine code of the same modules. */
export function fatbinsToLink(fatbins: readonly EmbeddedFatbin[]): readonly EmbeddedFatbin[] {
  const given = fatbins.filter(({ isDeviceLinked }) => !isDeviceLinked);
  return given.length === 0 ? fatbins : given;
}

/** The decompressed payload of an entry. Offsets of errors count from the start of the surrounding file. */
export function readEntry(entry: EmbeddedEntry, cache?: EntryCache): Result<Source> {
  const known = cache?.get(entry);
  if (known !== undefined) return { ok: true, value: { name: entry.name, bytes: known } };
  const payload = readPayload(entry);
  if (!payload.ok) return payload;
  cache?.set(entry, payload.value);
  return { ok: true, value: { name: entry.name, bytes: payload.value } };
}

/** Limit of the decompressed bytes for a file of `fileSize` bytes. Exceeding it indicates a decompression bomb. */
export function mostExpanded(fileSize: number): number {
  return 16 * 1024 * 1024 + 32 * fileSize;
}

/**
 * Divisor for bytes that are decompressed only to identify a cubin: they count less towards the limit, because libraries contain
 * only machine code.
 */
const IDENTIFICATION_DIVISOR = 8;

function isOwnObject(entry: EmbeddedEntry, expansion: { left: number }): boolean {
  if (entry.kind !== ENTRY_KIND.cubin) return false;
  if (entry.compression !== "none") {
    const left = expansion.left - IDENTIFICATION_DIVISOR * entry.size;
    if (left < 0) return false;
    expansion.left = left;
  }
  const read = readEntry(entry);
  return read.ok && cudaFileKind(read.value.bytes) === "ptxkit";
}

export type Choice =
  | { readonly kind: "chosen"; readonly entry: EmbeddedEntry }
  /** The fatbin has no entries. */
  | { readonly kind: "empty" }
  /** No PTX and no ptxkit object, or none for the target: their targets, and the other kinds. */
  | {
      readonly kind: "none";
      readonly ptx: readonly string[];
      readonly own: readonly string[];
      readonly others: readonly EmbeddedEntry[];
    };

/**
 * Selects an entry; without a target the latest; among equal ones the first. `expansion`: remaining bytes that may be
 * decompressed to identify cubins; a cubin that would exceed it counts as machine code.
 */
export function chooseEntry(
  { entries }: EmbeddedFatbin,
  linkTarget: Target | undefined,
  expansion: { left: number },
): Choice {
  if (entries.length === 0) return { kind: "empty" };
  const ptx = entries.filter(({ kind }) => kind === ENTRY_KIND.ptx);
  let best: { readonly entry: EmbeddedEntry; readonly rank: number } | undefined;
  for (const entry of ptx) {
    const target = parseTarget(entry.target);
    if (target === undefined || (linkTarget !== undefined && !compilesFor(target, linkTarget))) continue;
    // Within one architecture, chip-specific variants rank highest; without a target lowest, because the generic one runs on more
    // chips.
    const specific = { "": 0, f: 1, a: 2 }[target.suffix];
    const rank = 4 * target.sm + (linkTarget === undefined ? -specific : specific);
    if (best === undefined || rank > best.rank) best = { entry, rank };
  }
  if (best !== undefined) return { kind: "chosen", entry: best.entry };
  const own = entries.filter((entry) => isOwnObject(entry, expansion));
  const fitting = own.find(
    ({ target }) => linkTarget === undefined || linksInto(parseTarget(target) ?? linkTarget, linkTarget),
  );
  if (fitting !== undefined) return { kind: "chosen", entry: fitting };
  return {
    kind: "none",
    ptx: ptx.map(({ target }) => target),
    own: own.map(({ target }) => target),
    others: entries.filter((entry) => entry.kind !== ENTRY_KIND.ptx && !own.includes(entry)),
  };
}
