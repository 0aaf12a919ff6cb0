// Files that appear whole or not at all. The new one stands beside the old one until it is whole, then takes its place in one
// step. Through a link, the file that it names is replaced; what is no regular file (a device, a pipe) cannot be replaced and
// is written to. A signal that ends the program takes what stands beside along; only one that cannot be caught leaves it.

import { closeSync, fchmodSync, openSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { StagedFile } from "./host.js";
import { writeAll } from "./stream.js";

type Stage = (file: string, bytes: Uint8Array | string) => StagedFile;

/** Signals that end a program which does nothing about them. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What the function returned throws, is of node:fs. */
export function createStage(): Stage {
  const waiting = new Set<string>();
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
    // A signal that has come in the meantime is told before that.
    if (waiting.size === 0) setImmediate(() => (waiting.size === 0 ? unwatch() : undefined));
  };
  return (file, bytes) => {
    const open = descriptorOf(file);
    if (open !== undefined) return stream(() => writeAll(open, bytes));
    const existing = statSync(file, { throwIfNoEntry: false });
    if (existing?.isFile() === false) return stream(() => writeFileSync(file, bytes));
    const target = existing === undefined ? file : realpathSync(file);
    // A name that no other process makes at this time; a file that has it all the same is not touched ("x").
    const beside = path.join(path.dirname(target), `.ptxkit-${process.pid}-${process.hrtime.bigint().toString(36)}`);
    watch();
    waiting.add(beside);
    const discard = (): void => {
      if (!waiting.has(beside)) return;
      rmSync(beside, { force: true });
      forget(beside);
    };
    try {
      const descriptor = openSync(beside, "wx");
      try {
        writeFileSync(descriptor, bytes);
        if (existing !== undefined) fchmodSync(descriptor, existing.mode & 0o777);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      discard();
      throw error;
    }
    const commit = (): void => {
      renameSync(beside, target);
      forget(beside);
    };
    return { isStream: false, commit, discard };
  };
}

/** Of a name for what this process has open: replaced, it would not be what the others have who share it. */
function descriptorOf(file: string): number | undefined {
  if (file === "-" || file === "/dev/stdout") return 1;
  if (file === "/dev/stderr") return 2;
  const match = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(file);
  return match === null ? undefined : Number(match[1]);
}

const stream = (commit: () => void): StagedFile => ({ isStream: true, commit, discard: () => {} });
