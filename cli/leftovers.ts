// Takes away what processes left that were killed while they wrote: files beside outputs (stage.ts), in the folders where this
// process writes. Whose process runs where this one cannot see it (another machine, a container) has an hour; should it take
// longer, it fails, and its old file stays. How old a file is, is told by the clock that its folder's machine has, which is
// that of a file just written there: of a folder that machines share, it is none of theirs.

import { lstatSync, opendirSync, rmSync } from "node:fs";
import path from "node:path";

/** A name that no other process makes at this time, for what stands beside an output until it is whole. */
export const nameBeside = (): string => `.ptxkit-${process.pid}-${process.hrtime.bigint().toString(36)}`;

const form = /^\.ptxkit-(\d+)-[\da-z]+$/;

/** Milliseconds that nobody has written to a file for who is still about to put it somewhere. */
const FORGOTTEN = 3_600_000;

/** Names of a folder that are looked at: to list a hundred thousand takes longer than to link. */
const MOST_NAMES = 4096;

/** Sweeps the folder of a file that was just written, once for each folder: one command may write thousands into one. */
export function createSweep(): (written: string) => void {
  const swept = new Set<string>();
  return (written) => {
    const folder = path.dirname(written);
    if (swept.has(folder)) return;
    swept.add(folder);
    for (const name of leftIn(folder)) removeOld(path.join(folder, name), written);
  };
}

/** Names of files whose process is gone, as far as this one can see. */
function leftIn(folder: string): readonly string[] {
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
    // A folder that cannot be listed owes nothing.
  }
  return left;
}

/** `written`: a file beside it. */
function removeOld(file: string, written: string): void {
  try {
    const found = lstatSync(file);
    if (found.isFile() && found.mtimeMs < lstatSync(written).mtimeMs - FORGOTTEN) rmSync(file, { force: true });
  } catch {
    // Another process was faster, or it is another user's.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of another user's is there, too.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
