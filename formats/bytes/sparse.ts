// Large files that are only partly in memory. Unread ranges are zeros, for which the operating system commits no memory; `present`
// reads such a range from the file, on every call. Only readers of large data use it: fatbins (formats/fatbin) and hex views.
// Rejected: an interface in place of Uint8Array, because every format and every view would have to use it.

/** Reads the file from `start` to `end` (exclusive); returns fewer bytes at the end of the file. */
export type ReadRange = (start: number, end: number) => Uint8Array;

const readers = new WeakMap<ArrayBufferLike, ReadRange>();

/** `size` zeros. The caller fills the parts to keep in memory; `present` gets the others from `read`. */
export function sparseBytes(size: number, read: ReadRange): Uint8Array {
  const buffer = new SharedArrayBuffer(size);
  readers.set(buffer, read);
  return new Uint8Array(buffer);
}

/** Whether these bytes belong to a sparse file, so that parts may be missing in memory. */
export const isSparse = (bytes: Uint8Array): boolean => readers.has(bytes.buffer);

/** The bytes themselves, or a copy read from the file if they belong to a sparse one. */
export function present(bytes: Uint8Array): Uint8Array {
  const read = readers.get(bytes.buffer);
  return read === undefined ? bytes : read(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
