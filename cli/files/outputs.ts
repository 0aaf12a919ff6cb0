// Several output files of one command: all of them appear, or none. Each is written next to the old file until the last is
// complete.

import path from "node:path";
import type { Host } from "./host.js";
import type { StagedFile } from "./stage.js";
import { UsageError } from "../base/status.js";

export interface Outputs {
  /** A host whose writes wait for `commit`; `discard` removes its new folders too. */
  readonly host: Host;
  /**
   * Writes a file that may prove wrong while it is made; `isRight` decides after the last part. The file appears after all
   * others. Returns the number of bytes, or false if no file is written. Each part is requested after the previous one is
   * written. Throws HostError.
   */
  tryLast(file: string, contents: Iterable<Uint8Array>, isRight: () => boolean): number | false;
  /**
   * Makes all files appear, in the order of writing. Streams come first, because writing to them cannot be undone. Throws
   * HostError.
   */
  commit(): void;
  /** Discards the files that wait. */
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
      // A stream would be written before `isRight` decides, so collect the parts first.
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

/** Makes all files that `work` writes appear together, with their new folders, or none of them. Throws HostError. */
export function writeTogether(host: Host, work: (host: Host) => void): void {
  const outputs = openOutputs(host);
  try {
    work(outputs.host);
    outputs.commit();
  } finally {
    outputs.discard();
  }
}

/** Whether a file is standard output, by any of its names. */
export const isStandardOutput = (file: string): boolean =>
  /^(?:-|\/dev\/stdout|\/(?:dev|proc\/self)\/fd\/1)$/.test(file);

/** The identity of an output: equal for all names of one file, whether it exists or not. */
export const placeOf = (file: string, host: Host): string =>
  isStandardOutput(file) ? "-" : (host.identity(file) ?? path.resolve(file));

/** Throws UsageError if an output is an input, by whatever name: overwriting it would break the next run. */
export function checkOutputs(outputs: readonly (string | undefined)[], inputs: readonly string[], host: Host): void {
  for (const output of outputs) {
    const identity = output === undefined ? undefined : host.identity(output);
    if (identity === undefined) continue;
    // Compare sizes first, which are known for inputs; an identity takes a system call.
    const size = host.sizeOf(output!);
    const input = inputs.find((each) => host.sizeOf(each) === size && host.identity(each) === identity);
    if (input !== undefined)
      throw new UsageError(`${output} is an input: it would be overwritten`, "give the output another name");
  }
}

export interface ReadGuard {
  /** A host that remembers the files it reads, and refuses to overwrite them: throws UsageError. */
  readonly host: Host;
  /** Throws UsageError if an output has been read, before work is spent on it. */
  check(outputs: readonly (string | undefined)[]): void;
}

/** Creates a guard for commands that learn their inputs only while reading. `files`: inputs that are read elsewhere. */
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
