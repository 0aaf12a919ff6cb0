// A cache of decompressed fatbin entries: a member of an archive is read for its names before it is extracted. Stored entries are
// not cached, and the others only up to a limit of the link.

import type { FatbinEntry } from "../../../formats/fatbin/index.js";

/** Of one file. */
export interface EntryCache {
  readonly get: (entry: FatbinEntry) => Uint8Array | undefined;
  readonly set: (entry: FatbinEntry, bytes: Uint8Array) => void;
  /** Whether there is all that was read. */
  readonly isWhole: () => boolean;
  readonly clear: () => void;
}

/** Of all files of a link. */
export interface EntryStore {
  readonly openFile: () => EntryCache;
  readonly clear: () => void;
}

/** Bytes that a link may spare: the texts of some thousand modules. */
const MOST_HELD = 96 * 2 ** 20;

export function createEntryStore(mostHeld = MOST_HELD): EntryStore {
  const files: EntryCache[] = [];
  let left = mostHeld;
  return {
    clear: () => files.forEach((file) => file.clear()),
    openFile() {
      /** By the place of the entry in the file. */
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
