// The fatbins in a fatbin file or a host file: every entry with what its header says, decompressed once to see whether it can be.

import { entryFlagNames, entryKindName, isScrambled } from "../../formats/fatbin/index.js";
import type { FormatError } from "../../formats/bytes/result.js";
import { readEntry, type EmbeddedCode, type EmbeddedEntry } from "../link/inputs/embedded.js";
import type { Budget } from "./budget.js";
import { named, type Flags, type Named } from "./values.js";

export interface EntryView {
  /** From 1 on, over all fatbins of the file. */
  readonly number: number;
  /** "1.sm_90.ptx": how it is selected, and the file that --extract writes. */
  readonly name: string;
  /** Where it begins, in bytes from the start of the file. */
  readonly offset: number;
  /** "ptx", "cubin", "lto-ir". */
  readonly kind: Named;
  readonly target: string;
  /** Of PTX, or of the cubin format: "9.0". */
  readonly version: string;
  readonly flags: Flags;
  /** fatbinary --ident: mostly the name of a source. */
  readonly identifier?: string;
  /** For ptxas. */
  readonly options?: string;
  readonly compression: "none" | "lz4" | "zstd";
  /** Bytes in the file, and of what they hold. */
  readonly storedSize: number;
  readonly size: number;
  /** Whether it holds that; null where it was not tried. */
  readonly intact: boolean | null;
}

export interface FatbinView {
  /** From 1 on. */
  readonly number: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** Of a host file. */
  readonly section?: string;
  /** nvlink made it of the other fatbins. */
  readonly deviceLinked: boolean;
  readonly entries: readonly EntryView[];
}

/** Bytes that are decompressed to look at, for one file; what comes after is listed and not tried. */
export const MOST_TRIED_BYTES = 16 * 1024 * 1024;

/**
 * Cost of an entry, in characters that an inspection may show: the limit is 50,000 entries, because laying out more takes
 * seconds.
 */
const ENTRY_COST = 2000;

export interface EntryContext {
  readonly budget: Budget;
  /** Bytes that may still be decompressed. */
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
  // An impossible size is refused at once, and costs nothing.
  const cost = Math.min(entry.size, MOST_TRIED_BYTES / 2);
  if (isScrambled(entry) || !context.trial.spend(cost)) return null;
  const read = readEntry(entry);
  if (!read.ok) context.fault(read.error);
  return read.ok;
}
