// Explains why a file cannot be read or written, and what to do about it, by error code of the operating system, Node or host.ts.
// All messages about files come from here, so each has a remedy.

import path from "node:path";
import { ENDLESS } from "./file-reader.js";

export type FileAction = "read" | "write" | "make folder";

interface FileError {
  readonly reason: string;
  /** The remedy, by action if that matters. */
  readonly remedy: Remedy | { readonly [Action in FileAction]: Remedy };
}

type Remedy = string | ((file: string) => string);

const elsewhere = "write it elsewhere";
const folderOf = (file: string): string => path.dirname(file);

/** The code for a dangling link, for which the system reports ENOENT, as for a missing file. */
export const DANGLING = "ERR_DANGLING_LINK";
/** The codes for an empty name, and for a name of something that is not a regular file. */
export const NAMELESS = "ERR_EMPTY_NAME";
export const IRREGULAR = "ERR_NO_REGULAR_FILE";

const errors: Readonly<Record<string, FileError>> = {
  ENOENT: {
    reason: "no such file or folder",
    remedy: {
      read: (file) => `check the name: ls ${folderOf(file)} lists the files there`,
      write: (file) => `make its folder first: mkdir -p ${folderOf(file)}`,
      "make folder": "make the folder above it first",
    },
  },
  [DANGLING]: {
    reason: "no such file or folder",
    remedy: {
      read: "it is a broken link: create its target, or name another file",
      write: "it is a link into a missing folder: create that folder, or remove the link",
      "make folder": "it is a broken link: remove it, or name another folder",
    },
  },
  EACCES: {
    reason: "permission denied",
    remedy: {
      read: (file) => `make it readable: chmod +r ${file}, and chmod +x for each parent folder`,
      write: (file) => `make its folder writable: chmod +wx ${folderOf(file)}, or ${elsewhere}`,
      "make folder": (file) => `make its parent folder writable: chmod +wx ${folderOf(file)}, or ${elsewhere}`,
    },
  },
  EPERM: {
    reason: "the operation is not permitted",
    remedy: {
      read: "ask a user who may read it to copy it or to grant permission",
      write: `an attribute of the file or its folder forbids it (lsattr shows them): ${elsewhere}`,
      "make folder": `an attribute of the parent folder forbids it (lsattr shows them): ${elsewhere}`,
    },
  },
  EEXIST: {
    reason: "a file has that name",
    remedy: { read: "name the file", write: "remove it, or name another file", "make folder": "name another folder" },
  },
  EISDIR: {
    reason: "it is a folder",
    remedy: {
      read: (file) => `name a file in it, such as those of: ls ${file}`,
      write: (file) => `name a file in it, such as ${path.join(file, "a.out")}`,
      "make folder": "name another folder",
    },
  },
  ENOTDIR: {
    reason: "a part of its path is not a folder",
    remedy: (file) => `a part of ${folderOf(file)} is a file: remove it, or correct the name`,
  },
  ENOSPC: {
    reason: "no space left on the device",
    remedy: `free some space (df shows how much is left), or ${elsewhere}`,
  },
  EDQUOT: {
    reason: "your disk quota is exceeded",
    remedy: `delete files (quota shows the limit), or ${elsewhere}`,
  },
  EROFS: { reason: "the file system is read-only", remedy: `${elsewhere}, or mount it writable` },
  ENAMETOOLONG: {
    reason: "the name is too long",
    remedy: "a name between two slashes has at most 255 bytes, a path 4095: choose a shorter one",
  },
  ELOOP: {
    reason: "its links go in a circle",
    remedy: (file) => `ls -l ${file} shows the link's target: remove the link, or point it to a file`,
  },
  EFBIG: { reason: "the file would be too large", remedy: `raise the limit (ulimit -f), or ${elsewhere}` },
  EMFILE: { reason: "this process has too many files open", remedy: "raise the limit: ulimit -n 4096" },
  ENFILE: { reason: "the system has too many files open", remedy: "try again when fewer programs run" },
  EIO: {
    reason: "the device reports an I/O error",
    remedy: "try again, and check the device (dmesg); use another copy of the file",
  },
  ESTALE: { reason: "the file no longer exists on the server", remedy: "try again, or remount the folder" },
  EBUSY: { reason: "it is in use", remedy: "end the program that uses it, or name another file" },
  ETXTBSY: { reason: "it is a running program", remedy: "end that program, or name another file" },
  ENXIO: {
    reason: "it has no peer",
    remedy: "it is a socket, a pipe or a device: start its peer first, or name a file",
  },
  EAGAIN: { reason: "it has no data yet", remedy: "wait until it has data, or name a file" },
  EINVAL: { reason: "it does not support this operation", remedy: "name a regular file" },
  EPIPE: { reason: "its reader has ended", remedy: "start its reader first, or name a file" },
  EBADF: { reason: "the descriptor is not open", remedy: "name a file, or open that descriptor for the command" },
  ENOMEM: { reason: "out of memory", remedy: "end other programs, or link in parts with -r" },
  ERR_FS_FILE_TOO_LARGE: {
    reason: "it is larger than 2 GiB",
    remedy: "link in parts: of an archive name the members, of an object leave out debug information (-S)",
  },
  ERR_INVALID_ARG_VALUE: { reason: "the name has a zero byte", remedy: "take the byte out of the name" },
  [ENDLESS]: { reason: "it is a device without an end", remedy: "name a file, or a pipe that ends" },
  [IRREGULAR]: {
    reason: "it is not a regular file",
    remedy: "replace it by a regular file; folders, pipes and devices are not supported",
  },
  [NAMELESS]: {
    reason: "the name is empty",
    remedy: "give a name; in a script, check for an unset variable",
  },
};

/** The message and remedy for a file's error; for unknown codes, the system's text. */
export function fileError(
  action: FileAction,
  file: string,
  { code, message }: { readonly code: string; readonly message: string },
): { readonly reason: string; readonly remedy: string } {
  const { reason, remedy } = errors[code] ?? {
    reason: message,
    remedy: "the system reported this error: ask its administrator, or use another folder",
  };
  const text = typeof remedy === "object" ? remedy[action] : remedy;
  return { reason, remedy: typeof text === "string" ? text : text(file) };
}
