// Everything the program asks of its surroundings: files, streams, the terminal. Injected, so that tests run commands
// without a process, and so that nothing else in cli/ touches node:fs or process.

import { randomBytes } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";

export interface Host {
  /** The bytes of a file, of standard input for "-". Throws HostError. */
  read(file: string): Uint8Array;
  /** Writes a file whole or not at all; "-" is standard output. Throws HostError. */
  write(file: string, bytes: Uint8Array | string): void;
  makeFolder(folder: string): void;
  out(text: string): void;
  err(text: string): void;
  /** Columns of the terminal that standard output (error) is, or undefined when it is none. */
  readonly outColumns: number | undefined;
  readonly errColumns: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Calls back on Ctrl-C; the function returned stops that. */
  onInterrupt(callback: () => void): () => void;
}

/** A file that cannot be read or written: status 2. */
export class HostError extends Error {
  override readonly name = "HostError";
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file or folder",
  EACCES: "permission denied",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ENOSPC: "no space left on the device",
  EROFS: "the file system is read-only",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "its links go in a circle",
  EFBIG: "it would be too large",
  ERR_FS_FILE_TOO_LARGE: "it is larger than 2 GiB",
  ERR_INVALID_ARG_VALUE: "the name has a zero byte",
};

function hostError(action: string, file: string, error: unknown): HostError {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  return new HostError(`cannot ${action} ${file}: ${reasons[code] ?? (error as Error).message}`);
}

export function nodeHost(): Host {
  return {
    read(file) {
      try {
        return readFileSync(file === "-" ? 0 : file);
      } catch (error) {
        throw hostError("read", file === "-" ? "standard input" : file, error);
      }
    },
    write(file, bytes) {
      try {
        if (file === "-") writeAll(1, bytes);
        else writeBeside(file, bytes);
      } catch (error) {
        throw hostError("write", file === "-" ? "standard output" : file, error);
      }
    },
    makeFolder(folder) {
      try {
        mkdirSync(folder, { recursive: true });
      } catch (error) {
        throw hostError("make folder", folder, error);
      }
    },
    out: (text) => writeAll(1, text),
    err: (text) => writeAll(2, text),
    outColumns: process.stdout.isTTY ? process.stdout.columns : undefined,
    errColumns: process.stderr.isTTY ? process.stderr.columns : undefined,
    environment: process.env,
    onInterrupt(callback) {
      process.once("SIGINT", callback);
      return () => process.off("SIGINT", callback);
    },
  };
}

/**
 * The new file stands beside the old one until it is whole. Through a link, the file that it names is replaced; what is no
 * regular file (a device, a pipe) cannot be replaced and is written to.
 */
function writeBeside(file: string, bytes: Uint8Array | string): void {
  const found = lstatSync(file, { throwIfNoEntry: false });
  const target = found?.isSymbolicLink() === true ? followed(file) : file;
  const existing = statSync(target, { throwIfNoEntry: false });
  if (existing !== undefined && !existing.isFile()) {
    writeFileSync(target, bytes);
    return;
  }
  const beside = path.join(path.dirname(target), `.ptxkit-${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(beside, bytes);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Where a symbolic link leads; the link itself when that is nowhere. */
function followed(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return link;
  }
}

/** Streams may take a part at a time, and a closed pipe (`| head`) is the reader's choice, not a fault. */
function writeAll(descriptor: number, data: Uint8Array | string): void {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
