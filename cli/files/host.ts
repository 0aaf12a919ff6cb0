// Everything the program needs from its environment: files, streams, the terminal. Injected, so that tests run commands without a
// process, and so that nothing else in cli/ uses node:fs or process.

import { existsSync, fstatSync, lstatSync, readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { availableParallelism } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Source, RereadableText } from "../../lib/ptx/source-text.js";
import type { AssemblyOptions } from "../assembly/assembler-batch.js";
import type { AssemblerThread } from "../assembly/assembler-thread.js";
import { DANGLING, fileError, IRREGULAR, NAMELESS, type FileAction } from "./file-errors.table.js";
import { createFileReader, giveBack, isLargeText, readPart } from "./file-reader.js";
import { HostError } from "./host-error.js";
import { makeFolders } from "./folders.js";
import { isLargeFile, readSparse } from "./sparse-file.js";
import { createStage, type StagedFile } from "./stage.js";
import { writeAll, type Contents } from "./stream.js";
import { deferredFile, deferredSources } from "./deferred-sources.js";

export { HostError };

export interface Host {
  /** The bytes of a file, or of standard input for "-". Throws HostError. */
  read(file: string): Uint8Array;
  /** Reads a file for inspect, which reads the contents of fatbins in a large file on demand (sparse-file.ts). */
  readInspected(file: string): Uint8Array;
  /**
   * Reads an input of a link. Large sources in a large archive may be deferred until they are needed (Source.aside). Throws
   * HostError, also when a deferred source is read.
   */
  readInput(file: string): Source;
  /**
   * Reads a file that another file names, which must be a regular file: no device, no pipe. A large text is returned re-readable,
   * so that it can be freed. Throws HostError.
   */
  readRegular(file: string): Uint8Array | RereadableText;
  /** Frees the bytes of a source; they must not be read again. */
  release(text: Source): void;
  /** Whether a file or folder of that name exists. */
  exists(file: string): boolean;
  /** Bytes of a regular file when it was read; undefined for anything else, because only regular files can be read again. */
  sizeOf(file: string): number | undefined;
  /** Bytes of a regular file from `start` up to `end`, or fewer at the end of the file. Throws HostError. */
  readPart(file: string, start: number, end: number): Uint8Array;
  /** The version of a regular file, which changes with each write; undefined for anything else. */
  versionOf(file: string): string | undefined;
  /** Writes a file completely or not at all; "-" is standard output. Throws HostError. */
  write(file: string, contents: Contents): void;
  /**
   * Writes in two steps, for files that appear together or not at all (outputs.ts). The contents of a file are made in the first
   * step, those of a stream in the second. Throws HostError.
   */
  stage(file: string, contents: Contents): StagedFile;
  /** The identity of a regular file, equal for all of its names; undefined for anything else. */
  identity(file: string): string | undefined;
  /** Makes the folder and its parents. The returned function removes the new ones that are still empty. Throws HostError. */
  makeFolder(folder: string): () => void;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal that standard output is; undefined if it is none. `errColumns`: the same of standard error. */
  readonly outColumns: number | undefined;
  readonly errColumns: number | undefined;
  /** Milliseconds since an arbitrary start, for time traces. */
  now(): number;
  /** Peak memory of the process in bytes. */
  peakMemory(): number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input and output as streams, for commands that talk with another program. */
  connect(): { readonly input: Readable; readonly output: Writable };
  /** The contents of a folder; empty if it cannot be read. */
  list(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[];
  /** Calls back on Ctrl-C, or on the given signals; the returned function stops that. */
  onInterrupt(callback: () => void, signals?: readonly NodeJS.Signals[]): () => void;
  readonly threads: Threads;
}

/** Threads for assembling sources. */
export interface Threads {
  /** Number of threads that can run at a time, including this one. */
  available(): number;
  /** Bytes of text that make one more thread worthwhile. */
  readonly worthwhileBytes: number;
  start(options: AssemblyOptions): Promise<AssemblerThread>;
}

function hostError(action: FileAction, file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // An error without a code comes from making the contents, not from the file.
  if (code === undefined) return error;
  const known = file === "" ? NAMELESS : code === "ENOENT" && exists(file) ? DANGLING : code;
  const { reason, remedy } = fileError(action, file, { code: known, message });
  return new HostError(`cannot ${action} ${file === "" ? "''" : file}: ${reason}`, remedy);
}

function tryRead<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw hostError("read", file, error);
  }
}

/** Whether the name exists, possibly as a dangling link. */
function exists(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

export function nodeHost(): Host {
  const stageFile = createStage();
  const files = createFileReader();
  return {
    read(file) {
      return file === "-" ? tryRead("standard input", () => readFileSync(0)) : tryRead(file, () => files.read(file));
    },
    readInspected(file) {
      const found = file === "-" ? undefined : tryRead(file, () => (isLargeFile(file) ? readSparse(file) : undefined));
      return found ?? this.read(file);
    },
    readInput(file) {
      const found = file === "-" ? undefined : tryRead(file, () => files.readInput(file));
      if (found?.texts === undefined) return { name: file, bytes: found?.bytes ?? this.read(file) };
      return { name: file, bytes: found.bytes, deferredTexts: deferredSources(file, found.texts, this) };
    },
    readRegular(file) {
      if (isIrregular(file)) throw hostError("read", file, { code: IRREGULAR });
      const bytes = this.read(file);
      return isLargeText(bytes) ? deferredFile(file, bytes, this) : bytes;
    },
    readPart: (file, start, end) => tryRead(file, () => readPart(file, start, end)),
    versionOf,
    release: ({ bytes }) => giveBack(bytes),
    exists: (file) => file === "-" || existsSync(file),
    sizeOf: (file) => files.sizeOf(file) ?? regularFile(file)?.size,
    // Calls its own `stage`, because another host may replace it (outputs.ts).
    write(file, contents) {
      writeFile(this.stage(file, contents));
    },
    stage: (file, contents) => stageGuarded(stageFile, file, contents),
    identity,
    makeFolder,
    out: writeOut,
    err: writeErr,
    outColumns: columnsOf(1, () => process.stdout),
    errColumns: columnsOf(2, () => process.stderr),
    now: () => performance.now(),
    // Node reports kibibytes.
    peakMemory: () => process.resourceUsage().maxRSS * 1024,
    environment: process.env,
    connect: () => ({ input: process.stdin, output: process.stdout }),
    list: listFolder,
    onInterrupt,
    threads: {
      available: availableParallelism,
      worthwhileBytes: 48 * 2 ** 20,
      start: async (options) => (await import("../assembly/assembler-thread.js")).startAssembler(options),
    },
  };
}

function versionOf(file: string): string | undefined {
  const found = regularFile(file);
  return found && `${found.dev}:${found.ino}:${found.size}:${found.mtimeMs}`;
}

function identity(file: string): string | undefined {
  const found = regularFile(file);
  return found && `${found.dev}:${found.ino}`;
}

/** Stages a file, and converts its errors to HostError. */
function stageGuarded(stage: ReturnType<typeof createStage>, file: string, contents: Contents): StagedFile {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw hostError("write", file === "-" ? "standard output" : file, error);
    }
  };
  // Without this check, the process would wait with an unnamed file open until the others have appeared.
  if (file === "") throw hostError("write", file, { code: "ENOENT" });
  const staged = guarded(() => stage(file, contents));
  return { ...staged, commit: () => guarded(staged.commit) };
}

function writeFile(staged: StagedFile): void {
  try {
    staged.commit();
  } finally {
    staged.discard();
  }
}

function makeFolder(folder: string): () => void {
  try {
    return makeFolders(folder);
  } catch (error) {
    throw hostError("make folder", folder, error);
  }
}

function writeOut(text: string): void {
  try {
    writeAll(1, text);
  } catch (error) {
    throw hostError("write", "standard output", error);
  }
}

function writeErr(text: string): void {
  try {
    writeAll(2, text);
  } catch {
    // There is no stream to report it to; the exit status remains.
  }
}

function listFolder(folder: string): ReturnType<Host["list"]> {
  try {
    const found = readdirSync(folder, { withFileTypes: true });
    return found.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch {
    return [];
  }
}

function onInterrupt(callback: () => void, signals: readonly NodeJS.Signals[] = ["SIGINT"]): () => void {
  for (const signal of signals) process.once(signal, callback);
  return () => {
    for (const signal of signals) process.off(signal, callback);
  };
}

/** Whether the file exists and is not a regular one. Errors here are reported when it is read. */
function isIrregular(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === false;
  } catch {
    return false;
  }
}

/** The properties of a regular file; undefined for anything else, or if they are unavailable. */
function regularFile(file: string): Stats | undefined {
  try {
    const found = file === "-" ? undefined : statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Columns of a terminal. The stream is requested only if it may be a terminal, because Node takes milliseconds to create it. */
function columnsOf(descriptor: number, stream: () => NodeJS.WriteStream): number | undefined {
  if (!mayBeTerminal(descriptor)) return undefined;
  const { isTTY, columns } = stream();
  return isTTY ? columns : undefined;
}

function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}
