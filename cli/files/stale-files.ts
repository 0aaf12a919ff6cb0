// Removes temporary files that killed processes left next to outputs (stage.ts), in the folders where this process writes.
// Processes on another machine or in a container are invisible here, so such a file is stale after an hour. A slower write fails,
// and the old output stays.
// A file's age is measured by the clock of its folder's machine, taken from the file that was just written there: on a shared
// folder, local clocks may differ.

import { lstatSync, opendirSync, rmSync } from "node:fs";
import path from "node:path";

/** A unique name for an output's temporary file. */
export const temporaryName = (): string => `.ptxkit-${process.pid}-${process.hrtime.bigint().toString(36)}`;

const form = /^\.ptxkit-(\d+)-[\da-z]+$/;

/** Milliseconds without a write after which a temporary file is stale. */
const STALE_AFTER = 3_600_000;

/** Limit of names examined in a folder: listing a hundred thousand takes longer than linking. */
const MAX_NAMES = 4096;

/**
 * Creates a function that removes stale files from the folder of a file that was just written. It examines each folder once,
 * because one command may write thousands of files into one.
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
      for (let i = 0; i < MAX_NAMES; i++) {
        const entry = open.readSync();
        if (entry === null) break;
        const pid = form.exec(entry.name)?.[1];
        if (pid !== undefined && !isRunning(Number(pid))) left.push(entry.name);
      }
    } finally {
      open.closeSync();
    }
  } catch {
    // A folder that cannot be listed keeps its files.
  }
  return left;
}

/** Removes a file if it is stale. `written`: a file just written in the same folder, whose time is the current time there. */
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
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
