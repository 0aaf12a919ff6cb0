// The strings of one encoded function or declaration table, each once, referred to by index: names of types, forms and spellings,
// and names from the source. Stored as a count, then for each string its length in bytes and its UTF-8.

import { malformed } from "../../../formats/bytes/malformed.js";
import type { ByteReader } from "../../../formats/bytes/reader.js";
import { readVarU, writeVarU } from "../../../formats/bytes/varint.js";
import { utf8Length, type ByteWriter } from "../../../formats/bytes/writer.js";

export interface StringPool {
  /** The index of `text`, added if it is new. */
  index(text: string): number;
  write(writer: ByteWriter): void;
  /** Starts another function: removes all strings. */
  clear(): void;
}

/** The index of a string in the turn in which it was last used. */
interface Numbered {
  turn: number;
  index: number;
}

/** Limit of the strings that are kept from earlier turns. */
const MAX_KNOWN = 4096;

/**
 * Creates a pool. Functions use the same strings again and again, so those of earlier turns stay in the table, which would
 * otherwise grow in each turn.
 */
export function createStringPool(): StringPool {
  const known = new Map<string, Numbered>();
  let texts: string[] = [];
  let turn = 0;
  return {
    index(text) {
      const numbered = known.get(text);
      if (numbered?.turn === turn) return numbered.index;
      const index = texts.push(text) - 1;
      if (numbered === undefined) known.set(text, { turn, index });
      else {
        numbered.turn = turn;
        numbered.index = index;
      }
      return index;
    },
    write(writer) {
      writeVarU(writer, texts.length);
      for (const text of texts) {
        writeVarU(writer, utf8Length(text));
        writer.text(text);
      }
    },
    clear() {
      turn++;
      texts = [];
      if (known.size > MAX_KNOWN) known.clear();
    },
  };
}

/** Inside a decoder: a count of elements of at least `least` bytes each, checked against the remaining bytes. */
export function readCount(reader: ByteReader, what: string, least = 1): number {
  const at = reader.position;
  const count = readVarU(reader, what);
  if (count * least > reader.remaining)
    malformed("truncated", at, `${what}: ${count}, with ${reader.remaining} bytes left`);
  return count;
}

const NONE: readonly never[] = [];

/**
 * Lists up to this length get exactly their memory; a growing list reserves 16 more. Longer ones grow, so that a false count
 * allocates nothing.
 */
const MAX_EXACT = 64;

/** Inside a decoder: reads `count` items in order. A loop takes half the time of Array.from. */
export function readItems<T>(count: number, item: () => T): readonly T[] {
  if (count === 0) return NONE;
  const items = new Array<T>(count <= MAX_EXACT ? count : 0);
  for (let i = 0; i < count; i++) items[i] = item();
  return items;
}

/** Inside a decoder: a number below `limit`. */
export function readIndex(reader: ByteReader, limit: number, what: string): number {
  const at = reader.position;
  const index = readVarU(reader, what);
  if (index >= limit) malformed("out-of-range", at, `${what} ${index}: there are ${limit}`);
  return index;
}

/** Inside a decoder: the strings that `StringPool.write` wrote. */
export function readStringPool(reader: ByteReader): readonly string[] {
  return readItems(readCount(reader, "number of texts"), () =>
    reader.text(readCount(reader, "length of a text"), "text"),
  );
}

/** Inside a decoder: a string by its index in the pool. */
export function readText(reader: ByteReader, pool: readonly string[], what: string): string {
  return pool[readIndex(reader, pool.length, what)]!;
}
