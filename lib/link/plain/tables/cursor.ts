// How readers walk over bytes, and how they and later passes bail out: at a file of another writer, which is then read in detail
// (object/file/read.ts), and at a link that is too large for columns.

/** Leaves a plain link, whose edge catches it. */
class NotPlain extends Error {
  override readonly name = "NotPlain";
}

export function notPlain(why: string): never {
  throw new NotPlain(why);
}

/** Why work was left, of an error that is that. */
export const reasonOf = (error: unknown): string | undefined => (error instanceof NotPlain ? error.message : undefined);

/** What comes of the work; undefined where it was left. */
export function unlessNotPlain<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotPlain) return undefined;
    throw error;
  }
}

/** The same of work that is under way. */
export const orNotPlain = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof NotPlain) return undefined;
    throw error;
  });

/** Of bytes that stay as they are, whatever is wrong with them. */
export const malformed: (why: string) => never = notPlain;

/** Work on such bytes, done as far as they are well formed. */
export const unlessMalformed = (work: () => void): void => void unlessNotPlain(work);

/** Numbers up to here fit the columns. */
const LIMIT = 2 ** 31;

/** A place in bytes, moved by reading. */
export interface Cursor {
  bytes: Uint8Array;
  at: number;
  end: number;
}

export const createCursor = (): Cursor => ({ bytes: new Uint8Array(0), at: 0, end: 0 });

export function readU8(cursor: Cursor): number {
  if (cursor.at >= cursor.end) notPlain("truncated");
  return cursor.bytes[cursor.at++]!;
}

/** Unsigned LEB128 below 2^31. */
export function readVarU(cursor: Cursor): number {
  // Most are one byte: no call for those, because a link is over before the engine has put calls into their place.
  if (cursor.at >= cursor.end) notPlain("truncated");
  const first = cursor.bytes[cursor.at++]!;
  if (first < 0x80) return first;
  let value = first & 0x7f;
  for (let scale = 0x80; scale < LIMIT; scale *= 0x80) {
    const byte = readU8(cursor);
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value < LIMIT ? value : notPlain("a large number");
  }
  return notPlain("a large number");
}

/** A count of things of at least `least` bytes each. */
export function readCount(cursor: Cursor, least: number): number {
  const count = readVarU(cursor);
  if (count * least > cursor.end - cursor.at) notPlain("a count beyond the end");
  return count;
}
