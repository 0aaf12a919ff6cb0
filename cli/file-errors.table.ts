// Why a file cannot be read or written, in plain words, and what to do about it: by the code that the operating system gives, Node, or
// host.ts. The one place for both, so that no message about a file ends with a reason alone.

import path from "node:path";
import { ENDLESS } from "./file-reader.js";

export type FileAction = "read" | "write" | "make folder";

interface FileError {
  readonly reason: string;
  /** What to do; by what was wanted where that differs. */
  readonly remedy: Remedy | { readonly [Action in FileAction]: Remedy };
}

type Remedy = string | ((file: string) => string);

const elsewhere = "write it elsewhere";
const folderOf = (file: string): string => path.dirname(file);

/** The code of a link that leads nowhere: the system says ENOENT of that, too. */
export const DANGLING = "ERR_DANGLING_LINK";
/** The code of an empty name, and of a name for something of another kind than a file. */
export const NAMELESS = "ERR_EMPTY_NAME";
export const IRREGULAR = "ERR_NO_REGULAR_FILE";

const errors: Readonly<Record<string, FileError>> = {
  ENOENT: {
    reason: "no such file or folder",
    remedy: {
      read: (file) => `look for a slip in the name: ls ${folderOf(file)} shows what is there`,
      write: (file) => `make its folder first: mkdir -p ${folderOf(file)}`,
      "make folder": "make the folder above it first",
    },
  },
  [DANGLING]: {
    reason: "no such file or folder",
    remedy: {
      read: "it is a link to what is not there: make that, or name the file itself",
      write: "it is a link into a folder that is not there: make that folder, or take the link away",
      "make folder": "it is a link to what is not there: take it away, or name another folder",
    },
  },
  EACCES: {
    reason: "permission denied",
    remedy: {
      read: (file) => `let it be read: chmod +r ${file}, and chmod +x for each folder on the way to it`,
      write: (file) => `let its folder be written to: chmod +wx ${folderOf(file)}, or ${elsewhere}`,
      "make folder": (file) => `let what is above it be written to: chmod +wx ${folderOf(file)}, or ${elsewhere}`,
    },
  },
  EPERM: {
    reason: "the operation is not permitted",
    remedy: {
      read: "somebody who may read it has to copy it, or to permit it",
      write: `an attribute of it or of its folder forbids it (lsattr shows them): ${elsewhere}`,
      "make folder": `an attribute of what is above it forbids it (lsattr shows them): ${elsewhere}`,
    },
  },
  EEXIST: {
    reason: "a file has that name",
    remedy: { read: "name the file", write: "take it away, or name another", "make folder": "name another folder" },
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
    remedy: (file) => `a file stands where a folder of ${folderOf(file)} should: take it away, or put the name right`,
  },
  ENOSPC: {
    reason: "no space left on the device",
    remedy: `make room there (df shows how much there is), or ${elsewhere}`,
  },
  EDQUOT: {
    reason: "you may keep no more there",
    remedy: `delete what you need no more (quota shows how much you have), or ${elsewhere}`,
  },
  EROFS: { reason: "the file system is read-only", remedy: `${elsewhere}, or mount it to be written to` },
  ENAMETOOLONG: {
    reason: "the name is too long",
    remedy: "a name between two slashes has at most 255 bytes, a path 4095: choose a shorter one",
  },
  ELOOP: {
    reason: "its links go in a circle",
    remedy: (file) => `ls -l ${file} shows where the link leads: take it away, or let it lead to a file`,
  },
  EFBIG: { reason: "it would be too large", remedy: `raise the limit (ulimit -f), or ${elsewhere}` },
  EMFILE: { reason: "this process has too many files open", remedy: "raise the limit: ulimit -n 4096" },
  ENFILE: { reason: "the system has too many files open", remedy: "try again when fewer programs run" },
  EIO: {
    reason: "the device fails",
    remedy: "try again, and look for damage (dmesg tells of it); a copy from elsewhere may be whole",
  },
  ESTALE: { reason: "the server has it no more", remedy: "try again; where that does not help mount the folder anew" },
  EBUSY: { reason: "something else has it in use", remedy: "end what uses it, or name another file" },
  ETXTBSY: { reason: "it is a program that runs", remedy: "end that program, or name another file" },
  ENXIO: {
    reason: "nobody is at its other end",
    remedy: "it is a socket, a pipe or a device: begin with what answers there, or name a file",
  },
  EAGAIN: { reason: "it has nothing to give yet", remedy: "wait for what is to be read there, or name a file" },
  EINVAL: { reason: "that cannot be done with it", remedy: "name a regular file" },
  EPIPE: { reason: "nobody reads it any more", remedy: "begin with what reads there, or name a file" },
  EBADF: { reason: "nothing is open there", remedy: "name a file, or open that descriptor for the command" },
  ENOMEM: { reason: "there is no memory for it", remedy: "end other programs, or link in parts with -r" },
  ERR_FS_FILE_TOO_LARGE: {
    reason: "it is larger than 2 GiB",
    remedy: "link in parts: of an archive name the members, of an object leave out debug information (-S)",
  },
  ERR_INVALID_ARG_VALUE: { reason: "the name has a zero byte", remedy: "take the byte out of the name" },
  [ENDLESS]: { reason: "it is a device that gives bytes without end", remedy: "name a file, or a pipe that ends" },
  [IRREGULAR]: {
    reason: "it is no regular file",
    remedy: "put a file in its place: no folder, pipe or device will do",
  },
  [NAMELESS]: {
    reason: "the name is empty",
    remedy: "give a name; in a script a variable that is not set may stand there",
  },
};

/** A file's error as a message and a remedy; for unknown codes, the system's text. */
export function fileError(
  action: FileAction,
  file: string,
  { code, message }: { readonly code: string; readonly message: string },
): { readonly reason: string; readonly remedy: string } {
  const { reason, remedy } = errors[code] ?? {
    reason: message,
    remedy: "that is the system's own word: ask who keeps the machine, or use another folder",
  };
  const text = typeof remedy === "object" ? remedy[action] : remedy;
  return { reason, remedy: typeof text === "string" ? text : text(file) };
}
