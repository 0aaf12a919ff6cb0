// A cache of decompressed fatbin entries: a member of an archive is read for its names before it is extracted. Uncompressed
// entries are not cached, and others only up to a limit for the link.

import type { FatbinEntry } from "../../../formats/fatbin/index.js";

/** The cache for one file. */
export interface EntryCache {
  readonly get: (entry: FatbinEntry) => Uint8Array | undefined;
  readonly set: (entry: FatbinEntry, bytes: Uint8Array) => void;
  /** Whether all entries that were read are cached. */
  readonly isWhole: () => boolean;
  readonly clear: () => void;
}

/** The cache for all files of a link. */
export interface EntryStore {
  readonly openFile: () => EntryCache;
  readonly clear: () => void;
}

/** Limit in bytes for a link: the texts of some thousand modules. */
const MAX_HELD = 96 * 2 ** 20;

export function createEntryStore(mostHeld = MAX_HELD): EntryStore {
  const files: EntryCache[] = [];
  let left = mostHeld;
  return {
    clear: () => files.forEach((file) => file.clear()),
    openFile() {
      /** Decompressed bytes by the entry's offset in the file. */
      const held = new Map<number, Uint8Array>();
      let isWhole = true;
      const file: EntryCache = {
        isWhole: () => isWhole,
        get: ({ offset }) => held.get(offset),
        set({ offset, compression }, bytes) {
          if (compression === "none") return;
          isWhole &&= bytes.length <= left;
          if (!isWhole) return;
          left -= bytes.length;
          held.set(offset, bytes);
        },
        clear() {
          for (const { length } of held.values()) left += length;
          held.clear();
        },
      };
      files.push(file);
      return file;
    },
  };
}
