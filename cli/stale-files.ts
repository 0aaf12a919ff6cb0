// Removes files that killed processes left beside outputs (stage.ts), in the folders where this process writes. A process on
// another machine or in a container is invisible here: its file is stale after an hour; a slower write fails, and the old output
// stays.
// A file's age is measured by the clock of its folder's machine, which is that of a file just written there: on a shared folder,
// local clocks do not count.

import { lstatSync, opendirSync, rmSync } from "node:fs";
import path from "node:path";

/** A unique name for an output's temporary file. */
export const temporaryName = (): string => `.ptxkit-${process.pid}-${process.hrtime.bigint().toString(36)}`;

const form = /^\.ptxkit-(\d+)-[\da-z]+$/;

/** Milliseconds without a write after which a temporary file is stale. */
const STALE_AFTER = 3_600_000;

/** Limit of names examined in a folder: to list a hundred thousand takes longer than to link. */
const MOST_NAMES = 4096;

/**
 * Removes stale files from the folder of a file that was just written, once for each folder: one command may write thousands into
 * one.
 */
export function createStaleFileSweep(): (written: string) => void {
  const swept = new Set<string>();
  return (written) => {
    const folder = path.dirname(written);
    if (swept.has(folder)) return;
    swept.add(folder);
    for (const name of staleFilesIn(folder)) removeOld(path.join(folder, name), written);
  };
}

/** Names of temporary files whose process has ended, as far as this machine can see. */
function staleFilesIn(folder: string): readonly string[] {
  const left: string[] = [];
  try {
    const open = opendirSync(folder, { bufferSize: 512 });
    try {
      for (let i = 0; i < MOST_NAMES; i++) {
        const entry = open.readSync();
        if (entry === null) break;
        const pid = form.exec(entry.name)?.[1];
        if (pid !== undefined && !isRunning(Number(pid))) left.push(entry.name);
      }
    } finally {
      open.closeSync();
    }
  } catch {
    // Nothing is removed from a folder that cannot be listed.
  }
  return left;
}

/** `written`: a file in the same folder. */
function removeOld(file: string, written: string): void {
  try {
    const found = lstatSync(file);
    if (found.isFile() && found.mtimeMs < lstatSync(written).mtimeMs - STALE_AFTER) rmSync(file, { force: true });
  } catch {
    // Another process removed it first, or it belongs to another user.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, too.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
