// Cursors over bytes, and the bail-out of readers and passes. They bail out of files of another writer, which are then read in
// detail (object/file/read.ts), and of links that are too large for columns.

/** Thrown to bail out; `ifSupported` catches it. */
class Unsupported extends Error {
  override readonly name = "Unsupported";
}

export function unsupported(why: string): never {
  throw new Unsupported(why);
}

/** The reason of a bail-out; undefined for other errors. */
export const unsupportedReason = (error: unknown): string | undefined =>
  error instanceof Unsupported ? error.message : undefined;

/** The result of the work; undefined after a bail-out. */
export function ifSupported<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** The same for a promise. */
export const ifSupportedAsync = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof Unsupported) return undefined;
    throw error;
  });

/** Bails out of malformed debug sections; their bytes are kept unchanged. */
export const malformed: (why: string) => never = unsupported;

/** Processes debug sections up to the first malformed byte. */
export const unlessMalformed = (work: () => void): void => void ifSupported(work);

/** Numbers below this fit the columns. */
const LIMIT = 2 ** 31;

/** A read position in bytes. */
export interface Cursor {
  bytes: Uint8Array;
  at: number;
  end: number;
}

export const createCursor = (): Cursor => ({ bytes: new Uint8Array(0), at: 0, end: 0 });

export function readU8(cursor: Cursor): number {
  if (cursor.at >= cursor.end) unsupported("truncated");
  return cursor.bytes[cursor.at++]!;
}

/** Unsigned LEB128 below 2^31. */
export function readVarU(cursor: Cursor): number {
  // Fast path without a call: most numbers are one byte, and a link ends before the engine inlines calls.
  if (cursor.at >= cursor.end) unsupported("truncated");
  const first = cursor.bytes[cursor.at++]!;
  if (first < 0x80) return first;
  let value = first & 0x7f;
  for (let scale = 0x80; scale < LIMIT; scale *= 0x80) {
    const byte = readU8(cursor);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value < LIMIT ? value : unsupported("a large number");
  }
  return unsupported("a large number");
}

/** Reads a count of items of at least `least` bytes each. */
export function readCount(cursor: Cursor, least: number): number {
  const count = readVarU(cursor);
  if (count * least > cursor.end - cursor.at) unsupported("a count beyond the end");
  return count;
}
