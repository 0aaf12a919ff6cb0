// Several output files of one command: all of them appear, or none. Each is written beside the old one until the last is whole.

import path from "node:path";
import type { Host } from "./host.js";
import type { StagedFile } from "./stage.js";
import { UsageError } from "./status.js";

export interface Outputs {
  /** A host whose writes wait for `commit`; `discard` removes its new folders too. */
  readonly host: Host;
  /**
   * Writes a file that may turn out wrong while it is made; `isRight` decides after the last part. It appears after all others.
   * Returns the bytes written, or false, and then writes no file. Each part is requested after the one before is written. Throws
   * HostError.
   */
  tryLast(file: string, contents: Iterable<Uint8Array>, isRight: () => boolean): number | false;
  /** Lets everything appear, in the order of writing; what cannot be taken back before. Throws HostError. */
  commit(): void;
  /** Drops what waits. */
  discard(): void;
}

export function openOutputs(host: Host): Outputs {
  const staged: StagedFile[] = [];
  const folders: (() => void)[] = [];
  let last: StagedFile | undefined;
  return {
    host: {
      ...host,
      write: (file, contents) => void staged.push(host.stage(file, contents)),
      makeFolder(folder) {
        const remove = host.makeFolder(folder);
        folders.push(remove);
        return remove;
      },
    },
    tryLast(file, contents, isRight) {
      let size = 0;
      const counted = function* (): Generator<Uint8Array, void, undefined> {
        for (const part of contents) {
          size += part.length;
          yield part;
        }
      };
      const parts = counted();
      last = host.stage(file, parts);
      // A stream would be written to as they are made.
      if (last.isStream)
        last = host.stage(
          file,
          Array.from(parts, (part) => part.slice()),
        );
      if (isRight()) return size;
      last.discard();
      last = undefined;
      return false;
    },
    commit() {
      const all = last === undefined ? staged : [...staged, last];
      const [streams, files] = [all.filter(({ isStream }) => isStream), all.filter(({ isStream }) => !isStream)];
      for (const each of [...streams, ...files]) each.commit();
      folders.length = 0;
    },
    discard() {
      last?.discard();
      for (const each of staged) each.discard();
      for (const remove of folders.toReversed()) remove();
    },
  };
}

/** Lets what `work` writes by the host that it is given appear together, with the folders for it, or nothing. Throws HostError. */
export function writeTogether(host: Host, work: (host: Host) => void): void {
  const outputs = openOutputs(host);
  try {
    work(outputs.host);
    outputs.commit();
  } finally {
    outputs.discard();
  }
}

/** Standard output by any of its names. */
export const isStandardOutput = (file: string): boolean =>
  /^(?:-|\/dev\/stdout|\/(?:dev|proc\/self)\/fd\/1)$/.test(file);

/** The same for every name of one place to write to, whether it is there or not. */
export const placeOf = (file: string, host: Host): string =>
  isStandardOutput(file) ? "-" : (host.identity(file) ?? path.resolve(file));

/** Nothing that is read is written over, by whatever name: the next run would lack it. Throws UsageError. */
export function checkOutputs(outputs: readonly (string | undefined)[], inputs: readonly string[], host: Host): void {
  for (const output of outputs) {
    const identity = output === undefined ? undefined : host.identity(output);
    if (identity === undefined) continue;
    // One file has one size, which is known of what was read.
    const size = host.sizeOf(output!);
    const input = inputs.find((each) => host.sizeOf(each) === size && host.identity(each) === identity);
    if (input !== undefined)
      throw new UsageError(`${output} is an input: it would be overwritten`, "give the output another name");
  }
}

export interface ReadGuard {
  /** A host that remembers the files it reads, and refuses to overwrite them: throws UsageError. */
  readonly host: Host;
  /** Refuses outputs that were read, before work is spent on them. Throws UsageError. */
  check(outputs: readonly (string | undefined)[]): void;
}

/** For commands that learn only while they read what their inputs are. `files` are inputs that others read. */
export function guardReads(given: Host, files: readonly string[]): ReadGuard {
  const inputs = new Set(files.filter((file) => file !== "-"));
  const remembering =
    <T>(read: (file: string) => T) =>
    (file: string): T => {
      if (file !== "-") inputs.add(file);
      return read(file);
    };
  const check = (outputs: readonly (string | undefined)[]): void => checkOutputs(outputs, [...inputs], given);
  return {
    check,
    host: {
      ...given,
      read: remembering((file) => given.read(file)),
      readInput: remembering((file) => given.readInput(file)),
      readRegular: remembering((file) => given.readRegular(file)),
      stage(file, contents) {
        check([file]);
        return given.stage(file, contents);
      },
    },
  };
}
