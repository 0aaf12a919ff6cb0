// Archives of a program's files, for bench/link.ts: made once in its folder. Returns the command-line words that name them.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { writeArchive } from "../formats/ar/index.js";

const MEMBERS = 5;

export const archivings = {
  /** One archive with all files, which is linked completely. */
  whole: (files, folder) => ["--whole-archive", archiveOf(files, folder, "whole")],
  /** The first file, which needs nearly all others, directly or not, and an archive with all. */
  needed: (files, folder) => [files[0]!, archiveOf(files, folder, "needed")],
  /** The first file, and libraries of a few files each. */
  libraries(files, folder) {
    const count = Math.ceil(files.length / MEMBERS);
    const groups = Array.from({ length: count }, (_, i) => files.slice(MEMBERS * i, MEMBERS * (i + 1)));
    return [
      files[0]!,
      "-L",
      folder,
      ...groups.map((group, i) => `-l:${basename(archiveOf(group, folder, `few${i}`))}`),
    ];
  },
} as const satisfies Readonly<Record<string, (files: readonly string[], folder: string) => readonly string[]>>;

/** Makes an archive of objects or of texts. */
function archiveOf(files: readonly string[], folder: string, name: string): string {
  const path = join(folder, `${name}${/\.\w+$/.exec(files[0]!)![0]}.a`);
  if (!existsSync(path))
    writeFileSync(path, writeArchive(files.map((file) => ({ name: basename(file), data: readFileSync(file) }))));
  return path;
}
