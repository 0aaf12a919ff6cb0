// The fatbins in a fatbin file or a host file: every entry with the fields of its header. Each compressed entry is decompressed
// once to check it.

import { entryFlagNames, entryKindName, isScrambled } from "../../../formats/fatbin/index.js";
import type { FormatError } from "../../../formats/bytes/result.js";
import { readEntry, type EmbeddedCode, type EmbeddedEntry } from "../../link/inputs/embedded.js";
import type { Budget } from "../context/budget.js";
import { named, type Flags, type Named } from "../context/values.js";

export interface EntryView {
  /** Counts from 1 over all fatbins of the file. */
  readonly number: number;
  /** "1.sm_90.ptx": the name for selecting it, and the file that --extract writes. */
  readonly name: string;
  /** Byte offset in the file. */
  readonly offset: number;
  /** "ptx", "cubin", "lto-ir". */
  readonly kind: Named;
  readonly target: string;
  /** Version of PTX or of the cubin format: "9.0". */
  readonly version: string;
  readonly flags: Flags;
  /** The argument of fatbinary --ident: usually the name of a source. */
  readonly identifier?: string;
  /** Options for ptxas. */
  readonly options?: string;
  readonly compression: "none" | "lz4" | "zstd";
  /** Size in the file, and size after decompression, in bytes. */
  readonly storedSize: number;
  readonly size: number;
  /** Whether decompression succeeded; null if it was not tried. */
  readonly intact: boolean | null;
}

export interface FatbinView {
  /** Counts from 1. */
  readonly number: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** The section of a host file. */
  readonly section?: string;
  /** Whether nvlink made it from other fatbins. */
  readonly deviceLinked: boolean;
  readonly entries: readonly EntryView[];
}

/** Limit of bytes that are decompressed to check entries, for one file; further entries are listed unchecked. */
export const MAX_TRIED_BYTES = 16 * 1024 * 1024;

/**
 * Cost of an entry, in characters that an inspection may show. The limit is 50,000 entries, because formatting more takes
 * seconds.
 */
const ENTRY_COST = 2000;

export interface EntryContext {
  readonly budget: Budget;
  /** Remaining budget of bytes to decompress. */
  readonly trial: Budget;
  fault(error: FormatError): void;
}

export function fatbinViews({ fatbins, faults }: EmbeddedCode, context: EntryContext): readonly FatbinView[] {
  for (const fault of faults) context.fault(fault);
  return fatbins.flatMap(({ offset, section, isDeviceLinked, entries }, i) => {
    if (!context.budget.spend(ENTRY_COST)) return [];
    const shown = entries.flatMap((entry) => (context.budget.spend(ENTRY_COST) ? [entryView(entry, context)] : []));
    const where = section === undefined ? {} : { section };
    return [{ number: i + 1, offset, ...where, deviceLinked: isDeviceLinked, entries: shown }];
  });
}

function entryView(entry: EmbeddedEntry, context: EntryContext): EntryView {
  const { number, entryName, offset, kind, target, version, flags, identifier, options, compression } = entry;
  return {
    number,
    name: entryName,
    offset,
    kind: named(entryKindName(kind), kind),
    target,
    version: `${version.major}.${version.minor}`,
    flags: { flags: entryFlagNames(flags), rawFlags: flags },
    ...(identifier === undefined ? {} : { identifier }),
    ...(options === undefined ? {} : { options }),
    compression,
    storedSize: entry.stored.length,
    size: entry.size,
    intact: isIntact(entry, context),
  };
}

/** Decompresses a compressed entry, within the limit. */
function isIntact(entry: EmbeddedEntry, context: EntryContext): boolean | null {
  if (entry.compression === "none") return true;
  // An impossible size is rejected at once, and costs nothing.
  const cost = Math.min(entry.size, MAX_TRIED_BYTES / 2);
  if (isScrambled(entry) || !context.trial.spend(cost)) return null;
  const read = readEntry(entry);
  if (!read.ok) context.fault(read.error);
  return read.ok;
}
