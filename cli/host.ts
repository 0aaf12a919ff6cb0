// Everything the program asks of its surroundings: files, streams, the terminal. Injected, so that tests run commands
// without a process, and so that nothing else in cli/ touches node:fs or process.

import { existsSync, fstatSync, lstatSync, readdirSync, readFileSync, statSync, type Stats } from "node:fs";
import { availableParallelism } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Source, RereadableText } from "../lib/ptx/source-text.js";
import type { AssemblyOptions } from "./assembler-batch.js";
import type { AssemblerThread } from "./assembler-thread.js";
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
  /** The bytes of a file, of standard input for "-". Throws HostError. */
  read(file: string): Uint8Array;
  /** The same for inspect, which reads the contents of fatbins in a large file on demand (sparse-file.ts). */
  readInspected(file: string): Uint8Array;
  /**
   * The same for an input of a link. Large sources in a large archive may be deferred until they are needed (Source.aside).
   * Throws HostError, also when they are read.
   */
  readInput(file: string): Source;
  /**
   * The bytes of a file that another file names, which must be a regular one: no device, no pipe; of a large text what may let it go.
   * Throws HostError.
   */
  readRegular(file: string): Uint8Array | RereadableText;
  /** Frees the bytes of a source; they must not be read again. */
  release(text: Source): void;
  /** Whether there is something of that name. */
  exists(file: string): boolean;
  /** Bytes of a regular file, which can be read again, as it was when it was read; undefined for anything else. */
  sizeOf(file: string): number | undefined;
  /** Bytes of a regular file from `start` up to `end`, or fewer where it ends. Throws HostError. */
  readPart(file: string, start: number, end: number): Uint8Array;
  /** Of a regular file: another one whenever it was written to. Undefined for anything else. */
  versionOf(file: string): string | undefined;
  /** Writes a file whole or not at all; "-" is standard output. Throws HostError. */
  write(file: string, contents: Contents): void;
  /**
   * The same in two steps, for files that appear together or not at all (outputs.ts). Contents of a file are made in the first
   * step, of a stream in the second. Throws HostError.
   */
  stage(file: string, contents: Contents): StagedFile;
  /** The same for every name of one file; undefined if it is no regular file. */
  identity(file: string): string | undefined;
  /** Makes the folder and its parents. The returned function removes those again that are empty. Throws HostError. */
  makeFolder(folder: string): () => void;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal that standard output (error) is, or undefined when it is none. */
  readonly outColumns: number | undefined;
  readonly errColumns: number | undefined;
  /** Milliseconds from some start, for time traces. */
  now(): number;
  /** Bytes of memory that the process has had at most. */
  peakMemory(): number;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Standard input and output as streams, of a command that talks with another program. */
  connect(): { readonly input: Readable; readonly output: Writable };
  /** The contents of a folder; empty if it cannot be read. */
  list(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[];
  /** Calls back on Ctrl-C, or on those signals; the function returned stops that. */
  onInterrupt(callback: () => void, signals?: readonly NodeJS.Signals[]): () => void;
  readonly threads: Threads;
}

/** Threads for assembling. */
export interface Threads {
  /** How many can run at a time, this one included. */
  available(): number;
  /** Bytes of text from which on one more thread pays. */
  readonly worthwhileBytes: number;
  start(options: AssemblyOptions): Promise<AssemblerThread>;
}

function hostError(action: FileAction, file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  // An error while contents are made is not the file's.
  if (code === undefined) return error;
  const known = file === "" ? NAMELESS : code === "ENOENT" && isThere(file) ? DANGLING : code;
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

/** Whether the name exists, as a dangling link too. */
function isThere(file: string): boolean {
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
      return { name: file, bytes: found.bytes, aside: deferredSources(file, found.texts, this) };
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
    // By its own `stage`, which another host may replace (outputs.ts).
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
      start: async (options) => (await import("./assembler-thread.js")).startAssembler(options),
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

/** Stages a file; its errors become the host's. */
function stageGuarded(stage: ReturnType<typeof createStage>, file: string, contents: Contents): StagedFile {
  const guarded = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw hostError("write", file === "-" ? "standard output" : file, error);
    }
  };
  // Otherwise the process would wait with an unnamed file open until the others have appeared.
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

/** Columns of a terminal. Node's stream is asked only where it may be one, since making it takes milliseconds. */
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
