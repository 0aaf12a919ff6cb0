// Writes files that appear completely or not at all. The new file is written next to the old one and then replaces it in one
// step. The target of a symbolic link is replaced; a device or a pipe cannot be replaced and is written to.
// A signal that ends the program removes the temporary file. If the signal cannot be caught, stale-files.ts removes it at the
// next write to that folder an hour later or more. Rejected: files without a name (O_TMPFILE), because node:fs cannot name them;
// one name for all, because two processes would write to one file.

import {
  closeSync,
  fchmodSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writevSync,
} from "node:fs";
import path from "node:path";
import { createStaleFileSweep, temporaryName } from "./stale-files.js";
import { bytesOf, writeAll, type Contents } from "./stream.js";

/** A new file that waits next to the old one, or bytes for a stream. */
export interface StagedFile {
  /** Whether the output is a stream, pipe or device, where writing cannot be undone. */
  readonly isStream: boolean;
  /** Replaces the old file. Throws HostError. */
  commit(): void;
  /** Removes the new file and keeps the old one; no effect after commit. */
  discard(): void;
}

type Stage = (file: string, contents: Contents) => StagedFile;

/** Signals whose default action ends the process. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Creates the function that stages files; it throws errors of node:fs. */
export function createStage(): Stage {
  const waiting = new Set<string>();
  const sweep = createStaleFileSweep();
  let isWatching = false;
  const end = (signal: NodeJS.Signals): void => {
    for (const beside of waiting) rmSync(beside, { force: true });
    unwatch();
    process.kill(process.pid, signal);
  };
  const watch = (): void => {
    if (isWatching) return;
    isWatching = true;
    for (const signal of endings) process.on(signal, end);
  };
  const unwatch = (): void => {
    isWatching = false;
    for (const signal of endings) process.off(signal, end);
  };
  const forget = (beside: string): void => {
    waiting.delete(beside);
    // Node may deliver a signal that arrived during the write only after its next poll, so wait two turns before unwatching.
    if (waiting.size === 0) setImmediate(() => setImmediate(() => (waiting.size === 0 ? unwatch() : undefined)));
  };
  return (file, contents) => {
    const open = descriptorOf(file);
    if (open !== undefined)
      return stream(() => {
        for (const part of bytesOf(contents)) writeAll(open, part);
      });
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing?.isFile() === false) return stream(() => writeTo(file, "w", contents));
    const target = existing === undefined ? newPlace(file) : realpathSync(file);
    // The flag "x" keeps an existing file of that name.
    const beside = path.join(path.dirname(target), temporaryName());
    watch();
    waiting.add(beside);
    const discard = (): void => {
      if (!waiting.has(beside)) return;
      rmSync(beside, { force: true });
      forget(beside);
    };
    try {
      writeTo(beside, "wx", contents, existing?.mode);
    } catch (error) {
      discard();
      throw error;
    }
    const commit = (): void => {
      renameSync(beside, target);
      forget(beside);
      sweep(target);
    };
    return { isStream: false, commit, discard };
  };
}

/** The path at which a missing file is created; `file` may be a dangling symbolic link to it. */
function newPlace(file: string): string {
  let at = file;
  // The loop ends: the file system has rejected cycles of links before.
  while (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    at = path.resolve(realpathSync(path.dirname(at)), readlinkSync(at));
  return at;
}

/**
 * The open descriptor of this process that a name denotes. It is written to, because replacing the file would not reach other
 * holders of the descriptor.
 */
function descriptorOf(file: string): number | undefined {
  if (file === "-" || file === "/dev/stdout") return 1;
  if (file === "/dev/stderr") return 2;
  const match = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(file);
  return match === null ? undefined : Number(match[1]);
}

/** Opens a file and writes to it. `mode`: its permissions, if not the default. */
function writeTo(file: string, flags: "w" | "wx", contents: Contents, mode?: number): void {
  const descriptor = openSync(file, flags);
  try {
    for (const batch of batchesOf(contents)) {
      const written = writevSync(descriptor, batch);
      // The system may write only a part of a large batch, or on a nearly full disk. Retry until all is written or an error
      // explains why not.
      if (written < byteCount(batch)) writeFileSync(descriptor, Buffer.concat(batch).subarray(written));
    }
    if (mode !== undefined) fchmodSync(descriptor, mode & 0o777);
  } finally {
    closeSync(descriptor);
  }
}

/** Limits of one write: number of parts, and bytes, as Linux allows. */
const BATCH = 1024;
const BATCH_BYTES = 2 ** 30;

function* batchesOf(contents: Contents): Generator<readonly Uint8Array[], void, undefined> {
  let batch: Uint8Array[] = [];
  let left = BATCH_BYTES;
  for (const part of piecesOf(contents)) {
    if (part.length > left) {
      yield batch;
      batch = [];
      left = BATCH_BYTES;
    }
    batch.push(part);
    left -= part.length;
    // Text comes in large parts; each is written before the next is made.
    if (batch.length < BATCH && contents instanceof Array) continue;
    yield batch;
    batch = [];
    left = BATCH_BYTES;
  }
  if (batch.length > 0) yield batch;
}

/** The parts of the contents, split so that none is larger than a batch. */
function* piecesOf(contents: Contents): Generator<Uint8Array, void, undefined> {
  for (const part of bytesOf(contents)) {
    if (part.length <= BATCH_BYTES) yield part;
    else
      for (let at = 0; at < part.length; at += BATCH_BYTES)
        yield part.subarray(at, Math.min(at + BATCH_BYTES, part.length));
  }
}

const byteCount = (parts: readonly Uint8Array[]): number => parts.reduce((sum, { length }) => sum + length, 0);

const stream = (commit: () => void): StagedFile => ({ isStream: true, commit, discard: () => {} });
