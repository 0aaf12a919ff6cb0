// Large files of which only a part is in memory: their bytes are zeros wherever nothing was read, for which the system gives no
// memory. Whoever looks at such a place asks `present` for the bytes, which reads them anew each time. Only readers of what is
// large know about it: fatbins (formats/fatbin) and hex views.
// Rejected: an interface for bytes in place of Uint8Array, which every format and every view would have to go through.

/** Bytes of the file from `start` up to `end`; fewer where it ends. */
export type ReadRange = (start: number, end: number) => Uint8Array;

const readers = new WeakMap<ArrayBufferLike, ReadRange>();

/** `size` bytes, zeros until somebody fills them; what is not filled is had from `read`. */
export function sparseBytes(size: number, read: ReadRange): Uint8Array {
  const buffer = new SharedArrayBuffer(size);
  readers.set(buffer, read);
  return new Uint8Array(buffer);
}

/** Whether parts of what these bytes are a view of may be in the file alone. */
export const isSparse = (bytes: Uint8Array): boolean => readers.has(bytes.buffer);

/** The bytes themselves, or of a sparse file a copy that is read now. */
export function present(bytes: Uint8Array): Uint8Array {
  const read = readers.get(bytes.buffer);
  return read === undefined ? bytes : read(bytes.byteOffset, bytes.byteOffset + bytes.length);
}
