// Writes completely to standard output and standard error; and joins small parts of text or bytes into large ones, to save system
// calls.

import { writeSync } from "node:fs";

/** The contents of a file; parts are written in order, and may be made during the write. */
export type Contents = Uint8Array | string | Iterable<Uint8Array | string>;

/** Limit of bytes for one call: Linux writes less than 2 GiB. */
const MAX_AT_ONCE = 2 ** 30;

/** Writes all data, in several calls if necessary. Ignores a closed pipe (`| head`), which is the reader's choice. */
export function writeAll(descriptor: number, data: Uint8Array | string): void {
  const bytes = typeof data === "string" ? Buffer.from(data) : data;
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(descriptor, bytes, at, Math.min(bytes.length - at, MAX_AT_ONCE));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "EPIPE") return;
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

/** Characters in one chunk. */
const CHUNK = 1 << 16;

/** Joins the text of all parts into few chunks. */
export function* chunksOf(parts: Iterable<string>): Generator<string, void, undefined> {
  let chunk = "";
  for (const part of parts) {
    chunk += part;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = "";
  }
  if (chunk !== "") yield chunk;
}

/** Bytes in one block. */
const BLOCK = 2 ** 20;

/** Joins the bytes of all parts into few blocks. */
export function* blocksOf(parts: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let block = new Uint8Array(BLOCK);
  let length = 0;
  for (const part of parts) {
    if (length > 0 && length + part.length > BLOCK) {
      yield block.subarray(0, length);
      block = new Uint8Array(BLOCK);
      length = 0;
    }
    if (part.length > BLOCK) yield part;
    else {
      block.set(part, length);
      length += part.length;
    }
  }
  if (length > 0) yield block.subarray(0, length);
}

/** Concatenates lists. */
export function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T, void, undefined> {
  for (const list of lists) yield* list;
}

/** The contents of a file, in parts. */
export function* bytesOf(contents: Contents): Generator<Uint8Array, void, undefined> {
  if (typeof contents === "string") yield Buffer.from(contents);
  else if (contents instanceof Uint8Array) yield contents;
  else for (const part of contents) yield typeof part === "string" ? Buffer.from(part) : part;
}
