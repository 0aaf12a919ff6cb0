// --stats: the amount of data that a link has read and written. Counts are of the inputs, before anything is resolved or dropped.

import type { ObjectFile } from "../../object/object.js";
import type { ObjectCounts } from "../state/results.js";

export interface LinkStats extends ObjectCounts {
  /** Number of distinct files, without response files. */
  readonly files: number;
  /** Bytes of those files. */
  readonly bytesRead: number;
  /** Bytes of the output. */
  readonly bytesWritten: number;
  /** Peak memory of the process in bytes. */
  readonly peakMemory: number;
}

export interface LinkTraffic extends Pick<LinkStats, "bytesWritten" | "peakMemory"> {
  /** Reads in order; a file may be read again. */
  readonly reads: readonly { readonly file: string; readonly size: number }[];
}

export function linkStats(counts: ObjectCounts, { reads, ...rest }: LinkTraffic): LinkStats {
  const files = new Map(reads.map(({ file, size }) => [file, size]));
  return {
    files: files.size,
    bytesRead: [...files.values()].reduce((sum, bytes) => sum + bytes, 0),
    ...counts,
    ...rest,
  };
}

export function countObjects(objects: readonly ObjectFile[]): ObjectCounts {
  const total = (countOf: (object: ObjectFile) => number): number =>
    objects.reduce((sum, object) => sum + countOf(object), 0);
  return {
    objects: objects.length,
    modules: total(({ modules }) => modules.length),
    sections: total(({ sections }) => sections.length),
    symbols: total(({ symbols }) => symbols.length),
    relocations: total(({ sections }) => sections.reduce((sum, { relocations }) => sum + relocations.length, 0)),
  };
}
